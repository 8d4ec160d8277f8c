package dev.sluice.runtime.journal;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.executor.MeasuredUse;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A record kept beside the events for later queries, written in the same transaction as the batch it results from. */
public sealed interface HistoryRecord {

    /** A record derived from one event, and written with it. */
    sealed interface OfEvent extends HistoryRecord {

        /**
         * Returns the sequence number of the event: unique among the records of a kind, and ascending in the order of
         * events.
         */
        long sequence();
    }

    /**
     * The response to a request with an idempotency key, so that the same request, sent again, gets the same response
     * and has no effect.
     *
     * @param key the idempotency key
     * @param fingerprint a digest of the request; a different request with the same key is refused
     * @param status the HTTP status of the response
     * @param answer the body of the response
     */
    record IdempotencyRecord(String key, String fingerprint, int status, String answer, Instant at)
            implements HistoryRecord {}

    /**
     * An application as of when it ended.
     *
     * @param sequence the sequence number of the event with which it ended
     * @param state Completed, Failed or Rejected
     * @param reason the reason for this state; may be empty
     * @param queue the path of its queue; empty if no queue was assigned
     * @param document all details, as JSON
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
     * An application that was forgotten on request: finished ones of its user with this id are removed from the
     * history.
     *
     * @param id the id of the application
     * @param user its user
     * @param at when it was forgotten; those that ended later are kept
     */
    record ForgottenApplication(String partition, String id, String user, Instant at) implements HistoryRecord {}

    /**
     * The end of one run of a task, or the drop of a task that will not run again.
     *
     * @param sequence the sequence number of the event with which it ended
     * @param application the id of its application
     * @param submitted when the application was submitted, because ids are reused
     * @param task the id of the task, or the name of the task group if all its unallocated tasks were dropped
     * @param attempt the number of the run, from 1; 0 for a drop
     * @param node the node it ran on; null for a drop
     * @param placed when it was allocated; null for a drop
     * @param started when its start was reported, or null
     * @param exitCode the exit code of its process, or null
     * @param detail a human-readable detail; may be empty
     * @param again whether the task became pending again
     * @param stopReason why it was stopped, or null if it ended by itself
     * @param beneficiary the task it was preempted for; null if it was not, or if that is not known
     * @param resources what it was allocated, in base units; null for a drop, or if that is not known
     * @param measured what it used
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
            boolean again,
            @Nullable StopReason stopReason,
            @Nullable Beneficiary beneficiary,
            @Nullable SortedMap<String, Long> resources,
            MeasuredUse measured)
            implements OfEvent {

        /** Creates an end without its resources, and without anything measured. */
        public TaskEnd(
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
                boolean again,
                @Nullable StopReason stopReason,
                @Nullable Beneficiary beneficiary) {
            this(
                    sequence,
                    partition,
                    application,
                    submitted,
                    task,
                    attempt,
                    node,
                    placed,
                    started,
                    ended,
                    outcome,
                    exitCode,
                    detail,
                    again,
                    stopReason,
                    beneficiary,
                    null,
                    MeasuredUse.NONE);
        }

        /** Returns a copy with these resources and this use. */
        public TaskEnd withUse(SortedMap<String, Long> newResources, MeasuredUse newMeasured) {
            return new TaskEnd(
                    sequence,
                    partition,
                    application,
                    submitted,
                    task,
                    attempt,
                    node,
                    placed,
                    started,
                    ended,
                    outcome,
                    exitCode,
                    detail,
                    again,
                    stopReason,
                    beneficiary,
                    newResources,
                    newMeasured);
        }
    }

    /**
     * The task for which another one was preempted.
     *
     * @param queue the path of its leaf queue at that time
     * @param application the id of its application
     * @param task the id of the task
     */
    record Beneficiary(String queue, String application, String task) {}

    /**
     * What a run of a task used: written when its resources are released, which is at its end or, if it is preempted
     * for other tasks, before it. The end of a preempted run is a record of its own, which uses nothing.
     *
     * @param sequence the sequence number of the event that released the resources
     * @param account who used what
     * @param node the node
     * @param placed when it was allocated
     * @param released when its resources were released
     * @param waited from the submission of the application to the first allocation of the task; null for later runs,
     *     tasks that depend on others and applications with start conditions
     * @param cpuTime the processor time that it had used until then, or null if that is not known
     */
    record RunUsage(
            long sequence,
            RunAccount account,
            String node,
            Instant placed,
            Instant released,
            @Nullable Duration waited,
            RunEnd end,
            @Nullable Duration cpuTime)
            implements OfEvent {

        /** Creates the usage of a run that was not measured. */
        public RunUsage(
                long sequence,
                RunAccount account,
                String node,
                Instant placed,
                Instant released,
                @Nullable Duration waited,
                RunEnd end) {
            this(sequence, account, node, placed, released, waited, end, null);
        }
    }

    /**
     * A configuration that was applied.
     *
     * @param revision counts from 1
     * @param actor who applied it; may be empty
     * @param note their comment; may be empty
     * @param text all partitions, in the format of {@code queues.yaml}
     */
    record ConfigurationRevision(long revision, String actor, String note, String text, Instant at)
            implements HistoryRecord {}

    /**
     * A notification that waits for its delivery in the {@link NotificationOutbox}.
     *
     * @param sequence the sequence number of the event it is about, or {@link #NO_EVENT}
     * @param target the name of the target
     * @param id the id, the same for all targets
     * @param at when it was decided
     * @param content what is sent, as JSON
     */
    record Notification(long sequence, String target, String id, Instant at, String content) implements OfEvent {

        /** The sequence number of notifications that are about no event; it is after that of any event. */
        public static final long NO_EVENT = Long.MAX_VALUE;
    }
}
