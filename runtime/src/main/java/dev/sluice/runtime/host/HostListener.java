package dev.sluice.runtime.host;

import dev.sluice.runtime.journal.StoreException;

/** Receives notifications about the health of the host, on its thread. */
@FunctionalInterface
public interface HostListener {

    /** Ignores everything. */
    HostListener NONE = reason -> {};

    /**
     * Called once when the journal cannot be written. No transaction is acknowledged, and the write is retried until
     * {@link #resumed} is called.
     */
    default void stalled(StoreException reason) {}

    /** Called when the journal is writable again. */
    default void resumed() {}

    /**
     * Called when a batch is complete.
     *
     * @param transactions the number of transactions
     * @param events the number of events, including those of cycles
     * @param decideNanos the time spent on decisions, in nanoseconds
     * @param commitNanos the time spent on making them durable, in nanoseconds; 0 if nothing was written
     */
    default void batchCompleted(int transactions, int events, long decideNanos, long commitNanos) {}

    /** Called when the host has ended because of an error; transactions that were not acknowledged may be lost. */
    void failed(Throwable reason);
}
