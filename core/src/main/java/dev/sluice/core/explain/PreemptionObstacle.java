package dev.sluice.core.explain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Why a waiting task that is below its guarantee, or may preempt by priority, has not preempted others.
 *
 * @param kind the kind
 * @param queue the queue that prevents it; null for other kinds
 * @param until when it is over, if that is known, else null
 * @param tasks the number of tasks concerned; 0 for kinds without
 */
public record PreemptionObstacle(
        Kind kind, @Nullable String queue, @Nullable Instant until, long tasks) {

    /** The kinds. */
    public enum Kind {
        /** Preemption is off in the partition. */
        OFF("off"),
        /** The preemption policy of a queue is {@code disabled}. */
        DISABLED("disabled"),
        /** The application has not waited for the delay. */
        DELAY("delay"),
        /** The tasks that it could preempt are protected. */
        PROTECTED("protected"),
        /** It may preempt only tasks below a fenced queue, and there are none that qualify. */
        FENCE("fence"),
        /** No task qualifies: all are within guarantees or of higher priority. */
        NO_VICTIMS("no-victims"),
        /** Tasks qualify, but preempting them would not make it fit. */
        IN_VAIN("in-vain"),
        /** Nothing: the next cycle may preempt tasks for it. */
        NONE("next-cycle");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /** The name in the API. */
        public String wireName() {
            return wireName;
        }
    }

    /** The obstacle in words, to follow a reason. */
    public String detail() {
        return switch (kind) {
            case OFF -> "preempts nothing: preemption is off in the partition";
            case DISABLED -> "preempts nothing: preemption is disabled in queue " + queue;
            case DELAY -> "preempts nothing before " + shown();
            case PROTECTED ->
                "preempts nothing: " + count() + (tasks == 1 ? " is" : " are") + " protected"
                        + (until == null ? "" : ", the first until " + shown());
            case FENCE -> "preempts nothing: no task qualifies below queue " + queue + ", which is a fence";
            case NO_VICTIMS -> "preempts nothing: all tasks are within guarantees or of higher priority";
            case IN_VAIN -> "preempts nothing: it would not fit in place of the " + count() + " that may be preempted";
            case NONE -> "may preempt others in the next cycle";
        };
    }

    private String count() {
        return tasks == 1 ? "1 task" : tasks + " tasks";
    }

    private String shown() {
        return until == null ? "" : until.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
