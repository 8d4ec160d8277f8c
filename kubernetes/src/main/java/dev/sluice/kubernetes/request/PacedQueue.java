package dev.sluice.kubernetes.request;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keys that wait for their request, each at most once, in the order in which they were added. They are passed on at a
 * limited rate, on threads of the timer. Thread-safe.
 *
 * @param <K> the type of the keys
 */
public final class PacedQueue<K> {

    private final RequestTimer timer;
    private final TokenBucket rate;
    private final Consumer<K> receiver;
    private final Set<K> waiting = new LinkedHashSet<>();
    private boolean scheduled;

    /**
     * Creates an empty queue.
     *
     * @param receiver executes the request of a key
     */
    public PacedQueue(RequestTimer timer, TokenBucket rate, Consumer<K> receiver) {
        this.timer = timer;
        this.rate = rate;
        this.receiver = receiver;
    }

    /** Adds a key at the end unless it waits. */
    public synchronized void add(K key) {
        waiting.add(key);
        scheduleNext();
    }

    /** Removes a key if it waits. */
    public synchronized void remove(K key) {
        waiting.remove(key);
    }

    /** Returns the number of keys that wait. */
    public synchronized int size() {
        return waiting.size();
    }

    private synchronized void scheduleNext() {
        if (!scheduled && !waiting.isEmpty()) {
            scheduled = true;
            timer.schedule(this::passOn, rate.delay(timer.nanos()));
        }
    }

    private void passOn() {
        K key = null;
        synchronized (this) {
            scheduled = false;
            Iterator<K> first = waiting.iterator();
            if (first.hasNext() && rate.take(timer.nanos())) {
                key = first.next();
                first.remove();
            }
            scheduleNext();
        }
        if (key != null) {
            receiver.accept(key);
        }
    }
}
