package dev.sluice.cli.client;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** Closes a connection after a time, which ends whatever waits for it; cancelled by {@link #close}. */
final class TimeLimit implements AutoCloseable {

    private final Closeable connection;
    private final Thread thread;
    private volatile boolean expired;

    private TimeLimit(Duration limit, Closeable connection) {
        this.connection = connection;
        this.thread = new Thread(() -> expireAfter(limit), "time limit");
        thread.setDaemon(true);
    }

    static TimeLimit start(Duration limit, Closeable connection) {
        TimeLimit started = new TimeLimit(limit, connection);
        started.thread.start();
        return started;
    }

    private void expireAfter(Duration limit) {
        try {
            Thread.sleep(limit.toMillis());
            expired = true;
            connection.close();
        } catch (InterruptedException cancelled) {
            return;
        } catch (IOException e) {
            return; // closed nevertheless
        }
    }

    boolean hasExpired() {
        return expired;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
