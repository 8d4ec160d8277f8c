package dev.sluice.server.routes;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Makes ids for applications that have none: unique, short, and in the order of their making. */
public final class ApplicationIds {

    private final String prefix;
    private final AtomicLong count = new AtomicLong();

    /** Ids of a server that began at this instant, which no other server on the same journal did. */
    public ApplicationIds(Instant began) {
        this.prefix = "app-" + Long.toString(began.toEpochMilli(), 36) + "-";
    }

    /** The next one. */
    public String next() {
        return prefix + Long.toString(count.incrementAndGet(), 36);
    }
}
