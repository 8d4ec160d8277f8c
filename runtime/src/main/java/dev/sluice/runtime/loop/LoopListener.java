package dev.sluice.runtime.loop;

import dev.sluice.runtime.journal.StoreException;

/** Is told how the loop is, on its thread. */
public interface LoopListener {

    /** The journal cannot be written, so nothing is acknowledged; it is tried again and again. Told once, until {@link #resumed}. */
    void stalled(StoreException reason);

    /** The journal is written again. */
    void resumed();

    /**
     * A batch is done.
     *
     * @param transactions how many were taken in for it
     * @param events how many events followed, those of cycles included
     * @param decideNanos how long it took to decide
     * @param commitNanos how long it took until that was safe; 0 if nothing had to be written
     */
    void batchCompleted(int transactions, int events, long decideNanos, long commitNanos);

    /** The loop has ended because it could not go on; what was not acknowledged may be lost. */
    void failed(Throwable reason);
}
