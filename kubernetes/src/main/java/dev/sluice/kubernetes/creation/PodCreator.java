package dev.sluice.kubernetes.creation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.RequestTimer;
import java.net.HttpURLConnection;
import java.time.Duration;

/**
 * Creates pods, several at a time.
 *
 * <p>The name of a pod follows from its run, so a request that is repeated, by this program or by the next one after a
 * crash, creates no second pod: the conflict is settled by reading the pod, which is adopted if it is that of the run.
 * Requests that are refused for now, or whose outcome is unknown, are repeated after a delay, without a thread that
 * waits. Fields that the API server does not know are refused.
 *
 * <p>Thread-safe. All methods return at once.
 */
public final class PodCreator {

    /** How {@code kube-apiserver} begins the reason of a refusal by a ResourceQuota, which may end. */
    private static final String QUOTA = "exceeded quota";

    private final ApiRequests requests;
    private final RequestTimer timer;
    private final Backoff backoff;
    private final CreationListener listener;

    /**
     * Creates a creator.
     *
     * @param timer executes the requests
     * @param backoff how often a request is repeated
     * @param listener receives the outcomes
     */
    public PodCreator(ApiRequests requests, RequestTimer timer, Backoff backoff, CreationListener listener) {
        this.requests = requests;
        this.timer = timer;
        this.backoff = backoff;
        this.listener = listener;
    }

    /** Creates a pod after a delay. */
    public void create(NewPod pod, Duration delay) {
        schedule(pod, 1, delay);
    }

    /** Finds out whether a pod that was created still exists; reports only if it is gone. */
    public void check(NewPod pod) {
        timer.schedule(
                () -> {
                    if (requests.get(path(pod)).isNotFound()) {
                        listener.gone(pod);
                    }
                },
                0);
    }

    private void schedule(NewPod pod, int attempt, Duration delay) {
        timer.schedule(() -> attempt(pod, attempt), delay.toNanos());
    }

    private void attempt(NewPod pod, int attempt) {
        ApiAnswer answer =
                requests.post("/api/v1/namespaces/" + pod.namespace() + "/pods?fieldValidation=Strict", pod.manifest());
        if (answer.isSuccess()) {
            listener.created(pod);
        } else if (answer.isConflict()) {
            settle(pod, attempt);
        } else if (!answer.isTransient()) {
            boolean quota = answer.code() == HttpURLConnection.HTTP_FORBIDDEN
                    && answer.body().path("message").asText().contains(QUOTA);
            listener.failed(pod, answer.reason(), !quota);
        } else {
            repeat(pod, attempt, answer);
        }
    }

    /** Finds out whose pod has the name. */
    private void settle(NewPod pod, int attempt) {
        ApiAnswer present = requests.get(path(pod));
        if (present.isSuccess()) {
            if (isSame(present.body(), pod)) {
                listener.created(pod);
            } else {
                listener.failed(pod, "pod " + pod + " exists and is not that of the run: delete it", true);
            }
        } else if (present.isNotFound() || present.isTransient()) {
            repeat(pod, attempt, present);
        } else {
            listener.failed(pod, present.reason(), false);
        }
    }

    /** After the last attempt the pod may exist nevertheless; it is then one of a run that has ended. */
    private void repeat(NewPod pod, int attempt, ApiAnswer answer) {
        if (attempt < backoff.attempts()) {
            schedule(pod, attempt + 1, backoff.after(attempt, answer.retryAfter()));
        } else {
            listener.failed(pod, answer.reason(), false);
        }
    }

    private static boolean isSame(JsonNode present, NewPod pod) {
        JsonNode annotations = present.at("/metadata/annotations");
        boolean sameRun = pod.run().annotations().entrySet().stream()
                .allMatch(each ->
                        each.getValue().equals(annotations.path(each.getKey()).asText()));
        return sameRun
                && present.at("/spec/schedulerName").equals(pod.manifest().at("/spec/schedulerName"));
    }

    private static String path(NewPod pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }
}
