package dev.sluice.server.routes;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Generates application ids that are unique, short and ascending. */
public final class ApplicationIds {

    private final String prefix;
    private final AtomicLong count = new AtomicLong();

    /** Creates a generator for a server that started at this instant, unique per journal. */
    public ApplicationIds(Instant began) {
        this.prefix = "app-" + Long.toString(began.toEpochMilli(), 36) + "-";
    }

    public String next() {
        return prefix + Long.toString(count.incrementAndGet(), 36);
    }
}
