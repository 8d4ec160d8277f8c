package dev.sluice.config.snapshot;

/** A snapshot that can be read but that no scheduler can be in; the message says why. */
public final class SnapshotException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    SnapshotException(String message) {
        super(message);
    }
}
