package dev.sluice.core.schedule;

import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The started tasks on ready nodes that may be preempted at one time, and the search for victims among them.
 *
 * <p>On each node, tasks become victims in the order of {@link PreemptionScope#compare}, except those without which a
 * queue would fall below its guaranteed resources, until the pending task fits and is within all maxima. Then victims
 * that are not needed are spared, the last first. The node on which the least work is lost is taken, among equal ones
 * the first in node order.
 */
final class Victims {

    private final Instant now;
    private final List<OnNode> nodes = new ArrayList<>();
    private @Nullable Instant protectionEnds;
    private long visits;

    /** One task of each group and specification: what holds for it alone holds for the others. */
    private final List<Task> representatives = new ArrayList<>();

    /** The tasks on one node. */
    private static final class OnNode {
        private final Node node;
        private final List<Task> tasks;

        /** The work that is lost at least if any of them is preempted. */
        private final Duration leastWork;

        /** What all of them request together, those included that were preempted meanwhile. */
        private final long[] demand;

        private OnNode(Node node, List<Task> tasks, Duration leastWork, long[] demand) {
            this.node = node;
            this.tasks = tasks;
            this.leastWork = leastWork;
            this.demand = demand;
        }

        /** Returns whether a task of this demand may fit if all tasks are preempted; if not, no search is needed. */
        private boolean mayFit(long[] pending) {
            long[] missing = VictimSearch.missing(node, pending);
            for (int type = 0; type < missing.length; type++) {
                if (missing[type] > Vectors.at(demand, type)) {
                    return false;
                }
            }
            return true;
        }
    }

    Victims(Partition partition, Instant now) {
        this.now = now;
        for (Node node : partition.nodes()) {
            if (node.isReady()) {
                List<Task> tasks = new ArrayList<>();
                for (Task task : node.tasks()) {
                    if (task.stopReason() == null && task.startedAt() != null && isUnprotected(task)) {
                        tasks.add(task);
                    }
                }
                if (!tasks.isEmpty()) {
                    Duration least = tasks.stream()
                            .map(this::workOf)
                            .reduce(Victims::smaller)
                            .orElse(Duration.ZERO);
                    long[] demand = Vectors.empty();
                    for (Task task : tasks) {
                        demand = Vectors.sum(demand, task.demand(), 1);
                    }
                    nodes.add(new OnNode(node, tasks, least, demand));
                }
            }
        }
        nodes.sort(Comparator.comparing(on -> on.leastWork)); // stable, and the order of equal ones makes no difference
        Map<TaskGroup, Task> byGroup = new HashMap<>();
        for (OnNode on : nodes) {
            for (Task task : on.tasks) {
                Task first = byGroup.putIfAbsent(task.group(), task);
                if (first == null || !Objects.equals(first.kind(), task.kind())) {
                    representatives.add(task);
                }
            }
        }
    }

    private static Duration smaller(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    /** Returns whether any task may be a victim, whatever it makes fit. */
    boolean hasAny(PreemptionScope scope) {
        for (Task task : representatives) {
            visits++;
            if (scope.includes(task)) {
                Removed removed = new Removed();
                removed.add(task, 1);
                if (removed.keepsGuarantees(scope.leaf(), scope.demand())) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isUnprotected(Task task) {
        Instant until = task.protectedUntil();
        if (!until.isAfter(now)) {
            return true;
        }
        if (!until.equals(Instant.MAX) && (protectionEnds == null || until.isBefore(protectionEnds))) {
            protectionEnds = until;
        }
        return false;
    }

    /** Returns when the next of the protected tasks may be preempted, or null. */
    @Nullable Instant protectionEnds() {
        return protectionEnds;
    }

    /** Returns the number of tasks and nodes that were visited by all searches, which is what they cost. */
    long visits() {
        return visits;
    }

    /** Returns the tasks to preempt for a task of this class, or null if there are none. */
    @Nullable Preemption find(EquivalenceClass equivalenceClass, PreemptionScope scope, Comparator<Node> nodeOrder) {
        Node best = null;
        List<Task> cheapest = List.of();
        Duration lost = Duration.ZERO;
        for (OnNode on : nodes) {
            int bound = best == null ? -1 : on.leastWork.compareTo(lost);
            if (bound > 0) {
                break;
            }
            if (bound == 0 && nodeOrder.compare(on.node, best) > 0) {
                continue;
            }
            visits++;
            if (!on.mayFit(scope.demand()) || !VictimSearch.mayRunOn(on.node, equivalenceClass)) {
                continue;
            }
            visits += on.tasks.size();
            List<Task> victims = victimsOn(
                    on.node, on.tasks, scope, equivalenceClass.key.constraints().tasks());
            if (!victims.isEmpty()) {
                Duration work = workOf(victims);
                int order = best == null ? -1 : work.compareTo(lost);
                if (order < 0 || (order == 0 && nodeOrder.compare(on.node, best) < 0)) {
                    best = on.node;
                    cheapest = victims;
                    lost = work;
                }
            }
        }
        return best == null ? null : new Preemption(best, cheapest, scope.reason(), null, false);
    }

    private Duration workOf(List<Task> victims) {
        Duration work = Duration.ZERO;
        for (Task victim : victims) {
            work = work.plus(workOf(victim));
        }
        return work;
    }

    private Duration workOf(Task task) {
        Instant started = task.startedAt();
        return started == null ? Duration.ZERO : Duration.between(started, now);
    }

    /** Returns a set of tasks on this node without which the pending task fits, none of them spare; empty if none. */
    static List<Task> victimsOn(Node node, List<Task> tasks, PreemptionScope scope, TaskConstraints pending) {
        List<Task> candidates = new ArrayList<>();
        long[] missing = VictimSearch.missing(node, scope.demand());
        long[] atBest = missing;
        for (Task task : tasks) {
            if (task.stopReason() == null
                    && scope.includes(task)
                    && !pending.requires(task.kind().constraints().tasks().labels())) {
                candidates.add(task);
                atBest = Vectors.sum(atBest, task.demand(), -1);
            }
        }
        boolean fits = VictimSearch.isNoneMissing(missing) && scope.isWithinMaxima(new Removed());
        if (fits || candidates.isEmpty() || !VictimSearch.isNoneMissing(atBest)) {
            return List.of(); // only a reservation may be in the way
        }
        candidates.sort(scope::compare);
        Removed removed = new Removed();
        List<Task> victims = new ArrayList<>();
        for (Task task : candidates) {
            removed.add(task, 1);
            if (!removed.keepsGuarantees(scope.leaf(), scope.demand())) {
                removed.add(task, -1);
            } else {
                victims.add(task);
                missing = Vectors.sum(missing, task.demand(), -1);
                if (VictimSearch.isNoneMissing(missing) && scope.isWithinMaxima(removed)) {
                    spare(victims, removed, missing, scope);
                    return victims.size() <= scope.victimsMax() ? victims : List.of();
                }
            }
        }
        return List.of();
    }

    /** Removes the victims that are not needed, the last first. */
    private static void spare(List<Task> victims, Removed removed, long[] missing, PreemptionScope scope) {
        long[] without = missing;
        for (int i = victims.size() - 1; i >= 0 && victims.size() > 1; i--) {
            Task victim = victims.get(i);
            long[] more = Vectors.sum(without, victim.demand(), 1);
            removed.add(victim, -1);
            if (VictimSearch.isNoneMissing(more) && scope.isWithinMaxima(removed)) {
                without = more;
                victims.remove(i);
            } else {
                removed.add(victim, 1);
            }
        }
    }
}
