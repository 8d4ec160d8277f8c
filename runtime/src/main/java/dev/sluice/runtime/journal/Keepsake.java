package dev.sluice.runtime.journal;

import dev.sluice.core.application.ApplicationState;
import java.time.Instant;

/** What is kept beside the events for people to look up later, written in the same transaction as the batch that it follows from. */
public sealed interface Keepsake {

    /**
     * What was answered to a request that names itself, so that the same request, sent again, gets the same answer and does nothing.
     *
     * @param key how the request names itself
     * @param fingerprint a digest of the request: another request under the same key is refused
     * @param status the HTTP status of the answer
     * @param answer the answer
     */
    record Receipt(String key, String fingerprint, int status, String answer, Instant at) implements Keepsake {}

    /**
     * An application that has ended, as it was then.
     *
     * @param sequence the sequence number of the event with which it ended: unique, and ascending in the order of ending
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
            implements Keepsake {}

    /**
     * A configuration that came to hold.
     *
     * @param revision counts from 1
     * @param actor who brought it about; may be empty
     * @param note what they said about it; may be empty
     * @param text all partitions, as a {@code queues.yaml}
     */
    record ConfigurationRevision(long revision, String actor, String note, String text, Instant at)
            implements Keepsake {}
}
