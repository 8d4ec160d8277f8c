package dev.sluice.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that there is for what is sent, of all requests together: however many there are, they do not use up the memory of the server. */
final class Room {

    private final AtomicLong left;
    private final int each;

    /**
     * Room for so much.
     *
     * @param all in bytes
     * @param each for one request at most, in bytes
     */
    Room(long all, long each) {
        this.left = new AtomicLong(all);
        this.each = (int) Math.min(each, Integer.MAX_VALUE - 8);
    }

    /** What one request may take at most, in bytes. */
    int each() {
        return each;
    }

    /** Takes so many bytes, if they are there; returns whether they were. */
    boolean enter(long bytes) {
        if (left.addAndGet(-bytes) >= 0) {
            return true;
        }
        left.addAndGet(bytes);
        return false;
    }

    /** Gives back so many bytes. */
    void leave(long bytes) {
        left.addAndGet(bytes);
    }
}
