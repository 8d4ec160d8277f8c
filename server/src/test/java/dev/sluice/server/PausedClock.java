package dev.sluice.server;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/** The system clock; can block the scheduler's thread when it reads the time. */
final class PausedClock implements InstantSource {

    private final Semaphore gate = new Semaphore(1);

    /** Blocks the scheduler at its next reading. */
    void pause() {
        gate.acquireUninterruptibly();
    }

    void resume() {
        gate.release();
    }

    @Override
    public Instant instant() {
        if (Thread.currentThread().getName().equals("scheduler")) {
            gate.acquireUninterruptibly();
            gate.release();
        }
        return Instant.now();
    }
}
