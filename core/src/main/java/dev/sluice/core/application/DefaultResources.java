package dev.sluice.core.application;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.util.List;

/**
 * The default resources of a task that requests none: one slot, like every task, and one core.
 *
 * <p>If no node of the partition has cores, for example because its nodes only count slots, the default is the slot
 * alone: otherwise the task could never run there. A task that needs no core elsewhere requests {@code vcore: 0}.
 */
public final class DefaultResources {

    private static final Resources ONE_CORE = Resources.of(ResourceTypes.VCORE, 1000);

    private DefaultResources() {}

    /**
     * Returns the requested resources, or the default.
     *
     * @param stated the requested resources; empty if none are requested
     * @param withoutCores whether the partition has nodes and none of them has cores
     */
    public static Resources of(Resources stated, boolean withoutCores) {
        return stated.isEmpty() && !withoutCores ? ONE_CORE : stated;
    }

    /** Whether any of these tasks requests no resources and gets a default other than nothing. */
    public static boolean isAnyMissing(List<TaskSpec> tasks, boolean withoutCores) {
        if (withoutCores) {
            return false;
        }
        for (TaskSpec task : tasks) {
            if (task.resources().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Returns these tasks with defaults filled in. */
    public static List<TaskSpec> complete(List<TaskSpec> tasks, boolean withoutCores) {
        return !isAnyMissing(tasks, withoutCores)
                ? tasks
                : tasks.stream()
                        .map(task -> task.withResources(of(task.resources(), withoutCores)))
                        .toList();
    }
}
