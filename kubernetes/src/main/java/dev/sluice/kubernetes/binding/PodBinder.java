package dev.sluice.kubernetes.binding;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Binds pods to nodes, several at a time.
 *
 * <p>A binding names the unique id of the pod, so a later pod with the same name is never bound instead. Requests
 * that are refused for now (429), or whose outcome is unknown (5xx, a broken connection), are repeated after a delay,
 * without a thread that waits. A conflict may be the answer to a repetition of a request that succeeded, so the pod
 * decides: it is bound to this node, to another one, or gone. The client must not repeat requests itself.
 *
 * <p>Thread-safe. {@link #bind} returns at once.
 */
public final class PodBinder implements AutoCloseable {

    private static final int TOO_MANY_REQUESTS = 429;

    private final KubernetesClient client;
    private final Backoff backoff;
    private final BindingListener listener;
    private final ScheduledThreadPoolExecutor threads;

    /**
     * Creates a binder.
     *
     * @param client the client, which remains the caller's to close
     * @param parallel the maximum number of requests at a time
     * @param backoff how often a request is repeated
     * @param listener receives the outcomes
     */
    public PodBinder(KubernetesClient client, int parallel, Backoff backoff, BindingListener listener) {
        this.client = client;
        this.backoff = backoff;
        this.listener = listener;
        this.threads = new ScheduledThreadPoolExecutor(parallel, step -> {
            Thread thread = new Thread(step, "pod-binder");
            thread.setDaemon(true);
            return thread;
        });
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Binds a pod to a node. After {@link #close} it has no effect. */
    public void bind(PodRef pod, String node) {
        bind(pod, node, Duration.ZERO);
    }

    /** Binds a pod to a node after a delay. */
    public void bind(PodRef pod, String node, Duration delay) {
        schedule(pod, node, 1, delay);
    }

    private void schedule(PodRef pod, String node, int attempt, Duration delay) {
        try {
            var unused = threads.schedule(() -> attempt(pod, node, attempt), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // the next server finds in the cluster whether the pod is bound
            return;
        }
    }

    private void attempt(PodRef pod, String node, int attempt) {
        KubernetesClientException problem;
        try {
            // not client.bindings(): for that path the API server ignores the unique id
            String unused = client.raw(
                    "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/binding",
                    "POST",
                    binding(pod, node));
            listener.bound(pod, node);
            return;
        } catch (KubernetesClientException e) {
            problem = e;
        }
        boolean conflict = problem.getCode() == HttpURLConnection.HTTP_CONFLICT;
        if (!conflict && !isTransient(problem)) {
            listener.failed(pod, node, reason(problem));
            return;
        }
        boolean last = attempt >= backoff.attempts();
        if (!conflict && !last) {
            schedule(pod, node, attempt + 1, backoff.after(attempt, retryAfter(problem)));
        } else {
            settle(pod, node, attempt, problem);
        }
    }

    /** Finds out whether the pod is bound although a request failed. */
    private void settle(PodRef pod, String node, int attempt, KubernetesClientException problem) {
        String bound;
        try {
            Pod present = client.pods()
                    .inNamespace(pod.namespace())
                    .withName(pod.name())
                    .get();
            if (present == null || !pod.uid().equals(present.getMetadata().getUid())) {
                listener.failed(pod, node, "pod " + pod + " no longer exists");
                return;
            }
            bound = present.getSpec().getNodeName();
        } catch (KubernetesClientException e) {
            bound = null; // whether it is bound shows later, when the cluster is compared
        }
        if (node.equals(bound)) {
            listener.bound(pod, node);
        } else if (bound != null && !bound.isEmpty()) {
            listener.failed(pod, node, "pod " + pod + " is bound to node " + bound);
        } else if (attempt < backoff.attempts()) {
            schedule(pod, node, attempt + 1, backoff.after(attempt, retryAfter(problem)));
        } else {
            listener.failed(pod, node, reason(problem));
        }
    }

    private static Binding binding(PodRef pod, String node) {
        return new BindingBuilder()
                .withNewMetadata()
                .withNamespace(pod.namespace())
                .withName(pod.name())
                .withUid(pod.uid())
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build();
    }

    /** Returns whether the same request may succeed later. */
    private static boolean isTransient(KubernetesClientException problem) {
        int code = problem.getCode();
        return isUnanswered(problem) || code == TOO_MANY_REQUESTS || code >= HttpURLConnection.HTTP_INTERNAL_ERROR;
    }

    private static boolean isUnanswered(KubernetesClientException problem) {
        return problem.getCode() <= 0;
    }

    private static Duration retryAfter(KubernetesClientException problem) {
        Status status = problem.getStatus();
        Integer seconds = status == null || status.getDetails() == null
                ? null
                : status.getDetails().getRetryAfterSeconds();
        return seconds == null ? Duration.ZERO : Duration.ofSeconds(seconds);
    }

    private static String reason(KubernetesClientException problem) {
        if (isUnanswered(problem)) {
            Throwable cause = problem.getCause();
            return "no answer from the API server: " + (cause == null ? problem : cause).getMessage();
        }
        Status status = problem.getStatus();
        String message = status == null ? null : status.getMessage();
        return "the API server answered " + problem.getCode() + ": "
                + (message == null ? problem.getMessage() : message);
    }

    /** Stops binding. What is not bound yet is left as it is, without a report. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
