package dev.sluice.server.http;

import java.time.Duration;

/** Counts requests in flight. */
final class InFlightRequests {

    private int count;

    synchronized void begin() {
        count++;
    }

    synchronized void end() {
        count--;
        if (count == 0) {
            notifyAll();
        }
    }

    synchronized int count() {
        return count;
    }

    /** Waits until no request is in flight; returns false on timeout. */
    synchronized boolean await(Duration max) {
        long deadline = System.nanoTime() + max.toNanos();
        while (count > 0) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
