package dev.sluice.runtime.journal;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is kept beside the events for people to look up later, written in the same transaction as the batch that it follows from. */
public sealed interface HistoryRecord {

    /** What is kept of one event, and written with it. */
    sealed interface OfEvent extends HistoryRecord {

        /** The sequence number of the event: unique among what is kept of its kind, and ascending in the order of the events. */
        long sequence();
    }

    /**
     * What was answered to a request that names itself, so that the same request, sent again, gets the same answer and does nothing.
     *
     * @param key how the request names itself
     * @param fingerprint a digest of the request: another request under the same key is refused
     * @param status the HTTP status of the answer
     * @param answer the answer
     */
    record IdempotencyRecord(String key, String fingerprint, int status, String answer, Instant at)
            implements HistoryRecord {}

    /**
     * An application that has ended, as it was then.
     *
     * @param sequence the sequence number of the event with which it ended
     * @param state Completed, Failed or Rejected
     * @param reason why it came into this state; may be empty
     * @param queue the path of its queue; empty if no queue took it
     * @param document all about it, as JSON
     */
    record FinishedApplication(
            long sequence,
            String partition,
            String id,
            String name,
            String queue,
            String user,
            ApplicationState state,
            String reason,
            Instant submitted,
            Instant ended,
            String document)
            implements OfEvent {}

    /**
     * What became of one run of a task, or that a task was dropped before it ever ran again.
     *
     * @param sequence the sequence number of the event with which it ended
     * @param application the id of its application
     * @param submitted when that was submitted, since ids are used again
     * @param task the id of the task; the name of a specification where all of its tasks were dropped that held no place
     * @param attempt which run it was, from 1; 0 for what was dropped
     * @param node where it ran; null for what was dropped
     * @param placed when it was given its place; null for what was dropped
     * @param started when it was reported as started, or null
     * @param exitCode what its process answered, or null
     * @param detail what else is known, for people; may be empty
     * @param again whether the task was pending again after that
     */
    record TaskEnd(
            long sequence,
            String partition,
            String application,
            Instant submitted,
            String task,
            int attempt,
            @Nullable String node,
            @Nullable Instant placed,
            @Nullable Instant started,
            Instant ended,
            TaskOutcome outcome,
            @Nullable Integer exitCode,
            String detail,
            boolean again)
            implements OfEvent {}

    /**
     * A configuration that came to hold.
     *
     * @param revision counts from 1
     * @param actor who brought it about; may be empty
     * @param note what they said about it; may be empty
     * @param text all partitions, as a {@code queues.yaml}
     */
    record ConfigurationRevision(long revision, String actor, String note, String text, Instant at)
            implements HistoryRecord {}
}
