package dev.sluice.kubernetes.eviction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stops pods, several at a time.
 *
 * <p>A preempted pod is marked with the condition {@code DisruptionTarget}, so that the failure policy of its job does
 * not count its end, and is evicted. While a PodDisruptionBudget forbids that, the eviction is repeated with growing
 * delays, without a limit. A pod that its user has cancelled is deleted, which no budget prevents.
 *
 * <p>Requests name the unique id of the pod, so a later pod with the same name is never stopped instead. Requests that
 * are refused for now, or whose outcome is unknown, are repeated after a delay, without a thread that waits.
 *
 * <p>Thread-safe. {@link #preempt} and {@link #delete} return at once. While a pod is being stopped, further requests
 * for it have no outcome of their own; only {@link #delete} replaces an eviction.
 */
public final class PodEvictor implements AutoCloseable {

    /** How {@code kube-apiserver} names the budget that forbids an eviction. */
    private static final Pattern BUDGET = Pattern.compile("The disruption budget (\\S+) ");

    private static final String BUDGET_CAUSE = "DisruptionBudget";

    private final ApiRequests requests;
    private final Backoff backoff;
    private final InstantSource clock;
    private final EvictionListener listener;
    private final ScheduledThreadPoolExecutor threads;
    private final ConcurrentMap<String, Stop> stops = new ConcurrentHashMap<>();

    /** A request; its steps are executed one after the other. */
    private static final class Stop {

        private final PodRef pod;

        /** Why the pod is preempted, or null if it is deleted. */
        private final @Nullable String preemption;

        private final @Nullable Duration gracePeriod;
        private boolean marked;
        private int attempts;
        private int refusalsOfBudgets;
        private String waiting = "";

        Stop(PodRef pod, @Nullable String preemption, @Nullable Duration gracePeriod) {
            this.pod = pod;
            this.preemption = preemption;
            this.gracePeriod = gracePeriod;
        }
    }

    /**
     * Creates an evictor.
     *
     * @param client the client, which remains the caller's to close, and must not repeat requests itself
     * @param parallel the maximum number of requests at a time
     * @param backoff how often a request is repeated; an eviction that a budget forbids is repeated for ever, with
     *     these delays
     * @param clock the time, for conditions of pods
     * @param listener receives the outcomes
     */
    public PodEvictor(
            KubernetesClient client, int parallel, Backoff backoff, InstantSource clock, EvictionListener listener) {
        this.requests = new ApiRequests(client);
        this.backoff = backoff;
        this.clock = clock;
        this.listener = listener;
        this.threads = new ScheduledThreadPoolExecutor(parallel, step -> {
            Thread thread = new Thread(step, "pod-evictor");
            thread.setDaemon(true);
            return thread;
        });
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Evicts a pod in favor of another one. After {@link #close} it has no effect.
     *
     * @param message why, for the condition of the pod
     * @param gracePeriod how long the pod may take to end; null for as long as it asks for itself
     */
    public void preempt(PodRef pod, String message, @Nullable Duration gracePeriod) {
        begin(new Stop(pod, message, gracePeriod));
    }

    /**
     * Deletes a pod, whatever budgets say. After {@link #close} it has no effect.
     *
     * @param gracePeriod how long the pod may take to end; null for as long as it asks for itself
     */
    public void delete(PodRef pod, @Nullable Duration gracePeriod) {
        begin(new Stop(pod, null, gracePeriod));
    }

    private void begin(Stop stop) {
        Stop current = stops.merge(stop.pod.uid(), stop, (known, next) -> {
            boolean replaces = known.preemption != null && next.preemption == null;
            return replaces ? next : known;
        });
        if (current == stop) {
            schedule(stop, Duration.ZERO);
        }
    }

    private void schedule(Stop stop, Duration delay) {
        try {
            var unused = threads.schedule(() -> step(stop), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // the next server finds in the cluster which pods still run
            return;
        }
    }

    private boolean isCurrent(Stop stop) {
        return stops.get(stop.pod.uid()) == stop && !threads.isShutdown();
    }

    private void step(Stop stop) {
        if (!isCurrent(stop)) {
            return;
        }
        if (stop.preemption != null && !stop.marked) {
            ApiAnswer answer = requests.patch(ApiRequests.path(stop.pod) + "/status", mark(stop.pod, stop.preemption));
            if (answer.isNotFound() || answer.isConflict() || answer.isTransient()) {
                refused(stop, answer);
                return;
            }
            stop.marked = true; // also if that is refused: the eviction does not depend on it
        }
        ApiAnswer answer = stop.preemption == null
                ? requests.delete(ApiRequests.path(stop.pod), options(stop))
                : requests.post(ApiRequests.path(stop.pod) + "/eviction", eviction(stop));
        if (answer.isSuccess()) {
            if (finish(stop)) {
                listener.stopping(stop.pod);
            }
        } else {
            refused(stop, answer);
        }
    }

    private void refused(Stop stop, ApiAnswer answer) {
        if (answer.isNotFound() || (answer.isConflict() && isGone(stop.pod))) {
            reportGone(stop);
            return;
        }
        String budget = budget(answer);
        if (budget != null && isGone(stop.pod)) { // the API server checks budgets before the unique id
            reportGone(stop);
            return;
        }
        if (budget != null) {
            waitFor(stop, budget, answer.retryAfter());
            return;
        }
        stop.attempts++;
        boolean again = answer.isTransient() || answer.isConflict();
        if (again && stop.attempts < backoff.attempts()) {
            schedule(stop, backoff.after(stop.attempts, answer.retryAfter()));
        } else if (finish(stop)) {
            listener.failed(stop.pod, answer.reason());
        }
    }

    private void reportGone(Stop stop) {
        if (finish(stop)) {
            listener.gone(stop.pod);
        }
    }

    private void waitFor(Stop stop, String budget, Duration asked) {
        stop.attempts = 0;
        stop.refusalsOfBudgets++;
        String waiting = "waiting for PodDisruptionBudget "
                + (budget.isEmpty() ? "of " + stop.pod.name() : stop.pod.namespace() + "/" + budget);
        if (!waiting.equals(stop.waiting) && isCurrent(stop)) {
            stop.waiting = waiting;
            listener.waiting(stop.pod, waiting);
        }
        schedule(stop, backoff.after(stop.refusalsOfBudgets, asked));
    }

    /** Returns whether the pod is gone, although a later one may have its name; false if that is not known. */
    private boolean isGone(PodRef pod) {
        ApiAnswer present = requests.get(ApiRequests.path(pod));
        return present.isNotFound()
                || (present.isSuccess()
                        && !pod.uid().equals(present.body().at("/metadata/uid").asText()));
    }

    /** Returns the name of the budget that forbids an eviction, empty if unknown; null if another reason does. */
    private static @Nullable String budget(ApiAnswer answer) {
        if (answer.isTooManyRequests()) {
            for (JsonNode cause : answer.body().at("/details/causes")) {
                if (cause.path("reason").asText().equals(BUDGET_CAUSE)) {
                    Matcher matcher = BUDGET.matcher(cause.path("message").asText());
                    return matcher.find() ? matcher.group(1) : "";
                }
            }
        }
        return null;
    }

    /** Returns whether the outcome of this request is still to be reported; it is not after {@link #close}. */
    private boolean finish(Stop stop) {
        return !threads.isShutdown() && stops.remove(stop.pod.uid(), stop);
    }

    /** The condition that kube-scheduler sets, too. Without its time the controller of disruptions would reset it. */
    private ObjectNode mark(PodRef pod, String message) {
        ObjectNode patch = ApiRequests.object();
        patch.putObject("metadata").put("uid", pod.uid());
        patch.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "DisruptionTarget")
                .put("status", "True")
                .put("reason", "PreemptionByScheduler")
                .put("message", message)
                .put(
                        "lastTransitionTime",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        return patch;
    }

    private static ObjectNode eviction(Stop stop) {
        ObjectNode eviction =
                ApiRequests.object().put("apiVersion", "policy/v1").put("kind", "Eviction");
        eviction.putObject("metadata").put("namespace", stop.pod.namespace()).put("name", stop.pod.name());
        eviction.set("deleteOptions", options(stop));
        return eviction;
    }

    private static ObjectNode options(Stop stop) {
        ObjectNode options = ApiRequests.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
        if (stop.gracePeriod != null) {
            options.put("gracePeriodSeconds", stop.gracePeriod.toSeconds());
        }
        options.putObject("preconditions").put("uid", stop.pod.uid());
        return options;
    }

    /** Stops sending requests. What is in progress has no outcome. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
