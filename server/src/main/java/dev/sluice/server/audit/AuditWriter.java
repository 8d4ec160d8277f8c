package dev.sluice.server.audit;

import dev.sluice.runtime.journal.AuditLog;
import dev.sluice.runtime.journal.AuditLog.AuditEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.access.RateLimiter;
import dev.sluice.server.http.AuditListener;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records requests of verified callers in the audit log: those that changed something, and those that were refused,
 * failed or tried something without a change, a bounded number of each caller, so that nobody can hide an entry among
 * many. A thread writes them in the background, many at a time, so that requests do not wait. If the store is too slow
 * or fails, entries are dropped and the log of the server says how many; the journal still has the actor of every
 * event.
 */
public final class AuditWriter implements AuditListener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);
    private static final int WAITING_MAX = 10_000;
    private static final int WRITTEN_MAX = 1000;
    private static final int TEXT_MAX = 1000;
    private static final int UNAUTHENTICATED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final long CLOSE_MILLIS_MAX = 5000;

    /** Requests of a caller without a change that are recorded at once. */
    private static final int UNCHANGED_MAX = 20;

    /** Further requests of a caller without a change that are recorded per second. */
    private static final double UNCHANGED_PER_SECOND = 1.0 / 3;

    /** Number of callers whose requests without a change are counted separately. */
    private static final int CALLERS_MAX = 1000;

    private static final AuditEntry END = new AuditEntry(0, Instant.EPOCH, "", "", "", "", "", 0, "");

    private final AuditLog log;
    private final InstantSource clock;
    private final RateLimiter unchanged;
    private final BlockingQueue<AuditEntry> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Thread thread;
    private long last;
    private long dropped;

    /** Starts writing to this log. */
    public AuditWriter(AuditLog log, InstantSource clock) {
        this.log = log;
        this.clock = clock;
        this.unchanged =
                new RateLimiter(UNCHANGED_PER_SECOND, UNCHANGED_MAX, CALLERS_MAX, () -> micros(clock.instant()) * 1000);
        this.thread = new Thread(this::write, "audit");
        thread.setDaemon(true);
        thread.start();
    }

    /** Records the request if it was refused, or its route changes something. */
    @Override
    public void answered(
            @Nullable Caller caller,
            String address,
            Route route,
            String target,
            int status,
            boolean hasChanged,
            @Nullable String detail) {
        boolean refused = status == UNAUTHENTICATED || status == FORBIDDEN || status == TOO_MANY_REQUESTS;
        boolean verified = caller == null || caller.source() != Caller.Source.UNVERIFIED;
        if (verified && (refused || isChange(route))) {
            Caller known = caller == null ? Caller.UNKNOWN : caller;
            add(known, address, route, target, status, detail == null ? "" : detail, !hasChanged);
        }
    }

    /** Returns whether a route changes something on behalf of a user; reports of agents are in the journal alone. */
    private static boolean isChange(Route route) {
        return !route.verb().isSafe() && route.role().compareTo(Role.SUBMITTER) >= 0 && route.role() != Role.AGENT;
    }

    private synchronized void add(
            Caller caller, String address, Route route, String target, int status, String detail, boolean bounded) {
        Instant now = clock.instant();
        String text = detail;
        if (bounded) {
            String who = caller.user().isEmpty() ? "@" + address : caller.user();
            if (unchanged.acquire(who) > 0) {
                return;
            }
            if (unchanged.delay(who) > 0) {
                text = detail + " (further refusals of the next seconds are not recorded)";
            }
        }
        last = Math.max(last + 1, micros(now));
        AuditEntry entry = new AuditEntry(
                last,
                now,
                caller.user(),
                caller.source().name().toLowerCase(Locale.ROOT),
                caller.proxy().isEmpty() ? address : address + " by " + caller.proxy(),
                route.name(),
                bounded(target),
                status,
                bounded(text));
        if (!waiting.offer(entry)) {
            dropped++;
        }
    }

    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1000;
    }

    private static String bounded(String text) {
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX - 1) + "…";
    }

    private void write() {
        List<AuditEntry> entries = new ArrayList<>();
        boolean ended = false;
        try {
            while (!ended) {
                entries.add(waiting.take());
                waiting.drainTo(entries, WRITTEN_MAX);
                ended = entries.remove(END);
                append(entries);
                entries.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void append(List<AuditEntry> entries) {
        long lost = takeDropped();
        try {
            if (!entries.isEmpty()) {
                log.append(entries);
            }
        } catch (StoreException | RuntimeException e) {
            lost += entries.size();
            LOG.warn("audit log cannot be written: reason={}", e.toString());
        }
        if (lost > 0) {
            LOG.warn("entries of the audit log were dropped: count={}", lost);
        }
    }

    private synchronized long takeDropped() {
        long taken = dropped;
        dropped = 0;
        return taken;
    }

    /** Writes what is waiting, then ends. */
    @Override
    public void close() {
        try {
            if (waiting.offer(END, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                thread.join(CLOSE_MILLIS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
