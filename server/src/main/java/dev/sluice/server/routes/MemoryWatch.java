package dev.sluice.server.routes;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps more work out while what is already there nearly fills the memory: work that waits takes memory until it ends, and a server that
 * ran out of it would run out of it again as soon as it had read its journal.
 */
public final class MemoryWatch {

    /** More than this share of the memory is too much: a snapshot is made of a second state that is as large as the first. */
    static final double SHARE_MAX = 0.45;

    private static final Duration RETRY = Duration.ofSeconds(10);

    private final DoubleSupplier shareInUse;

    /** Watches the memory of this JVM. */
    public MemoryWatch() {
        this(ofThisJvm());
    }

    /**
     * Watches what somebody tells.
     *
     * @param shareInUse the share of the memory that is in use, between 0 and 1
     */
    MemoryWatch(DoubleSupplier shareInUse) {
        this.shareInUse = shareInUse;
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

    /** Throws a {@link ProblemException} if there is no room for more. */
    public void requireRoom() {
        double share = shareInUse.getAsDouble();
        if (share > SHARE_MAX) {
            throw ProblemException.retry(
                    ProblemKind.BUSY,
                    Math.round(100 * share)
                            + " % of the server's memory are in use by what waits already: let work end or cancel"
                            + " some, or start the server with more (SLUICE_JAVA_OPTS=-Xmx...)",
                    RETRY,
                    null);
        }
    }
}
