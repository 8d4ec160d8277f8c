package dev.sluice.config.snapshot;

/** A snapshot is well-formed, but no scheduler can be in its state; the message says why. */
public final class SnapshotException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    SnapshotException(String message) {
        super(message);
    }
}
