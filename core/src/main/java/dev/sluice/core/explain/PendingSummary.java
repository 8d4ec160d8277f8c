package dev.sluice.core.explain;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.TaskGroup;
import java.util.List;

/**
 * Tasks of one application that wait for the same reason.
 *
 * @param application the application
 * @param groups the tasks by specification, in the order of creation; perhaps only the first ones
 * @param tasks how many tasks that are
 * @param reason why they wait
 */
public record PendingSummary(Application application, List<TaskGroup> groups, long tasks, WaitReason reason) {

    /** Copies the list. */
    public PendingSummary {
        groups = List.copyOf(groups);
    }
}
