package dev.sluice.kubernetes.metrics;

import java.time.Duration;

/** Receives values of metrics, each named like that of kube-scheduler. */
public interface SchedulingListener {

    /** How an attempt to schedule a pod ended. */
    enum Result {
        /** The pod is bound. */
        SCHEDULED("scheduled"),
        /** The pod waits, for another kind of reason than before. */
        UNSCHEDULABLE("unschedulable"),
        /** The pod could not be bound to the node that was chosen. */
        ERROR("error");

        private final String label;

        Result(String label) {
            this.label = label;
        }

        /** Returns the value of the label {@code result}. */
        public String label() {
            return label;
        }
    }

    /**
     * Called for {@code scheduler_schedule_attempts_total}.
     *
     * @param profile the name by which the pod names this scheduler
     */
    void attempted(Result result, String profile);

    /**
     * Called for {@code scheduler_pod_scheduling_sli_duration_seconds}, when a pod is bound.
     *
     * @param duration the time since the pod was first to be scheduled
     * @param attempts the number of attempts, this one included
     */
    void scheduled(Duration duration, int attempts);
}
