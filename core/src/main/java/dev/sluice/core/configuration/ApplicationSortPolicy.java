package dev.sluice.core.configuration;

/** The order in which a leaf queue serves its applications. */
public enum ApplicationSortPolicy {
    /** First in, first out: priority, then submission time, then id. */
    FIFO("fifo"),
    /** Least served first: priority, then dominant share of the partition's total, then submission time, then id. */
    FAIR("fair"),
    /** As fifo, over the running applications and one that is starting or, if none is, one that was accepted. */
    STATE_AWARE("stateaware"),
    /** One task at a time from the application with the fewest running tasks. */
    FEWEST_RUNNING("fewestrunning");

    private final String wireName;

    ApplicationSortPolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The name used in a configuration. */
    public String wireName() {
        return wireName;
    }
}
