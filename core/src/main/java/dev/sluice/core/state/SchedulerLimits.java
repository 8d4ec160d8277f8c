package dev.sluice.core.state;

import java.time.Duration;

/** The limits and durations of the engine that cannot be configured. */
public final class SchedulerLimits {

    /**
     * How long an application may be Starting before it becomes Running (as in YuniKorn: hard coded, five minutes).
     */
    public static final Duration STARTING_MAX = Duration.ofMinutes(5);

    /** How long an application without tasks waits for more before it is Completed. */
    public static final Duration COMPLETING_MAX = Duration.ofSeconds(30);

    /** How long an ended application is remembered. */
    public static final Duration ENDED_RETENTION = Duration.ofDays(3);

    /** How long a node may be lost before it is removed and its tasks run elsewhere (as in Scoot: one minute). */
    public static final Duration LOST_MAX = Duration.ofMinutes(1);

    /** How long a flaky node is avoided (as in Scoot: 15 minutes). */
    public static final Duration FLAKY_MAX = Duration.ofMinutes(15);

    /**
     * The maximum amount of one resource type that all nodes of a partition may have together, and that all its
     * unfinished tasks may request together, in base units. Two such sums fit in a {@code long}, so accounting never
     * overflows.
     */
    public static final long SUM_MAX = 1L << 61;

    /** The maximum number of resource types of a partition. */
    public static final int RESOURCE_TYPES_MAX = 64;

    /** The maximum number of unfinished tasks of one application. */
    public static final int APPLICATION_TASKS_MAX = 50_000_000;

    /** The maximum number of keys for which a partition remembers durations. */
    public static final int DURATION_KEYS_MAX = 1_000_000;

    /** The maximum number of application names whose last number a partition remembers. */
    public static final int NUMBERED_NAMES_MAX = 100_000;

    /** The maximum number of lineages without live applications that a partition remembers. */
    public static final int LINEAGES_IDLE_MAX = 100_000;

    /** The maximum number of replaced tags that one lineage remembers. */
    public static final int LINEAGE_TAGS_MAX = 1_000;

    /** The maximum depth of a queue; the root has depth 1. */
    public static final int QUEUE_DEPTH_MAX = 64;

    /** The maximum length of a queue's path, because databases cannot index strings of any length. */
    public static final int QUEUE_PATH_LENGTH_MAX = 1024;

    /** The maximum number of removed queues whose usage a partition remembers. */
    public static final int REMOVED_QUEUES_MAX = 100_000;

    private SchedulerLimits() {}
}
