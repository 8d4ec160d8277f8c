package dev.sluice.core.engine;

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

/** Whether tasks may be added to an application. */
final class TaskValidator {

    /** The most names of a circle that a refusal tells. */
    private static final int CYCLE_NAMES_MAX = 10;

    private TaskValidator() {}

    /** Why these tasks cannot be added, or null. The application is null if it is new. */
    static @Nullable Refusal refuse(Partition partition, @Nullable Application application, List<TaskSpec> tasks) {
        Refusal unprintable = NameValidator.refuse(tasks);
        if (unprintable != null) {
            return unprintable;
        }
        boolean alone =
                application == null && tasks.size() == 1 && tasks.get(0).after().isEmpty();
        Refusal refusal = alone ? null : refuseNames(application, tasks); // one alone, as most are, is in nobody's way
        return refusal == null ? refuseTooMuch(partition, application, tasks) : refusal;
    }

    /** Whether names are there twice, or refer to what is not there or to each other in a circle. */
    private static @Nullable Refusal refuseNames(@Nullable Application application, List<TaskSpec> tasks) {
        Map<String, TaskSpec> added = new HashMap<>();
        boolean waiting = false;
        for (TaskSpec task : tasks) {
            waiting |= !task.after().isEmpty();
            if (added.put(task.name(), task) != null
                    || (application != null && application.group(task.name()) != null)) {
                return new Refusal(Refusal.Code.DUPLICATE, "task " + task.name() + " is there twice");
            }
        }
        Refusal refusal = refuseOverlaps(application, tasks, added);
        if (refusal == null && waiting) {
            refusal = refuseUnknown(application, tasks, added);
            refusal = refusal == null ? refuseCycle(tasks, added) : refusal;
        }
        return refusal;
    }

    /** A task named t-3 and a group t of more than three would have the same id. */
    private static @Nullable Refusal refuseOverlaps(
            @Nullable Application application, List<TaskSpec> tasks, Map<String, TaskSpec> added) {
        for (TaskSpec task : tasks) {
            int dash = task.name().lastIndexOf('-');
            if (task.count() == TaskSpec.SINGLE && dash > 0) {
                TaskSpec group = added.get(task.name().substring(0, dash));
                boolean taken = application != null && application.find(task.name()) != null;
                if (taken || (group != null && hasTask(group, task.name()))) {
                    return new Refusal(Refusal.Code.DUPLICATE, "task " + task.name() + " is there twice");
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
                    return new Refusal(Refusal.Code.DUPLICATE, "task " + name + " is there twice");
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

    private static @Nullable Refusal refuseUnknown(
            @Nullable Application application, List<TaskSpec> tasks, Map<String, TaskSpec> added) {
        for (TaskSpec task : tasks) {
            for (String other : task.after().keySet()) {
                if (!added.containsKey(other) && (application == null || application.group(other) == null)) {
                    return new Refusal(
                            Refusal.Code.INVALID,
                            "task " + task.name() + " waits for " + other + ", which is not there");
                }
            }
        }
        return null;
    }

    /** What was there before cannot wait for what is added, so only the added tasks can wait in a circle. */
    private static @Nullable Refusal refuseCycle(List<TaskSpec> tasks, Map<String, TaskSpec> added) {
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
                return new Refusal(
                        Refusal.Code.INVALID, "tasks wait for each other in a circle: " + circle(task, added, free));
            }
        }
        return null;
    }

    /** The names along a circle that this task is in or leads to, those in the middle left out if there are many. */
    private static String circle(TaskSpec start, Map<String, TaskSpec> added, Set<String> free) {
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
        List<String> circle = new ArrayList<>(path);
        circle = circle.subList(circle.indexOf(name), circle.size());
        int left = Math.max(0, circle.size() - CYCLE_NAMES_MAX);
        String shown = String.join(" → ", circle.subList(0, circle.size() - left));
        return shown + (left == 0 ? "" : " → … (" + left + " more)") + " → " + name;
    }

    private static @Nullable Refusal refuseTooMuch(
            Partition partition, @Nullable Application application, List<TaskSpec> tasks) {
        long count = application == null ? 0 : application.unallocated() + application.boundTasks();
        SortedMap<String, Amount> sums = new TreeMap<>();
        for (TaskSpec task : tasks) {
            int size = task.size();
            count += size;
            task.resources().amounts().forEach((type, amount) -> sums.merge(type, amount.times(size), Amount::plus));
        }
        Resources asked = Resources.of(sums);
        if (count > SchedulerLimits.APPLICATION_TASKS_MAX) {
            return tooMuch("more than " + SchedulerLimits.APPLICATION_TASKS_MAX + " tasks that have not ended");
        }
        if (!partition.canAddResourceTypes(asked.amounts().keySet())) {
            return tooMuch(
                    "more than " + SchedulerLimits.RESOURCE_TYPES_MAX + " different resource types in the partition");
        }
        if (!partition.canAdd(partition.demanded(), asked, 1)) {
            return tooMuch("more than " + SchedulerLimits.SUM_MAX + " base units of a resource in the partition");
        }
        return null;
    }

    private static Refusal tooMuch(String what) {
        return new Refusal(Refusal.Code.TOO_MUCH, "with these tasks there would be " + what);
    }
}
