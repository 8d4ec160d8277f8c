package dev.sluice.core.schedule;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.share.Reclaim;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tasks to preempt for a pending task among the loans that one parent may reclaim.
 *
 * <p>Loaned tasks are tried from the most recently started one on. On the node of a task, the most recently started
 * loaned tasks become victims until the pending task fits. Then victims without which it still fits are spared, oldest
 * first. The first node where this works is used.
 *
 * <p>For speed, the search remembers for each equivalence class the nodes that are too small even without all their
 * loaned tasks. As long as no other search preempts tasks, a node can only offer less, so all searches for one class
 * together try each task in vain at most once. Nodes where only a reservation is in the way are not remembered.
 */
final class VictimSearch {

    private final Reclaim reclaim;
    private final boolean exceedsPlan;
    private final Backfill backfill;
    private final Map<Node, List<Task>> loanedTasksOn = new HashMap<>();
    private final Map<EquivalenceClass, Tried> tried = new HashMap<>();

    /** What is known for one equivalence class. */
    private static final class Tried {
        private final Set<Node> tooSmall = new HashSet<>();

        /** The first task that is not known to be useless. */
        private int firstUseful;
    }

    /**
     * Creates a search among the loans that a parent plans to reclaim, or among all its loans.
     *
     * @param exceedsPlan whether to search among all loans
     * @param backfill who may use reserved nodes; none are preempted where only a reservation is in the way
     */
    VictimSearch(Reclaim reclaim, boolean exceedsPlan, Backfill backfill) {
        this.reclaim = reclaim;
        this.exceedsPlan = exceedsPlan;
        this.backfill = backfill;
        for (Task task : reclaim.reclaimable()) {
            loanedTasksOn
                    .computeIfAbsent(task.node(), node -> new ArrayList<>())
                    .add(task);
        }
    }

    /** Forgets what is known about nodes, after another search has preempted tasks. */
    void forget() {
        tried.clear();
    }

    /** Returns the tasks to preempt for a task, or null if there are none. */
    @Nullable Preemption find(Candidate candidate) {
        EquivalenceClass equivalenceClass = candidate.backlog.equivalenceClass;
        List<Task> loanedTasks = reclaim.reclaimable();
        Tried known = equivalenceClass.tasks.isActive()
                ? new Tried() // where other tasks permit it changes with each allocation
                : tried.computeIfAbsent(equivalenceClass, key -> new Tried());
        boolean allUseless = true;
        for (int i = known.firstUseful; i < loanedTasks.size(); i++) {
            Task task = loanedTasks.get(i);
            if (backfill.isRefused(task.node(), equivalenceClass.demand)) {
                allUseless = false; // until the reservation ends
            } else if (reclaim.mayPreempt(task, exceedsPlan) && !known.tooSmall.contains(task.node())) {
                List<Task> victims = victimsOn(task.node(), equivalenceClass);
                if (victims.isEmpty()) {
                    known.tooSmall.add(task.node());
                } else if (reclaim.mayPreempt(victims, exceedsPlan)
                        && isWithinMaxima(equivalenceClass.demand, victims)
                        && keepGuarantees(candidate, victims)) {
                    return Preemption.reclaiming(task.node(), victims, reclaim, exceedsPlan);
                } else {
                    allUseless = false;
                }
            }
            if (allUseless) {
                known.firstUseful = i + 1;
            }
        }
        return null;
    }

    /**
     * Returns a minimal list of loaned tasks on this node without which a task of this class fits; empty if it would
     * not fit anyway.
     */
    private List<Task> victimsOn(Node node, EquivalenceClass equivalenceClass) {
        if (!mayRunOn(node, equivalenceClass)) {
            return List.of();
        }
        long[] missing = missing(node, equivalenceClass.demand);
        List<Task> victims = new ArrayList<>();
        for (Task task : loanedTasksOn.getOrDefault(node, List.of())) {
            if (reclaim.mayPreempt(task, exceedsPlan) && !isNeeded(task, equivalenceClass)) {
                victims.add(task);
                missing = Vectors.sum(missing, task.demand(), -1);
                if (isNoneMissing(missing)) {
                    return withoutSpared(victims, missing);
                }
            }
        }
        return List.of();
    }

    /**
     * Returns whether the constraints of a class permit the node, whatever is free there. Victims count until they have
     * ended, so none is preempted because it excludes the pending task.
     */
    static boolean mayRunOn(Node node, EquivalenceClass equivalenceClass) {
        boolean mayRun = equivalenceClass.requiredNode() == null
                || equivalenceClass.requiredNode().equals(node.name());
        TaskRules tasks = equivalenceClass.tasks;
        return mayRun && equivalenceClass.mayRunOn(node) && (!tasks.isActive() || tasks.permits(node));
    }

    /** Returns whether tasks of a class must be beside this task. */
    static boolean isNeeded(Task task, EquivalenceClass equivalenceClass) {
        return equivalenceClass.tasks.needs(task.kind().constraints().tasks());
    }

    /** Returns how much of each type the node lacks for this demand; 0 or negative where it has enough. */
    static long[] missing(Node node, long[] demand) {
        long[] missing = new long[demand.length];
        for (int type = 0; type < demand.length; type++) {
            boolean unlimited = type == ResourceTypes.SLOTS_INDEX && !node.declaresSlots();
            missing[type] = unlimited || demand[type] == 0
                    ? 0
                    : demand[type] - Vectors.at(node.capacityVector(), type) + Vectors.at(node.allocated(), type);
        }
        return missing;
    }

    static boolean isNoneMissing(long[] missing) {
        for (long amount : missing) {
            if (amount > 0) {
                return false;
            }
        }
        return true;
    }

    private static List<Task> withoutSpared(List<Task> victims, long[] missing) {
        long[] without = missing;
        for (int i = victims.size() - 1; i >= 0 && victims.size() > 1; i--) {
            long[] more = Vectors.sum(without, victims.get(i).demand(), 1);
            if (isNoneMissing(more)) {
                without = more;
                victims.remove(i);
            }
        }
        return victims;
    }

    /** Returns whether no queue falls below its guaranteed resources if the candidate replaces the victims. */
    private static boolean keepGuarantees(Candidate candidate, List<Task> victims) {
        Removed removed = new Removed();
        victims.forEach(victim -> removed.add(victim, 1));
        return removed.keepsGuarantees(candidate.application().queue(), candidate.demand());
    }

    /**
     * Returns whether the parent and the queues above stay within their maxima when a task with this demand replaces
     * the victims.
     */
    private boolean isWithinMaxima(long[] demand, List<Task> victims) {
        long[] change = demand.clone();
        for (Task victim : victims) {
            change = Vectors.sum(change, victim.demand(), -1);
        }
        for (Queue queue = reclaim.parent(); queue != null; queue = queue.parent()) {
            for (int type = 0; type < change.length; type++) {
                long headroom = Vectors.limitAt(queue.max(), type) - Vectors.at(queue.allocated(), type);
                if (Vectors.at(demand, type) > 0 && change[type] > headroom) {
                    return false;
                }
            }
        }
        return true;
    }
}
