package dev.sluice.runtime.journal;

import java.time.Duration;
import java.time.Instant;

/** Is told what becomes of checkpoints, on the thread that makes them. What it throws is passed over. */
public interface CheckpointListener {

    /** Listens to nothing. */
    CheckpointListener NONE = new CheckpointListener() {};

    /**
     * One was made, so the journal can be read.
     *
     * @param sequence the last event that it includes
     * @param at when that was decided
     * @param took how long making it took
     */
    default void made(long sequence, Instant at, Duration took) {}

    /** One could not be made, or what it makes needless could not be discarded. It is tried again later; the scheduler goes on. */
    default void failed(Throwable problem) {}

    /** An earlier one cannot be read, so it was done without. */
    default void unreadable(long sequence, Exception problem) {}
}
