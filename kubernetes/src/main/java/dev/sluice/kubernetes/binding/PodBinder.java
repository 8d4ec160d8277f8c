package dev.sluice.kubernetes.binding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.RequestThreads;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;

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

    private final ApiRequests requests;
    private final Backoff backoff;
    private final BindingListener listener;
    private final RequestThreads threads;

    /**
     * Creates a binder.
     *
     * @param client the client, which remains the caller's to close
     * @param parallel the maximum number of requests at a time
     * @param backoff how often a request is repeated
     * @param listener receives the outcomes
     */
    public PodBinder(KubernetesClient client, int parallel, Backoff backoff, BindingListener listener) {
        this.requests = new ApiRequests(client);
        this.backoff = backoff;
        this.listener = listener;
        this.threads = new RequestThreads("pod-binder", parallel);
    }

    /** Binds a pod to a node. After {@link #close} it has no effect. */
    public void bind(PodRef pod, String node) {
        bind(pod, node, Duration.ZERO);
    }

    /** Binds a pod to a node after a delay. */
    public void bind(PodRef pod, String node, Duration delay) {
        bind(pod, node, Map.of(), delay);
    }

    /**
     * Binds a pod to a node after a delay.
     *
     * @param annotations what the binding adds to the annotations of the pod
     */
    public void bind(PodRef pod, String node, Map<String, String> annotations, Duration delay) {
        schedule(new Binding(pod, node, Map.copyOf(annotations)), 1, delay);
    }

    private record Binding(PodRef pod, String node, Map<String, String> annotations) {

        private ObjectNode json() {
            ObjectNode json = ApiRequests.object().put("apiVersion", "v1").put("kind", "Binding");
            ObjectNode metadata = json.putObject("metadata")
                    .put("namespace", pod.namespace())
                    .put("name", pod.name())
                    .put("uid", pod.uid());
            if (!annotations.isEmpty()) {
                ObjectNode added = metadata.putObject("annotations");
                annotations.forEach(added::put);
            }
            json.putObject("target").put("apiVersion", "v1").put("kind", "Node").put("name", node);
            return json;
        }
    }

    private void schedule(Binding binding, int attempt, Duration delay) {
        threads.schedule(() -> attempt(binding, attempt), delay.toNanos());
    }

    private void attempt(Binding binding, int attempt) {
        PodRef pod = binding.pod();
        String node = binding.node();
        // not …/bindings: for that path the API server ignores the unique id
        ApiAnswer answer = requests.post(ApiRequests.path(pod) + "/binding", binding.json());
        if (answer.isSuccess()) {
            listener.bound(pod, node);
        } else if (!answer.isConflict() && !answer.isTransient()) {
            listener.failed(pod, node, answer.reason());
        } else if (!answer.isConflict() && attempt < backoff.attempts()) {
            schedule(binding, attempt + 1, backoff.after(attempt, answer.retryAfter()));
        } else {
            settle(binding, attempt, answer);
        }
    }

    /** Finds out whether the pod is bound although a request failed. */
    private void settle(Binding binding, int attempt, ApiAnswer problem) {
        PodRef pod = binding.pod();
        String node = binding.node();
        ApiAnswer present = requests.get(ApiRequests.path(pod));
        String uid = present.body().at("/metadata/uid").asText();
        if (present.isNotFound() || (present.isSuccess() && !uid.equals(pod.uid()))) {
            listener.failed(pod, node, "pod " + pod + " no longer exists");
            return;
        }
        // without an answer, whether it is bound shows later, when the cluster is compared
        String bound = present.isSuccess() ? present.body().at("/spec/nodeName").asText() : "";
        if (bound.equals(node)) {
            listener.bound(pod, node);
        } else if (!bound.isEmpty()) {
            listener.failed(pod, node, "pod " + pod + " is bound to node " + bound);
        } else if (attempt < backoff.attempts()) {
            schedule(binding, attempt + 1, backoff.after(attempt, problem.retryAfter()));
        } else {
            listener.failed(pod, node, problem.reason());
        }
    }

    /** Stops binding. What is not bound yet is left as it is, without a report. */
    @Override
    public void close() {
        threads.close();
    }
}
