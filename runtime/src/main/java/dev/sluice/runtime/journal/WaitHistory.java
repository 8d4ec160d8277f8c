package dev.sluice.runtime.journal;

import java.time.Instant;
import java.util.List;

/** Why applications waited in the past. Kept beside the journal, as long as ended applications. Thread-safe. */
public interface WaitHistory {

    /** Maximum number of waits that are kept of an application: the latest ones. */
    int WAITS_MAX = 100;

    /** A history without waits that keeps none. */
    WaitHistory NONE = new WaitHistory() {
        @Override
        public void append(List<Wait> waits) {}

        @Override
        public List<Wait> find(WaitingApplication application, int limit) {
            return List.of();
        }
    };

    /**
     * An application that waits, or has waited.
     *
     * @param submitted when it was submitted: ids are reused
     */
    record WaitingApplication(String partition, String id, Instant submitted) {}

    /**
     * A time in which most waiting tasks of an application had the same reason.
     *
     * @param from when the reason was read first
     * @param seen when it was known to hold last
     * @param code the code of the reason, such as {@code quota}
     * @param detail the reason in a sentence, as it was at first
     * @param tasks the number of tasks that waited for it, as it was at first
     */
    record Wait(WaitingApplication application, Instant from, Instant seen, String code, String detail, long tasks) {

        /** Returns the same wait, which is known to have lasted until this instant. */
        public Wait until(Instant last) {
            return new Wait(application, from, last, code, detail, tasks);
        }
    }

    /**
     * Stores waits; each replaces that of the same application and beginning. Discards the oldest waits of
     * applications with more than {@link #WAITS_MAX}.
     */
    void append(List<Wait> waits) throws StoreException;

    /** Returns the waits of an application, latest first, at most {@code limit}. */
    List<Wait> find(WaitingApplication application, int limit) throws StoreException;
}
