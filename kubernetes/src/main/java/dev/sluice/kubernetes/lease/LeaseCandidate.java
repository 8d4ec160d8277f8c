package dev.sluice.kubernetes.lease;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One of the servers of which one holds the lease.
 *
 * <p>Durations are measured by the own clock alone, as client-go does: a candidate waits for the duration of the lease
 * after it has seen it change, and a leader counts from before it sent its last renewal, and only two thirds of the
 * duration. So a leader ends before another one begins, whatever the clocks show. Confined to one thread, except
 * {@link #isLeader} and {@link #holder}.
 */
final class LeaseCandidate {

    private final Leases leases;
    private final LeaseSettings settings;
    private final LongSupplier nanoTime;
    private final InstantSource clock;

    private @Nullable Lease observed;
    private long observedAt;
    private volatile boolean held;
    private volatile long renewedAt;
    private volatile String holder = "";

    /** @param nanoTime a clock that always advances, such as {@link System#nanoTime} */
    LeaseCandidate(Leases leases, LeaseSettings settings, LongSupplier nanoTime, InstantSource clock) {
        this.leases = leases;
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.clock = clock;
    }

    /** Returns whether this server holds the lease, and renewed it in time. */
    boolean isLeader() {
        return held && nanoTime.getAsLong() - renewedAt < settings.deadline().toNanos();
    }

    /** Returns who held the lease last; empty if nobody is known. */
    String holder() {
        return holder;
    }

    /** Returns when the last renewal ends, by {@code nanoTime}. */
    long end() {
        return renewedAt + settings.duration().toNanos();
    }

    /**
     * Acquires the lease, or renews it. A leader that has lost it never becomes one again.
     *
     * @return whether this server holds it
     * @throws IOException if the API server does not answer, or refuses
     */
    boolean attempt() throws IOException {
        long began = nanoTime.getAsLong();
        Lease current = leases.read();
        Instant now = clock.instant();
        if (current == null) {
            return written(leases.create(leases.blank().heldBy(settings.identity(), settings.duration(), now)), began);
        }
        observe(current);
        boolean isOwn = current.holder().equals(settings.identity());
        if (!isOwn && (held || !isFree(current))) {
            held = false;
            return false;
        }
        return written(leases.replace(current.heldBy(settings.identity(), settings.duration(), now)), began);
    }

    private void observe(Lease current) {
        if (observed == null || !observed.version().equals(current.version())) {
            observedAt = nanoTime.getAsLong();
        }
        observed = current;
        holder = current.holder();
    }

    private boolean isFree(Lease current) {
        return current.holder().isEmpty()
                || nanoTime.getAsLong() - observedAt >= current.duration().toNanos();
    }

    /** Takes over what was written, or that somebody else wrote at the same time. */
    private boolean written(@Nullable Lease lease, long began) {
        if (lease == null) {
            return held;
        }
        observe(lease);
        renewedAt = began;
        held = true;
        return true;
    }

    /** Gives up the lease, if this server still holds it. */
    void release() throws IOException {
        Lease last = observed;
        if (isLeader() && last != null) {
            held = false;
            Lease unused = leases.replace(last.released());
        }
    }
}
