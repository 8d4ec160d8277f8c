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
 * Refuses new work while the disk is full or the heap is nearly full. Queued work occupies memory until it ends, and a
 * server that ran out of memory would run out again when it replays its journal.
 */
public final class OverloadGuard {

    /** Maximum fraction of the heap in use: a checkpoint builds a second state as large as the first. */
    static final double USED_FRACTION_MAX = 0.45;

    private static final Duration RETRY = Duration.ofSeconds(10);

    /** Minimum interval between requested collections, and their maximum share of time. */
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
     * Watches the heap of this JVM.
     *
     * @param fullDisk supplies why the disk has no space for more work, or null
     */
    public OverloadGuard(Supplier<@Nullable String> fullDisk) {
        this(ofThisJvm(), fullDisk, System::gc, OverloadGuard::inBackground, System::nanoTime);
    }

    /**
     * Watches the given sources.
     *
     * @param usedFraction the fraction of the heap in use after the last collection, from 0 to 1
     * @param fullDisk supplies why the disk has no space for more work, or null
     * @param collection runs a garbage collection
     * @param executor runs {@code collection}
     * @param nanos a monotonic clock, in nanoseconds
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

    /** Returns the size of the old generation after the last collection, relative to the heap. */
    private static DoubleSupplier ofThisJvm() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            boolean ofTheOld = pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported();
            if (ofTheOld && pool.isCollectionUsageThresholdSupported()) {
                return () -> share(pool.getCollectionUsage());
            }
        }
        return () -> 0; // this collector does not report it
    }

    private static double share(@Nullable MemoryUsage usage) {
        return usage == null || usage.getMax() <= 0 ? 0 : (double) usage.getUsed() / usage.getMax();
    }

    /** Returns why there is no memory for more work, or null. */
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

    /** Returns why no more work is accepted, because of disk or memory, or null. */
    public @Nullable String refusal() {
        String full = fullDisk.get();
        return full != null ? full : problem();
    }

    /** Throws a {@link ProblemException} if no more work is accepted. */
    public void rejectIfOverloaded() {
        String problem = refusal();
        if (problem != null) {
            throw ProblemException.retry(ProblemKind.BUSY, problem, RETRY, null);
        }
    }

    /**
     * Requests a collection to measure again: the fraction includes garbage since the last collection, and a server
     * that refuses all work allocates so little that the next collection may never come.
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
