package dev.sluice.core.explain;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The properties of a task that decide which nodes it fits on. */
record PlacementRequirements(
        Resources resources,
        Constraints constraints,
        @Nullable String node,
        @Nullable TaskGroup limitedPerNode) {

    static PlacementRequirements of(TaskGroup group) {
        return new PlacementRequirements(
                group.kind().resources(),
                group.kind().constraints(),
                group.kind().requiredNode(),
                group.kind().constraints().tasks().perNode() > 0 ? group : null);
    }

    /**
     * Returns the requirements without labels that select nothing: many tasks differ only in them, such as those of a
     * series.
     *
     * @param selected the keys of labels by which others exclude tasks
     */
    static PlacementRequirements of(TaskGroup group, Set<String> selected) {
        PlacementRequirements all = of(group);
        TaskConstraints tasks = all.constraints.tasks();
        if (tasks.labels().isEmpty()) {
            return all;
        }
        Set<String> keys = new HashSet<>(selected);
        tasks.affinity().required().forEach(term -> addKeys(keys, term.selector()));
        tasks.spread().forEach(each -> addKeys(keys, each.selector()));
        SortedMap<String, String> labels = new TreeMap<>(tasks.labels());
        labels.keySet().retainAll(keys);
        return new PlacementRequirements(
                all.resources, all.constraints.withTasks(tasks.withLabels(labels)), all.node, all.limitedPerNode);
    }

    /** Returns the keys of the labels by which these tasks exclude others. */
    static Set<String> selectedLabels(List<Task> excluding) {
        Set<String> keys = new HashSet<>();
        for (Task task : excluding) {
            TaskConstraints constraints = task.kind().constraints().tasks();
            constraints.antiAffinity().required().forEach(term -> addKeys(keys, term.selector()));
        }
        return keys;
    }

    /** Adds the keys of the labels that a selector compares. */
    private static void addKeys(Set<String> keys, LabelSelector selector) {
        selector.matchExpressions().forEach(each -> keys.add(each.key()));
    }
}
