package dev.sluice.runtime.host;

import java.time.Duration;

/** Thrown when the host rejects a transaction without executing it, or a query takes too many steps. */
public final class BusyException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final Duration retryAfter;

    /** Why the host is busy. */
    public enum Kind {
        /** The inbox is full: transactions arrive faster than they are processed. */
        INBOX_FULL,
        /** The journal cannot be written. */
        JOURNAL_STALLED,
        /** The host is shutting down. */
        SHUTTING_DOWN,
        /** A query took too many steps. */
        QUERY_TOO_LARGE
    }

    /**
     * Creates an exception.
     *
     * @param message a human-readable message
     * @param retryAfter the suggested delay before a retry
     */
    public BusyException(Kind kind, String message, Duration retryAfter) {
        super(message, null, false, false);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /** Returns why the host is busy. */
    public Kind kind() {
        return kind;
    }

    /** Returns the suggested delay before a retry. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
