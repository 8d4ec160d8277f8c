package dev.sluice.core.explain;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskGroup;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the application that each leaf with the sort policy {@code stateaware} lets in beside the running ones, in one walk over all
 * applications of the partition. An accepted application of which no node could ever hold a pending task is none of them.
 */
final class StartingApplications {

    private final Partition partition;
    private final FeasibleTasks feasible;
    private final Map<Queue, Entry> first = new HashMap<>();
    private final Set<Application> skipped = new HashSet<>();
    private @Nullable Application current;
    private boolean ended;

    // of the current application, if it is looked at group by group
    private int nextGroup;
    private int priority;
    private boolean holds;

    /**
     * An application that may be let in.
     *
     * @param priority the highest one of its pending tasks, or the lowest of all where priorities do not count
     */
    private record Entry(Application application, boolean hasPending, int priority) {

        /** The order of the cycle; those with pending tasks first, since only they are in the cycle's order at all. */
        static final Comparator<Entry> ORDER = Comparator.comparing(Entry::hasPending, Comparator.reverseOrder())
                .thenComparing(Entry::priority, Comparator.reverseOrder())
                .thenComparing(candidate -> candidate.application.submitted())
                .thenComparing(candidate -> candidate.application.sequence());
    }

    StartingApplications(Partition partition, List<Node> nodes) {
        this.partition = partition;
        this.feasible = new FeasibleTasks(partition, nodes);
        advance();
    }

    /** The application that this leaf lets in, or null; known once the walk has ended. */
    @Nullable Application firstOf(Queue leaf) {
        Entry candidate = first.get(leaf);
        return candidate == null ? null : candidate.application();
    }

    /** Whether no node could ever hold a pending task of this accepted application; known once the walk has ended. */
    boolean isSkipped(Application application) {
        return skipped.contains(application);
    }

    /** Goes on with the walk; returns whether it has ended. */
    boolean look(StepBudget looks) {
        while (!ended) {
            if (!looks.take()) {
                return false;
            }
            Application application = current;
            if (application == null || !mayBeNextToStart(application) || look(application, looks)) {
                advance();
            }
        }
        return true;
    }

    private void advance() {
        current = partition.nextApplication(current);
        ended = current == null;
        nextGroup = 0;
        priority = Integer.MIN_VALUE;
        holds = false;
    }

    private static boolean mayBeNextToStart(Application application) {
        if (application.isForgotten()
                || !application.hasQueue()
                || application.queue().sortPolicy() != ApplicationSortPolicy.STATE_AWARE) {
            return false;
        }
        ApplicationState wanted =
                application.queue().startingApplications() > 0 ? ApplicationState.STARTING : ApplicationState.ACCEPTED;
        return application.state() == wanted;
    }

    /** Looks at the groups of an application; returns whether all were looked at. */
    private boolean look(Application application, StepBudget looks) {
        boolean starting = application.state() == ApplicationState.STARTING;
        boolean priorityCounts = application.queue().usesPriorities();
        List<TaskGroup> groups = application.groups();
        while (nextGroup < groups.size() && (priorityCounts || !(starting || holds))) {
            if (!looks.take()) {
                return false;
            }
            TaskGroup group = groups.get(nextGroup);
            if (group.pending() > 0) {
                Boolean held = (starting || holds) ? Boolean.TRUE : feasible.holds(group, looks);
                if (held == null) {
                    return false;
                }
                holds |= held;
                priority = priorityCounts ? Math.max(priority, group.kind().priority()) : priority;
            }
            nextGroup++;
        }
        if (!starting && !holds) {
            skipped.add(application);
            return true;
        }
        Entry candidate = new Entry(application, application.pending() > 0, priority);
        first.merge(
                application.queue(),
                candidate,
                (known, other) -> Entry.ORDER.compare(known, other) <= 0 ? known : other);
        return true;
    }
}
