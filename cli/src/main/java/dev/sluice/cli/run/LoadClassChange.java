package dev.sluice.cli.run;

/** A change of a load class. */
public enum LoadClassChange {
    /** The number of running tasks or the entitlement changed. */
    COUNTED,
    /** It started to run more tasks than it is entitled to. */
    BORROWS,
    /** It is within its entitlement again. */
    RETURNED,
    /** Some of its tasks were preempted for entitled classes. */
    PREEMPTED
}
