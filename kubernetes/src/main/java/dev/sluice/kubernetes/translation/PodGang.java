package dev.sluice.kubernetes.translation;

import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import java.util.List;

/**
 * A gang that a pod declares for its application.
 *
 * @param gang the minimum number of members by task group, style and timeout
 * @param tasks one specification for each task group
 */
public record PodGang(Gang gang, List<TaskSpec> tasks) {

    /** Copies the list. */
    public PodGang {
        tasks = List.copyOf(tasks);
    }
}
