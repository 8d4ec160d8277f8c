package dev.sluice.core.configuration;

/** Whether the tasks below a queue preempt others, and are preempted. */
public enum PreemptionPolicy {
    /** They preempt others and are preempted. */
    DEFAULT("default"),
    /** They preempt only tasks below the same queue. */
    FENCE("fence"),
    /** They neither preempt others nor are preempted. */
    DISABLED("disabled");

    private final String wireName;

    PreemptionPolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The name in files. */
    public String wireName() {
        return wireName;
    }
}
