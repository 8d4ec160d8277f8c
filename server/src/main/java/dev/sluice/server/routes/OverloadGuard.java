package dev.sluice.server.routes;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps more work out while the disk is full or what is already there nearly fills the memory: work that waits takes memory until it ends, and a server that
 * ran out of it would run out of it again as soon as it had read its journal.
 */
public final class OverloadGuard {

    /** More than this share of the memory is too much: a checkpoint is made of a second state that is as large as the first. */
    static final double USED_FRACTION_MAX = 0.45;

    private static final Duration RETRY = Duration.ofSeconds(10);

    /** A collection is requested at most so often, and takes at most this part of the time. */
    private static final Duration COLLECTION_INTERVAL = Duration.ofSeconds(10);

    private static final int COLLECTION_PART = 50;

    private final DoubleSupplier usedFraction;
    private final Supplier<@Nullable String> fullDisk;
    private final Runnable collection;
    private final Executor executor;
    private final LongSupplier nanos;
    private final AtomicBoolean collecting = new AtomicBoolean();
    private volatile long nextCollection;

    /**
     * Watches the memory of this JVM.
     *
     * @param fullDisk tells why the disk has no space for more work, or null if it has
     */
    public OverloadGuard(Supplier<@Nullable String> fullDisk) {
        this(ofThisJvm(), fullDisk, System::gc, OverloadGuard::inBackground, System::nanoTime);
    }

    /**
     * Watches what somebody tells.
     *
     * @param usedFraction the share of the memory that is in use, between 0 and 1, as the last collection left it
     * @param fullDisk tells why the disk has no space for more work, or null if it has
     * @param collection collects what is not in use any more
     * @param executor where it is collected
     * @param nanos a clock that only goes on
     */
    OverloadGuard(
            DoubleSupplier usedFraction,
            Supplier<@Nullable String> fullDisk,
            Runnable collection,
            Executor executor,
            LongSupplier nanos) {
        this.usedFraction = usedFraction;
        this.fullDisk = fullDisk;
        this.collection = collection;
        this.executor = executor;
        this.nanos = nanos;
        this.nextCollection = nanos.getAsLong();
    }

    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task, "collection");
        thread.setDaemon(true);
        thread.start();
    }

    /** What objects took that had been there for long, when the collector last looked at them. */
    private static DoubleSupplier ofThisJvm() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            boolean ofTheOld = pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported();
            if (ofTheOld && pool.isCollectionUsageThresholdSupported()) {
                return () -> share(pool.getCollectionUsage());
            }
        }
        return () -> 0; // a collector that does not tell
    }

    private static double share(@Nullable MemoryUsage usage) {
        return usage == null || usage.getMax() <= 0 ? 0 : (double) usage.getUsed() / usage.getMax();
    }

    /** Why there is no room for more, or null if there is some. */
    public @Nullable String problem() {
        double share = usedFraction.getAsDouble();
        if (share <= USED_FRACTION_MAX) {
            return null;
        }
        requestCollection();
        return Math.round(100 * share)
                + " % of the server's memory is in use; wait for applications to end, cancel some, or restart"
                + " the server with a larger heap (SLUICE_JAVA_OPTS=-Xmx...)";
    }

    /** Why no more work is accepted, for want of disk or memory, or null if it is. */
    public @Nullable String refusal() {
        String full = fullDisk.get();
        return full != null ? full : problem();
    }

    /** Throws a {@link ProblemException} if there is no room for more. */
    public void rejectIfOverloaded() {
        String problem = refusal();
        if (problem != null) {
            throw ProblemException.retry(ProblemKind.BUSY, problem, RETRY, null);
        }
    }

    /**
     * Has it looked at again what is in use: the share is what the last collection saw, requests that are long answered included, and a
     * server that refuses all work allocates so little that the next collection may never come.
     */
    private void requestCollection() {
        if (nanos.getAsLong() - nextCollection < 0 || !collecting.compareAndSet(false, true)) {
            return;
        }
        executor.execute(() -> {
            long began = nanos.getAsLong();
            try {
                collection.run();
            } finally {
                long ended = nanos.getAsLong();
                nextCollection = ended + Math.max(COLLECTION_INTERVAL.toNanos(), COLLECTION_PART * (ended - began));
                collecting.set(false);
            }
        });
    }
}
