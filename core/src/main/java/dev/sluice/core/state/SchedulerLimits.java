package dev.sluice.core.state;

import java.time.Duration;

/** The limits and times of the engine, in one place. */
public final class SchedulerLimits {

    /** How long an application may be Starting before it goes on to Running (YuniKorn: hard coded, five minutes). */
    public static final Duration STARTING_MAX = Duration.ofMinutes(5);

    /** How long an application without tasks waits for more before it is Completed. */
    public static final Duration COMPLETING_MAX = Duration.ofSeconds(30);

    /** How long an application that has ended is remembered. */
    public static final Duration ENDED_RETENTION = Duration.ofDays(3);

    /** How long a node may be lost before it is removed and its tasks run elsewhere (Scoot: one minute). */
    public static final Duration LOST_MAX = Duration.ofMinutes(1);

    /** How long a node is set aside as flaky (Scoot: 15 minutes). */
    public static final Duration FLAKY_MAX = Duration.ofMinutes(15);

    /**
     * The most of one resource type that all nodes of a partition may have together, and that all its unfinished tasks may ask
     * for together, in base units. Two such sums still fit a {@code long}, so accounting never overflows.
     */
    public static final long SUM_MAX = 1L << 61;

    /** The most resource types that a partition comes to know. */
    public static final int RESOURCE_TYPES_MAX = 64;

    /** The most tasks of one application that have not ended. */
    public static final int APPLICATION_TASKS_MAX = 50_000_000;

    /** The most kinds of tasks of which a partition knows how long they took. */
    public static final int DURATION_KEYS_MAX = 1_000_000;

    /** The most lineages of which a partition remembers the tags although no application of them lives. */
    public static final int LINEAGES_IDLE_MAX = 100_000;

    /** The most replaced tags that one lineage remembers. */
    public static final int LINEAGE_TAGS_MAX = 1_000;

    /** The deepest queue, counted from root. */
    public static final int QUEUE_DEPTH_MAX = 64;

    /** The longest path of a queue: databases index it, and cannot index texts of any length. */
    public static final int QUEUE_PATH_LENGTH_MAX = 1024;

    /** The most queues that went away of which a partition remembers what they used. */
    public static final int REMOVED_QUEUES_MAX = 100_000;

    private SchedulerLimits() {}
}
