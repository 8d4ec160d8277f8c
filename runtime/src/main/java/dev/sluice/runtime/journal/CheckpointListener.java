package dev.sluice.runtime.journal;

import java.time.Duration;
import java.time.Instant;

/** Receives notifications about checkpoints, on the thread that creates them. Exceptions are ignored unless stated. */
public interface CheckpointListener {

    /** A listener that does nothing. */
    CheckpointListener NONE = new CheckpointListener() {};

    /**
     * Called when a checkpoint was written and verified.
     *
     * @param sequence the last event that it includes
     * @param at when that event was decided
     * @param took how long creating the checkpoint took
     */
    default void made(long sequence, Instant at, Duration took) {}

    /**
     * Called before ended applications and runs are discarded. If it throws, nothing is discarded, and it is called
     * again later.
     *
     * @param before they ended before this instant
     */
    default void discarding(Instant before) throws StoreException {}

    /**
     * Called when creating a checkpoint, or discarding the data it makes obsolete, failed. It is retried later; the
     * scheduler continues.
     */
    default void failed(Throwable problem) {}

    /** Called when an earlier checkpoint is unreadable and was skipped. */
    default void unreadable(long sequence, Exception problem) {}
}
