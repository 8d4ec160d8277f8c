package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationState;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What became of an application.
 *
 * @param partition the partition
 * @param application the application's id
 * @param queue the queue it was in; empty if none took it
 * @param user who submitted it
 * @param state where it is in its life
 * @param reason why it came into that state; empty if that is plain
 * @param tasks how many tasks it had
 * @param succeeded how many ended well
 * @param failed how many failed for good
 * @param stopped how many were stopped or never ran
 * @param submitted when it was submitted
 * @param firstPlaced when its first task was given a place, or null
 * @param lastEnded when its last task ended, or null
 * @param exitCodes how often tasks answered with each exit code, all runs counted
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

    /** Copies the collections. */
    public ApplicationResult {
        exitCodes = Collections.unmodifiableSortedMap(new TreeMap<>(exitCodes));
        results = List.copyOf(results);
    }
}
