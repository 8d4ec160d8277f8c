package dev.sluice.cli.run;

/** What happened to a load class. */
public enum LoadClassChange {
    /** It runs more or fewer tasks, or is entitled to more or fewer workers. */
    COUNTS,
    /** It begins to run more tasks than it is entitled to. */
    BORROWS,
    /** It is back within its entitlement. */
    GAVE_BACK,
    /** Some of its tasks are stopped, because others are entitled to their workers. */
    MAKES_WAY
}
