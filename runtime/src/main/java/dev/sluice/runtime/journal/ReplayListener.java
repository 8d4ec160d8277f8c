package dev.sluice.runtime.journal;

/** Receives progress reports of a {@link Replay}, on its thread. */
public interface ReplayListener {

    /** A listener that does nothing. */
    ReplayListener NONE = new ReplayListener() {};

    /**
     * Called when a checkpoint is unreadable; the replay falls back to the previous one, or to the whole journal.
     *
     * @param sequence the sequence number of the last event that the checkpoint includes
     */
    default void unreadableCheckpoint(long sequence, Exception problem) {}

    /**
     * Called from time to time with the progress.
     *
     * @param sequence the last event applied
     * @param last the last event in the store when the replay started
     */
    default void progress(long sequence, long last) {}
}
