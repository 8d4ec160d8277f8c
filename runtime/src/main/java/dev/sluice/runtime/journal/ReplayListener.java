package dev.sluice.runtime.journal;

/** Is told how a {@link Replay} gets on, on the thread that makes it. */
public interface ReplayListener {

    /** Listens to nothing. */
    ReplayListener NONE = new ReplayListener() {};

    /**
     * A checkpoint cannot be read, so the one before it serves, or the whole journal.
     *
     * @param sequence the sequence number of the last event that it should include
     */
    default void unreadableCheckpoint(long sequence, Exception problem) {}

    /**
     * So far it has come; told now and then.
     *
     * @param sequence the last event that was applied
     * @param last the last event that there was at the beginning
     */
    default void progress(long sequence, long last) {}
}
