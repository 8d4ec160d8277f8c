package dev.sluice.runtime.journal;

/** The store could not do what was asked. */
public final class StoreException extends Exception {

    private static final long serialVersionUID = 1;

    private final Kind kind;

    /** What is wrong, as far as it matters to what is done next. */
    public enum Kind {
        /** There is no room; it may work when there is. */
        FULL,
        /** It cannot be reached at the moment; it may work later. */
        UNAVAILABLE,
        /** Another writer has it, or has written meanwhile: this one must stop. */
        IN_USE,
        /** What is kept is damaged, or something of it has gone. */
        DAMAGED,
        /** It cannot be used like this (another version, no right to it, a wrong address): people must see to it. */
        UNUSABLE
    }

    /** With a message for people, which says what would help. */
    public StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** With a message for people, which says what would help. */
    public StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** What is wrong. */
    public Kind kind() {
        return kind;
    }
}
