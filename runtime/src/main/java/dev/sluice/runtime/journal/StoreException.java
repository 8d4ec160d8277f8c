package dev.sluice.runtime.journal;

/** Thrown when an operation of the store fails. */
public final class StoreException extends Exception {

    private static final long serialVersionUID = 1;

    private final Kind kind;

    /** The kind of failure, which determines how to react. */
    public enum Kind {
        /** No space left; a retry may succeed later. */
        FULL,
        /** The store is temporarily unreachable; a retry may succeed later. */
        UNAVAILABLE,
        /** Another writer uses the store, or has written to it: this writer must stop. */
        IN_USE,
        /** Stored data is damaged or missing. */
        DAMAGED,
        /** The store is misconfigured (wrong version, permission denied, invalid address): an operator must fix it. */
        UNUSABLE
    }

    /** Creates an exception whose message includes a suggested fix. */
    public StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Creates an exception whose message includes a suggested fix. */
    public StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** Returns the kind of failure. */
    public Kind kind() {
        return kind;
    }
}
