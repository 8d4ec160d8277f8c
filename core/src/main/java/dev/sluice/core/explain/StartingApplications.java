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
 * Finds the application that each leaf with sort policy {@code stateaware} admits besides the running ones, in one pass
 * over all applications of the partition. Skips accepted applications none of whose pending tasks could ever fit on a
 * node.
 */
final class StartingApplications {

    private final Partition partition;
    private final Feasibility feasibility;
    private final Map<Queue, Entry> first = new HashMap<>();
    private final Set<Application> skipped = new HashSet<>();
    private @Nullable Application current;
    private boolean ended;

    // progress within the current application
    private int nextGroup;
    private int priority;
    private boolean anyFeasible;

    /**
     * A candidate for admission.
     *
     * @param priority the highest priority of its pending tasks, or {@link Integer#MIN_VALUE} if priorities do not
     *     count
     */
    private record Entry(Application application, boolean hasPending, int priority) {

        /** The order of the cycle; applications without pending tasks, which the cycle does not order, come last. */
        static final Comparator<Entry> ORDER = Comparator.comparing(Entry::hasPending, Comparator.reverseOrder())
                .thenComparing(Entry::priority, Comparator.reverseOrder())
                .thenComparing(candidate -> candidate.application.submitted())
                .thenComparing(candidate -> candidate.application.sequence());
    }

    StartingApplications(Partition partition, List<Node> nodes) {
        this.partition = partition;
        this.feasibility = new Feasibility(partition, nodes);
        advance();
    }

    /** Returns the application that this leaf admits, or null; valid once the pass is complete. */
    @Nullable Application firstOf(Queue leaf) {
        Entry candidate = first.get(leaf);
        return candidate == null ? null : candidate.application();
    }

    /** Whether no node could ever run a pending task of this accepted application; valid once the pass is complete. */
    boolean isSkipped(Application application) {
        return skipped.contains(application);
    }

    /** Continues the pass; returns whether it is complete. */
    boolean step(StepBudget budget) {
        while (!ended) {
            if (!budget.take()) {
                return false;
            }
            Application application = current;
            if (application == null || !mayBeNextToStart(application) || step(application, budget)) {
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
        anyFeasible = false;
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

    /** Examines the groups of an application; returns whether all groups are done. */
    private boolean step(Application application, StepBudget budget) {
        boolean starting = application.state() == ApplicationState.STARTING;
        boolean priorityCounts = application.queue().usesPriorities();
        List<TaskGroup> groups = application.groups();
        while (nextGroup < groups.size() && (priorityCounts || !(starting || anyFeasible))) {
            if (!budget.take()) {
                return false;
            }
            TaskGroup group = groups.get(nextGroup);
            if (group.pending() > 0) {
                Boolean fits = (starting || anyFeasible) ? Boolean.TRUE : feasibility.isFeasible(group, budget);
                if (fits == null) {
                    return false;
                }
                anyFeasible |= fits;
                priority = priorityCounts ? Math.max(priority, group.kind().priority()) : priority;
            }
            nextGroup++;
        }
        if (!starting && !anyFeasible) {
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
