package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationState;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of an application in a local run.
 *
 * @param partition the partition
 * @param application the id of the application
 * @param queue its queue; empty if no queue was assigned
 * @param user who submitted it
 * @param state its state
 * @param reason the reason for the state; empty if it is self-explanatory
 * @param tasks the number of tasks
 * @param succeeded the number of tasks that succeeded
 * @param failed the number of tasks that failed permanently
 * @param stopped the number of tasks that were stopped or never ran
 * @param submitted when the application was submitted
 * @param firstPlaced when its first task was allocated, or null
 * @param lastEnded when its last task ended, or null
 * @param exitCodes the number of runs by exit code
 * @param firstFailure the task that failed first, or null
 * @param results every task that was started, in the order in which they ended
 */
public record ApplicationResult(
        String partition,
        String application,
        String queue,
        String user,
        ApplicationState state,
        String reason,
        long tasks,
        long succeeded,
        long failed,
        long stopped,
        Instant submitted,
        @Nullable Instant firstPlaced,
        @Nullable Instant lastEnded,
        SortedMap<Integer, Integer> exitCodes,
        @Nullable TaskResult firstFailure,
        List<TaskResult> results) {

    public ApplicationResult {
        exitCodes = Collections.unmodifiableSortedMap(new TreeMap<>(exitCodes));
        results = List.copyOf(results);
    }
}
