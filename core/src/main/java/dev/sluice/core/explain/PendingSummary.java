package dev.sluice.core.explain;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.TaskGroup;
import java.util.List;

/**
 * The tasks of one application that wait for the same reason.
 *
 * @param application the application
 * @param groups the groups of tasks, in creation order; possibly truncated
 * @param tasks the number of tasks
 * @param reason why they wait
 */
public record PendingSummary(Application application, List<TaskGroup> groups, long tasks, WaitReason reason) {

    public PendingSummary {
        groups = List.copyOf(groups);
    }
}
