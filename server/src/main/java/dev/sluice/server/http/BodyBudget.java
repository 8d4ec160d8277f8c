package dev.sluice.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that there is for what is sent, of all requests together: however many there are, they do not use up the memory of the server. */
final class BodyBudget {

    private final AtomicLong left;
    private final int perRequestMax;

    /**
     * Room for so much.
     *
     * @param all in bytes
     * @param each for one request at most, in bytes
     */
    BodyBudget(long all, long each) {
        this.left = new AtomicLong(all);
        this.perRequestMax = (int) Math.min(each, Integer.MAX_VALUE - 8);
    }

    /** What one request may take at most, in bytes. */
    int perRequestMax() {
        return perRequestMax;
    }

    /** Takes so many bytes, if they are there; returns whether they were. */
    boolean tryAcquire(long bytes) {
        if (left.addAndGet(-bytes) >= 0) {
            return true;
        }
        left.addAndGet(bytes);
        return false;
    }

    /** Gives back so many bytes. */
    void release(long bytes) {
        left.addAndGet(bytes);
    }
}
