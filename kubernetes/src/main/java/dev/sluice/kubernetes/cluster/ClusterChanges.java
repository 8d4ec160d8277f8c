package dev.sluice.kubernetes.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has been heard of the cluster and not been taken over yet. Of several changes with the same key only the latest
 * counts, so the number of entries is limited by the number of objects, however fast they change. Thread-safe.
 */
final class ClusterChanges {

    private final Map<Object, Runnable> waiting = new LinkedHashMap<>();
    private Runnable alarm = () -> {};

    /** Sets what to call, on the thread of the caller, when there is a change to take over. */
    void onChange(Runnable newAlarm) {
        synchronized (waiting) {
            alarm = newAlarm;
        }
    }

    /**
     * Adds a change.
     *
     * @param key what it is about
     * @param change takes it over; called on the thread of the engine
     */
    void add(Object key, Runnable change) {
        Runnable called;
        synchronized (waiting) {
            waiting.remove(key); // the order is that of the latest changes
            waiting.put(key, change);
            called = alarm;
        }
        called.run();
    }

    /** Removes and returns up to {@code max} changes, the oldest first. */
    List<Runnable> take(int max) {
        synchronized (waiting) {
            List<Runnable> taken = new ArrayList<>(Math.min(max, waiting.size()));
            var each = waiting.values().iterator();
            while (each.hasNext() && taken.size() < max) {
                taken.add(each.next());
                each.remove();
            }
            return taken;
        }
    }

    boolean isEmpty() {
        synchronized (waiting) {
            return waiting.isEmpty();
        }
    }
}
