package dev.sluice.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** The memory budget of all request bodies together: concurrent requests cannot exhaust the server's memory. */
final class BodyBudget {

    private final AtomicLong left;
    private final int perRequestMax;

    /**
     * Creates a budget.
     *
     * @param all bytes for all requests together
     * @param each maximum bytes for one request
     */
    BodyBudget(long all, long each) {
        this.left = new AtomicLong(all);
        this.perRequestMax = (int) Math.min(each, Integer.MAX_VALUE - 8);
    }

    /** Returns the maximum number of bytes for one request. */
    int perRequestMax() {
        return perRequestMax;
    }

    /** Acquires bytes if available; returns whether it did. */
    boolean tryAcquire(long bytes) {
        if (left.addAndGet(-bytes) >= 0) {
            return true;
        }
        left.addAndGet(bytes);
        return false;
    }

    void release(long bytes) {
        left.addAndGet(bytes);
    }
}
