package dev.sluice.kubernetes.creation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.RequestTimer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes pods that were created, some time after their end. Requests name the unique id; those that fail for now are
 * repeated. Thread-safe; returns at once.
 */
public final class PodRemover {

    private static final Logger LOG = LoggerFactory.getLogger(PodRemover.class);

    private final ApiRequests requests;
    private final RequestTimer timer;
    private final Backoff backoff;

    /** Creates a remover; the timer executes the requests. */
    public PodRemover(ApiRequests requests, RequestTimer timer, Backoff backoff) {
        this.requests = requests;
        this.timer = timer;
        this.backoff = backoff;
    }

    /** Deletes a pod after a delay. */
    public void remove(PodRef pod, Duration delay) {
        timer.schedule(() -> attempt(pod, 1), delay.toNanos());
    }

    private void attempt(PodRef pod, int attempt) {
        ObjectNode options = ApiRequests.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.putObject("preconditions").put("uid", pod.uid());
        ApiAnswer answer = requests.delete(ApiRequests.path(pod), options);
        if (answer.isTransient() && attempt < backoff.attempts()) {
            timer.schedule(
                    () -> attempt(pod, attempt + 1),
                    backoff.after(attempt, answer.retryAfter()).toNanos());
        } else if (!answer.isSuccess() && !answer.isNotFound() && !answer.isConflict()) {
            LOG.warn("cannot delete a pod that has ended: pod={}, reason={}", pod, answer.reason());
        }
    }
}
