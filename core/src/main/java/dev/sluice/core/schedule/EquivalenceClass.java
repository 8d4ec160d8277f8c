package dev.sluice.core.schedule;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import org.jspecify.annotations.Nullable;

/**
 * An equivalence class of tasks: the same resources, priority and constraints. What the scheduler finds out for one
 * task of a class holds for all of them.
 */
final class EquivalenceClass {

    final Key key;
    final long[] demand;
    final long mask;

    /** Whether all nodes with this mask meet all conditions. */
    final boolean maskSuffices;

    final NodeRanks ranks;

    /** Whether nodes with the same labels and taints may differ for these tasks. */
    final boolean needsName;

    /** Which nodes it may run on because of other tasks. */
    final TaskRules tasks;

    private final int priority;

    /** The prepared search for a node, reused by all searches of this class. */
    NodeOrder.@Nullable Search search;

    /** The number of backlogs of this class. The class is forgotten when it reaches 0. */
    int uses;

    /** The number of the last cycle in which no node fitted this class, or -1. */
    long cycleWithoutCapacity = -1;

    /**
     * The generation of nodes for which {@link #feasible} and {@link #feasibleOnReadyNodes} were determined; see
     * {@link NodeClasses}.
     */
    long checkedGeneration = -1;

    boolean feasible;
    boolean feasibleOnReadyNodes;

    /** The maximum number of its tasks that fitted on all nodes together when last counted, or -1. */
    long knownTasks = -1;

    /** When {@link #knownTasks} was counted, as an instant of {@link CapacityGrowth}. */
    long knownTasksAt;

    /** What {@link TaskRules#easings} returned when {@link #knownTasks} was counted. */
    long knownEasings;

    /** The instant of {@link CapacityGrowth} for which {@link #moreTasks} holds, or -1. */
    long moreTasksAt = -1;

    /** The maximum number of its tasks that may fit in addition to {@link #knownTasks}. */
    long moreTasks;

    /** The generation of {@link StartSearch} for which {@link #startsEver} holds, or -1. */
    long startsGeneration = -1;

    /** Whether a node that is not reserved was expected to hold a task of this class at some time. */
    boolean startsEver;

    /** The run that was last found to free as much as a task needs, or null. */
    @Nullable Task freeing;

    /** The cycle for which {@link #rankMax} holds, or -1. */
    long cycleOfRankMax = -1;

    /** The highest rank of which a node may still fit, in this cycle. */
    long rankMax = Long.MAX_VALUE;

    /** The number of nodes that searches for {@link #rankMax} have visited before they found one. */
    long visitedInVain;

    /** Creates a class whose conditions have the bits of this mask. */
    EquivalenceClass(
            Key key,
            long[] demand,
            long mask,
            boolean maskSuffices,
            NodeRanks ranks,
            boolean needsName,
            TaskRules tasks) {
        this.key = key;
        this.demand = demand;
        this.mask = mask;
        this.maskSuffices = maskSuffices;
        this.ranks = ranks;
        this.needsName = needsName;
        this.tasks = tasks;
        this.priority = key.priority;
    }

    int priority() {
        return priority;
    }

    @Nullable String requiredNode() {
        return key.requiredNode;
    }

    /** Returns whether the constraints permit the node, whatever tasks are allocated. */
    boolean mayRunOn(Node node) {
        return key.constraints.permits(node.name(), node.labels(), node.taints());
    }

    /**
     * What tasks of the same class have in common.
     *
     * @param group the group of the tasks if their number per node is limited, otherwise null
     */
    record Key(
            Resources resources,
            int priority,
            Constraints constraints,
            @Nullable String requiredNode,
            @Nullable TaskGroup group) {

        static Key of(TaskGroup group) {
            TaskKind kind = group.kind();
            boolean alone = kind.constraints().tasks().perNode() > 0;
            return new Key(
                    kind.resources(), kind.priority(), kind.constraints(), kind.requiredNode(), alone ? group : null);
        }
    }
}
