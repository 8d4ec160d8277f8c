package dev.sluice.core.configuration;

/** The order in which a leaf queue serves its applications. */
public enum ApplicationSortPolicy {
    /** First in, first out: priority, then submission time, then sequence number. */
    FIFO("fifo"),
    /**
     * Lowest share first: priority, then dominant share of the partition's total, then submission time, then sequence
     * number.
     */
    FAIR("fair"),
    /**
     * Like {@link #FIFO}, restricted to the running applications and one starting application or, if there is none, one
     * accepted one.
     */
    STATE_AWARE("stateaware"),
    /** One task at a time from the application with the fewest running tasks. */
    FEWEST_RUNNING("fewestrunning");

    private final String wireName;

    ApplicationSortPolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The name in a configuration. */
    public String wireName() {
        return wireName;
    }
}
