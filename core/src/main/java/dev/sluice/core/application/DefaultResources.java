package dev.sluice.core.application;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.util.List;

/**
 * What a task takes that states no resources: one slot, as every task, and one core.
 *
 * <p>In a partition whose nodes all have no cores, such as one whose nodes only count slots, it takes the slot alone: otherwise it could never run
 * there. A task that is to take no core elsewhere states {@code vcore: 0}.
 */
public final class DefaultResources {

    private static final Resources ONE_CORE = Resources.of(ResourceTypes.VCORE, 1000);

    private DefaultResources() {}

    /**
     * What a task takes.
     *
     * @param stated what it states; empty if it states nothing
     * @param withoutCores whether there are nodes and none of them has cores
     */
    public static Resources of(Resources stated, boolean withoutCores) {
        return stated.isEmpty() && !withoutCores ? ONE_CORE : stated;
    }

    /** Whether some of these tasks state no resources and take some. */
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

    /** These tasks, where those that state no resources say what they take. */
    public static List<TaskSpec> complete(List<TaskSpec> tasks, boolean withoutCores) {
        return !isAnyMissing(tasks, withoutCores)
                ? tasks
                : tasks.stream()
                        .map(task -> task.withResources(of(task.resources(), withoutCores)))
                        .toList();
    }
}
