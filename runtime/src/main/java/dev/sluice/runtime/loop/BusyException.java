package dev.sluice.runtime.loop;

import java.time.Duration;

/** The loop takes nothing in at the moment. Nothing was done. */
public final class BusyException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final Duration retryAfter;

    /** Why. */
    public enum Kind {
        /** More comes in than can be done: the inbox is full. */
        INBOX_FULL,
        /** The journal cannot be written. */
        JOURNAL_STALLED,
        /** It is ending. */
        ENDING,
        /** A question took too many pieces. */
        QUERY_TOO_LARGE
    }

    /** With a message for people, and when it may be worth another try. */
    public BusyException(Kind kind, String message, Duration retryAfter) {
        super(message, null, false, false);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /** Why. */
    public Kind kind() {
        return kind;
    }

    /** When it may be worth another try. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
