package dev.sluice.kubernetes.metrics;

import dev.sluice.runtime.host.MetricRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The metrics of a cluster, with the names of kube-scheduler and client-go where they mean the same. Thread-safe. */
public final class ClusterMetrics implements SchedulingListener {

    private static final String ATTEMPTS = "scheduler_schedule_attempts_total";
    private static final String DURATION = "scheduler_pod_scheduling_sli_duration_seconds";
    private static final String PENDING = "scheduler_pending_pods";
    private static final String REQUESTS = "rest_client_requests_total";
    private static final String ENDS = "sluice_pod_ends_total";

    /** The largest value of the label {@code attempts} before the last one, {@code 15+}, as in kube-scheduler. */
    private static final int ATTEMPTS_MAX = 15;

    /** From 10 ms, doubled each time, as in kube-scheduler. */
    private static final List<Duration> BUCKETS = IntStream.range(0, 20)
            .mapToObj(power -> Duration.ofMillis(10L << power))
            .toList();

    private volatile MetricRegistry registry = MetricRegistry.DISCARDING;

    /** How the end of a pod that is to stop was requested. */
    public enum EndOutcome {
        /** The API server has accepted the request. */
        STOPPING("stopping"),
        /** The pod was gone already. */
        GONE("gone"),
        /** The request was refused, and is made again later. */
        FAILED("failed"),
        /** A PodDisruptionBudget forbids it for now. */
        WAITING("waiting");

        private final String label;

        EndOutcome(String label) {
            this.label = label;
        }
    }

    /**
     * Registers the metrics; what was counted before is lost.
     *
     * @param pods counts the pods that are not bound
     * @param profiles the names by which pods name this scheduler
     */
    public void register(MetricRegistry metrics, PodScheduling pods, Collection<String> profiles) {
        registry = metrics;
        for (PendingQueue queue : PendingQueue.values()) {
            metrics.gauge(
                    PENDING,
                    "Pods that are not bound, by what they wait for.",
                    () -> pods.pending().getOrDefault(queue, 0),
                    "queue",
                    queue.label());
        }
        for (String profile : profiles) {
            for (Result result : Result.values()) {
                attempts(result, profile);
            }
        }
        for (EndOutcome outcome : EndOutcome.values()) {
            ends(outcome);
        }
        durations(1);
    }

    private Runnable attempts(Result result, String profile) {
        return registry.counter(
                ATTEMPTS,
                "Attempts to schedule pods: bound, waiting for another kind of reason than before, or not bound"
                        + " because of an error.",
                "profile",
                profile,
                "result",
                result.label());
    }

    private Runnable ends(EndOutcome outcome) {
        return registry.counter(
                ENDS,
                "Outcomes of requests to evict or delete pods of tasks that are to stop.",
                "outcome",
                outcome.label);
    }

    private Consumer<Duration> durations(int attempts) {
        return registry.histogram(
                DURATION,
                "Time from the first observation of a pod without gates to its binding.",
                BUCKETS,
                "attempts",
                attempts > ATTEMPTS_MAX ? ATTEMPTS_MAX + "+" : String.valueOf(attempts));
    }

    @Override
    public void attempted(Result result, String profile) {
        attempts(result, profile).run();
    }

    @Override
    public void scheduled(Duration duration, int attempts) {
        durations(attempts).accept(duration);
    }

    /** Counts the outcome of a request to stop a pod. */
    public void ended(EndOutcome outcome) {
        ends(outcome).run();
    }

    /**
     * Counts a request to the API server.
     *
     * @param code the status code, or {@code <error>} if there was no answer, as in client-go
     */
    void requested(String method, String code) {
        registry.counter(
                        REQUESTS,
                        "Requests to the API server, by status code and method.",
                        "code",
                        code,
                        "method",
                        method)
                .run();
    }
}
