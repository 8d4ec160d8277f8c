package dev.sluice.core.schedule;

import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The equivalence classes of the tasks that are pending in a partition. Each class is one object, so classes are
 * compared by identity.
 */
final class EquivalenceClasses {

    private final Map<EquivalenceClass.Key, EquivalenceClass> equivalenceClasses = new LinkedHashMap<>();
    private final NodeConditions conditions = new NodeConditions();
    private final Map<NodeRanks.Key, NodeRanks> ranks = new HashMap<>();
    private final TaskCounters taskCounters;

    EquivalenceClasses(Partition partition) {
        taskCounters = new TaskCounters(partition);
    }

    /** Returns the equivalence class of the tasks of a group. */
    EquivalenceClass intern(TaskGroup group) {
        return equivalenceClasses.computeIfAbsent(EquivalenceClass.Key.of(group), key -> create(key, group));
    }

    private EquivalenceClass create(EquivalenceClass.Key key, TaskGroup group) {
        List<NodeCondition> needed = NodeCondition.of(key.constraints());
        long mask = conditions.use(needed);
        NodeRanks shared =
                ranks.computeIfAbsent(NodeRanks.Key.of(key.constraints()), ranking -> new NodeRanks(key.constraints()));
        shared.uses++;
        return new EquivalenceClass(
                key,
                group.demand(),
                mask,
                conditions.areIn(mask, needed),
                shared,
                needed.stream().anyMatch(NodeCondition::needsName),
                new TaskRules(key, taskCounters));
    }

    /** Returns the tasks in each topology domain that the rules of classes refer to. */
    TaskCounters taskCounters() {
        return taskCounters;
    }

    /** Returns the conditions on nodes that the classes have. */
    NodeConditions conditions() {
        return conditions;
    }

    /** Returns all classes in use, in the order in which they were first used. */
    List<EquivalenceClass> all() {
        return List.copyOf(equivalenceClasses.values());
    }

    /** Adds one backlog to the number of uses. */
    void use(EquivalenceClass equivalenceClass) {
        equivalenceClass.uses++;
    }

    /** Subtracts one backlog from the number of uses; forgets an unused class. */
    void release(EquivalenceClass equivalenceClass) {
        equivalenceClass.uses--;
        if (equivalenceClass.uses == 0) {
            equivalenceClasses.remove(equivalenceClass.key);
            conditions.release(equivalenceClass.mask);
            equivalenceClass.ranks.uses--;
            if (equivalenceClass.ranks.uses == 0) {
                ranks.remove(NodeRanks.Key.of(equivalenceClass.key.constraints()));
            }
            equivalenceClass.tasks.release();
        }
    }
}
