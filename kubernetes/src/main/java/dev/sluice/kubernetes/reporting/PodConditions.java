package dev.sluice.kubernetes.reporting;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.PacedQueue;
import dev.sluice.kubernetes.request.RequestTimer;
import dev.sluice.kubernetes.request.TokenBucket;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows in the status of pods why they wait: in the condition {@code PodScheduled}, and in {@code nominatedNodeName}.
 *
 * <p>A pod is written only if its status says something else than the newest reason, and while the reason is of the
 * same kind at most once per interval. A patch names the unique id and the version of the pod, so it changes neither a
 * later pod with the name nor one that has been bound meanwhile. What is refused for now is repeated with growing
 * delays; of a pod that is bound or gone nothing is kept.
 *
 * <p>Thread-safe. No method waits for a request.
 */
public final class PodConditions {

    private final ApiRequests requests;
    private final RequestTimer timer;
    private final InstantSource clock;
    private final long interval;
    private final Backoff backoff;
    private final ConditionListener listener;
    private final PacedQueue<String> queue;
    private final Map<String, Entry> entries = new HashMap<>();

    /** A pod that is not bound. */
    private static final class Entry {

        private final PodRef pod;
        private ObservedCondition observed;
        private @Nullable PendingPod desired;

        /** What was shown last, and from when on another message of its kind may be shown. */
        private @Nullable PendingPod shown;

        private long nextMessageAt;

        /** What the server has refused for good. */
        private @Nullable PendingPod refused;

        /** The version that the server no longer has. */
        private String outdated = "";

        private int failures;
        private long repeatAt;
        private boolean inFlight;
        private boolean timed;

        Entry(PodRef pod, ObservedCondition observed, long now) {
            this.pod = pod;
            this.observed = observed;
            this.nextMessageAt = now;
            this.repeatAt = now;
        }

        boolean needsWrite() {
            PendingPod wanted = desired;
            return wanted != null
                    && !inFlight
                    && !observed.isGated()
                    && !observed.shows(wanted)
                    && (observed.isFalse() || !wanted.mayStartNext())
                    && !observed.version().equals(outdated)
                    && !wanted.equals(refused);
        }

        boolean isNewKind(PendingPod wanted) {
            PendingPod before = shown;
            return before == null || !wanted.isLike(before);
        }
    }

    /**
     * Creates an instance.
     *
     * @param client the client, which remains the caller's to close, and must not repeat requests itself
     * @param timer executes the requests; it remains the caller's to close
     * @param clock the time of conditions
     * @param perSecond the average number of requests per second; as many may follow each other at once
     * @param interval the minimum time between two messages of a pod for the same kind of reason
     * @param backoff the delays after which a request is repeated; the number of attempts does not matter
     * @param listener receives what is written
     */
    public PodConditions(
            KubernetesClient client,
            RequestTimer timer,
            InstantSource clock,
            double perSecond,
            Duration interval,
            Backoff backoff,
            ConditionListener listener) {
        this.requests = new ApiRequests(client);
        this.timer = timer;
        this.clock = clock;
        this.interval = interval.toNanos();
        this.backoff = backoff;
        this.listener = listener;
        int burst = Math.max(1, (int) perSecond);
        this.queue = new PacedQueue<>(timer, new TokenBucket(perSecond, burst, timer.nanos()), this::write);
    }

    /** Receives a pod of this scheduler as it is in the cluster; to be called for each of its versions. */
    public synchronized void observed(Pod pod) {
        String uid = pod.getMetadata().getUid();
        String node = pod.getSpec().getNodeName();
        if ((node != null && !node.isEmpty()) || pod.getMetadata().getDeletionTimestamp() != null) {
            removed(uid);
            return;
        }
        ObservedCondition observed = ObservedCondition.of(pod);
        Entry entry = entries.get(uid);
        if (entry == null) {
            PodRef ref = new PodRef(
                    pod.getMetadata().getNamespace(), pod.getMetadata().getName(), uid);
            entries.put(uid, new Entry(ref, observed, timer.nanos()));
        } else if (observed.isNewerThan(entry.observed)) {
            entry.observed = observed;
            evaluate(entry);
        }
    }

    /** Forgets a pod that is gone. */
    public synchronized void removed(String uid) {
        entries.remove(uid);
        queue.remove(uid);
    }

    /** Shows why a pod waits, instead of what was to be shown before. Has no effect for pods that are not observed. */
    public synchronized void show(PendingPod pod) {
        Entry entry = entries.get(pod.pod().uid());
        if (entry != null) {
            entry.desired = pod;
            evaluate(entry);
        }
    }

    /** Writes nothing more to a pod until its next reason: to be called before it is bound. */
    public synchronized void withdraw(String uid) {
        Entry entry = entries.get(uid);
        if (entry != null) {
            entry.desired = null;
            queue.remove(uid);
        }
    }

    /** Returns the number of pods that wait for a request. */
    public int backlog() {
        return queue.size();
    }

    /** Returns the number of pods that are kept: those that are observed, and not bound. */
    public synchronized int size() {
        return entries.size();
    }

    private void evaluate(Entry entry) {
        PendingPod wanted = entry.desired;
        if (wanted == null || !entry.needsWrite()) {
            queue.remove(entry.pod.uid());
            return;
        }
        long now = timer.nanos();
        long delay = entry.repeatAt - now;
        if (!entry.isNewKind(wanted)) {
            delay = Math.max(delay, entry.nextMessageAt - now);
        }
        if (delay <= 0) {
            queue.add(entry.pod.uid());
        } else if (!entry.timed) {
            entry.timed = true;
            timer.schedule(() -> due(entry), delay);
        }
    }

    private synchronized void due(Entry entry) {
        entry.timed = false;
        if (isKnown(entry)) {
            evaluate(entry);
        }
    }

    private boolean isKnown(Entry entry) {
        return entries.get(entry.pod.uid()) == entry;
    }

    private void write(String uid) {
        Entry entry;
        PendingPod wanted;
        ObservedCondition before;
        synchronized (this) {
            entry = entries.get(uid);
            wanted = entry == null ? null : entry.desired;
            if (entry == null || wanted == null || !entry.needsWrite()) {
                return;
            }
            entry.inFlight = true;
            before = entry.observed;
        }
        ApiAnswer answer = requests.patch(ApiRequests.path(entry.pod) + "/status", patch(wanted, before));
        boolean isNewKind;
        boolean isRefused;
        synchronized (this) {
            entry.inFlight = false;
            isNewKind = entry.isNewKind(wanted);
            isRefused = settle(entry, wanted, before, answer);
            if (isKnown(entry)) {
                evaluate(entry);
            }
        }
        if (answer.isSuccess()) {
            listener.shown(wanted, isNewKind);
        } else if (isRefused) {
            listener.failed(entry.pod, answer.reason());
        }
    }

    /** Records an answer; returns whether the request was refused for good. */
    private boolean settle(Entry entry, PendingPod wanted, ObservedCondition before, ApiAnswer answer) {
        if (answer.isSuccess()) {
            entry.failures = 0;
            entry.shown = wanted;
            entry.nextMessageAt = timer.nanos() + interval;
            ObservedCondition written = ObservedCondition.of(answer.body());
            if (written.isNewerThan(entry.observed)) {
                entry.observed = written;
            }
        } else if (answer.isNotFound()) {
            entries.remove(entry.pod.uid(), entry);
        } else if (answer.isConflict()) {
            entry.outdated = before.version(); // a newer version will be observed
        } else if (answer.isTransient()) {
            entry.failures++;
            entry.repeatAt = timer.nanos()
                    + backoff.after(entry.failures, answer.retryAfter()).toNanos();
        } else {
            entry.refused = wanted;
            return true;
        }
        return false;
    }

    private ObjectNode patch(PendingPod wanted, ObservedCondition before) {
        ObjectNode patch = ApiRequests.object();
        patch.putObject("metadata").put("uid", wanted.pod().uid()).put("resourceVersion", before.version());
        ObjectNode status = patch.putObject("status");
        ObjectNode condition = status.putArray("conditions")
                .addObject()
                .put("type", ObservedCondition.TYPE)
                .put("status", "False")
                .put("reason", wanted.conditionReason())
                .put("message", wanted.message());
        if (!before.isFalse()) {
            condition.put(
                    "lastTransitionTime",
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        if (!before.isNominatedNode(wanted.nominatedNode())) {
            status.put("nominatedNodeName", wanted.nominatedNode());
        }
        return patch;
    }
}
