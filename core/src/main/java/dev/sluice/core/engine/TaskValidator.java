package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Validates tasks before they are added to an application. */
final class TaskValidator {

    /** The maximum number of names of a dependency cycle in a message. */
    private static final int CYCLE_NAMES_MAX = 10;

    private TaskValidator() {}

    /**
     * Validates the tasks to add; returns null if they are valid.
     *
     * @param application the application they are added to, or null if it is new
     */
    static @Nullable Refusal validate(Partition partition, @Nullable Application application, List<TaskSpec> tasks) {
        Refusal invalidName = NameValidator.validate(tasks);
        if (invalidName != null) {
            return invalidName;
        }
        Refusal tooMuch = validatePreferences(tasks);
        if (tooMuch != null) {
            return tooMuch;
        }
        boolean alone =
                application == null && tasks.size() == 1 && tasks.get(0).after().isEmpty();
        // a single task, the usual case, cannot conflict with others
        Refusal refusal = alone ? null : validateNames(application, tasks);
        return refusal == null ? validateLimits(partition, application, tasks) : refusal;
    }

    private static @Nullable Refusal validatePreferences(List<TaskSpec> tasks) {
        for (TaskSpec task : tasks) {
            int preferences = task.constraints().nodeAffinity().preferred().size();
            if (preferences > NodeAffinity.PREFERENCES_MAX) {
                return new Refusal(
                        Refusal.Code.TOO_MUCH,
                        "task " + task.name() + " has " + preferences + " preferences: at most "
                                + NodeAffinity.PREFERENCES_MAX + " are allowed");
            }
        }
        return null;
    }

    /** Refuses duplicate names, unknown dependencies and dependency cycles. */
    private static @Nullable Refusal validateNames(@Nullable Application application, List<TaskSpec> tasks) {
        Map<String, TaskSpec> added = new HashMap<>();
        boolean waiting = false;
        for (TaskSpec task : tasks) {
            waiting |= !task.after().isEmpty();
            if (added.put(task.name(), task) != null
                    || (application != null && application.group(task.name()) != null)) {
                return new Refusal(Refusal.Code.DUPLICATE, "duplicate task id " + task.name());
            }
        }
        Refusal refusal = validateIds(application, tasks, added);
        if (refusal == null && waiting) {
            refusal = validateDependencies(application, tasks, added);
            refusal = refusal == null ? validateAcyclic(tasks, added) : refusal;
        }
        return refusal;
    }

    /**
     * Refuses duplicate task ids: a single task {@code t-3} and the fourth task of a group {@code t} have the same id.
     */
    private static @Nullable Refusal validateIds(
            @Nullable Application application, List<TaskSpec> tasks, Map<String, TaskSpec> added) {
        for (TaskSpec task : tasks) {
            int dash = task.name().lastIndexOf('-');
            if (task.count() == TaskSpec.SINGLE && dash > 0) {
                TaskSpec group = added.get(task.name().substring(0, dash));
                boolean taken = application != null && application.find(task.name()) != null;
                if (taken || (group != null && hasTask(group, task.name()))) {
                    return new Refusal(Refusal.Code.DUPLICATE, "duplicate task id " + task.name());
                }
            }
        }
        if (application == null || tasks.stream().allMatch(task -> task.count() == TaskSpec.SINGLE)) {
            return null;
        }
        for (TaskGroup group : application.groups()) {
            if (group.kind().count() == TaskSpec.SINGLE) {
                String name = group.name();
                int dash = name.lastIndexOf('-');
                TaskSpec task = dash < 0 ? null : added.get(name.substring(0, dash));
                if (task != null && hasTask(task, name)) {
                    return new Refusal(Refusal.Code.DUPLICATE, "duplicate task id " + name);
                }
            }
        }
        return null;
    }

    private static boolean hasTask(TaskSpec group, String id) {
        if (group.count() == TaskSpec.SINGLE) {
            return false;
        }
        String digits = id.substring(group.name().length() + 1);
        if (digits.isEmpty() || digits.length() > 8 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return false;
        }
        int index = Integer.parseInt(digits);
        return index < group.size() && group.taskId(index).equals(id);
    }

    private static @Nullable Refusal validateDependencies(
            @Nullable Application application, List<TaskSpec> tasks, Map<String, TaskSpec> added) {
        for (TaskSpec task : tasks) {
            for (String other : task.after().keySet()) {
                if (!added.containsKey(other) && (application == null || application.group(other) == null)) {
                    return new Refusal(
                            Refusal.Code.INVALID,
                            "task " + task.name() + " depends on " + other + ", which does not exist");
                }
            }
        }
        return null;
    }

    /**
     * Refuses dependency cycles (topological sort, Kahn 1962). Existing tasks cannot depend on new ones, so it suffices
     * to check the new ones.
     */
    private static @Nullable Refusal validateAcyclic(List<TaskSpec> tasks, Map<String, TaskSpec> added) {
        Map<String, Integer> awaited = new HashMap<>();
        Map<String, List<String>> dependents = new HashMap<>();
        Deque<String> ready = new ArrayDeque<>();
        for (TaskSpec task : tasks) {
            int count = 0;
            for (String other : task.after().keySet()) {
                if (added.containsKey(other)) {
                    dependents.computeIfAbsent(other, k -> new ArrayList<>()).add(task.name());
                    count++;
                }
            }
            awaited.put(task.name(), count);
            if (count == 0) {
                ready.add(task.name());
            }
        }
        Set<String> free = new HashSet<>();
        while (!ready.isEmpty()) {
            String name = ready.remove();
            free.add(name);
            for (String dependent : dependents.getOrDefault(name, List.of())) {
                if (awaited.merge(dependent, -1, Integer::sum) == 0) {
                    ready.add(dependent);
                }
            }
        }
        for (TaskSpec task : tasks) {
            if (!free.contains(task.name())) {
                return new Refusal(Refusal.Code.INVALID, "cyclic task dependencies: " + cycle(task, added, free));
            }
        }
        return null;
    }

    /** Returns the names along a cycle that this task is in or leads to, shortened if there are many. */
    private static String cycle(TaskSpec start, Map<String, TaskSpec> added, Set<String> free) {
        Set<String> path = new LinkedHashSet<>();
        String name = start.name();
        while (path.add(name)) {
            TaskSpec task = added.get(name);
            if (task == null) {
                break;
            }
            for (String other : task.after().keySet()) {
                if (added.containsKey(other) && !free.contains(other)) {
                    name = other;
                    break;
                }
            }
        }
        List<String> cycle = new ArrayList<>(path);
        cycle = cycle.subList(cycle.indexOf(name), cycle.size());
        int left = Math.max(0, cycle.size() - CYCLE_NAMES_MAX);
        String shown = String.join(" → ", cycle.subList(0, cycle.size() - left));
        return shown + (left == 0 ? "" : " → … (" + left + " more)") + " → " + name;
    }

    private static @Nullable Refusal validateLimits(
            Partition partition, @Nullable Application application, List<TaskSpec> tasks) {
        long count = application == null ? 0 : application.unallocated() + application.boundTasks();
        for (TaskSpec task : tasks) {
            count += task.size();
        }
        Resources requested = requested(tasks);
        if (count > SchedulerLimits.APPLICATION_TASKS_MAX) {
            return tooMuch(SchedulerLimits.APPLICATION_TASKS_MAX + " unfinished tasks per application");
        }
        if (!partition.canAddResourceTypes(requested.amounts().keySet())) {
            return tooMuch(SchedulerLimits.RESOURCE_TYPES_MAX + " resource types per partition");
        }
        if (!partition.canAdd(partition.demanded(), requested, 1)) {
            return tooMuch(SchedulerLimits.SUM_MAX + " base units of a resource per partition");
        }
        return null;
    }

    private static Resources requested(List<TaskSpec> tasks) {
        if (tasks.size() == 1) { // the usual case
            return tasks.get(0).resources().times(tasks.get(0).size());
        }
        SortedMap<String, Amount> sums = new TreeMap<>();
        for (TaskSpec task : tasks) {
            task.resources()
                    .amounts()
                    .forEach((type, amount) -> sums.merge(type, amount.times(task.size()), Amount::plus));
        }
        return Resources.of(sums);
    }

    /** Validates the new resources of tasks; returns null if they are valid. */
    static @Nullable Refusal validateUpdate(Partition partition, Application application, ApplicationUpdate update) {
        NodeAffinity affinity = update.nodeAffinity();
        TaskSpec changed = TaskSpec.single("t", update.resources());
        List<TaskSpec> named = List.of(
                affinity == null ? changed : changed.withConstraints(Constraints.NONE.withNodeAffinity(affinity)));
        Refusal invalidName = NameValidator.validate(named);
        Refusal refusal = invalidName == null ? validatePreferences(named) : invalidName;
        if (refusal != null || update.resources().isEmpty()) {
            return refusal;
        }
        long tasks = application.groups().stream()
                .filter(group -> group.isUpdatedBy(update))
                .mapToLong(TaskGroup::unallocated)
                .sum();
        if (!partition.canAddResourceTypes(update.resources().amounts().keySet())) {
            return tooMuch(SchedulerLimits.RESOURCE_TYPES_MAX + " resource types per partition");
        }
        return partition.canAdd(partition.demanded(), update.resources(), Math.max(1, tasks))
                ? null
                : tooMuch(SchedulerLimits.SUM_MAX + " base units of a resource per partition");
    }

    private static Refusal tooMuch(String limit) {
        return new Refusal(Refusal.Code.TOO_MUCH, "these tasks would exceed the limit of " + limit);
    }
}
