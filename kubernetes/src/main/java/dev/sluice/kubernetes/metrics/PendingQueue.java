package dev.sluice.kubernetes.metrics;

/** The values of the label {@code queue} of {@code scheduler_pending_pods}. */
public enum PendingQueue {
    /** Pods that may be bound in the next cycle, or were not considered yet. */
    ACTIVE("active"),
    /** Pods that wait for their next attempt. */
    BACKOFF("backoff"),
    /** Pods that wait for a change: of nodes, of quotas, of other pods, or of themselves. */
    UNSCHEDULABLE("unschedulable"),
    /** Pods with scheduling gates. */
    GATED("gated");

    private final String label;

    PendingQueue(String label) {
        this.label = label;
    }

    /** Returns the value of the label. */
    public String label() {
        return label;
    }
}
