package dev.sluice.kubernetes.reporting;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.PacedQueue;
import dev.sluice.kubernetes.request.RequestTimer;
import dev.sluice.kubernetes.request.TokenBucket;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates events ({@code events.k8s.io/v1}) about pods and other objects.
 *
 * <p>An event that is repeated is counted in its series and not created again. New events are limited per object,
 * requests per second; what exceeds a limit, and what the API server finally refuses, is dropped and counted.
 *
 * <p>Thread-safe. No method waits for a request.
 */
public final class PodEvents {

    private static final String PATH = "/apis/events.k8s.io/v1/namespaces/";

    private final ApiRequests requests;
    private final RequestTimer timer;
    private final InstantSource clock;
    private final String instance;
    private final EventLimits limits;
    private final Backoff backoff;
    private final Consumer<String> problems;
    private final PacedQueue<Series> queue;
    private final Map<PodEvent, Series> series;
    private final Map<ObjectReference, TokenBucket> objects;
    private long sequence;
    private long dropped;

    /** An event and its repetitions; guarded by the lock of the events. */
    private static final class Series {

        private final PodEvent event;
        private final String name;
        private final Instant first;
        private Instant last;
        private long lastNanos;
        private long count = 1;
        private long written;
        private long nextWriteAt;
        private int failures;
        private boolean timed;

        Series(PodEvent event, String name, Instant first, long nanos) {
            this.event = event;
            this.name = name;
            this.first = first;
            this.last = first;
            this.lastNanos = nanos;
            this.nextWriteAt = nanos;
        }
    }

    /** Remembers what was used last, up to a maximum. */
    private static final class Recent<K, V> extends LinkedHashMap<K, V> {

        private static final long serialVersionUID = 1;

        private final int max;

        Recent(int max) {
            super(16, 0.75f, true);
            this.max = max;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > max;
        }
    }

    /**
     * Creates an instance.
     *
     * @param client the client, which remains the caller's to close, and must not repeat requests itself
     * @param timer executes the requests; it remains the caller's to close
     * @param clock the time of events
     * @param instance the name of this scheduler among several, such as that of its pod
     * @param limits how many events are created
     * @param backoff how often a request is repeated
     * @param problems receives why events were not accepted
     */
    public PodEvents(
            KubernetesClient client,
            RequestTimer timer,
            InstantSource clock,
            String instance,
            EventLimits limits,
            Backoff backoff,
            Consumer<String> problems) {
        this.requests = new ApiRequests(client);
        this.timer = timer;
        this.clock = clock;
        this.instance = instance;
        this.limits = limits;
        this.backoff = backoff;
        this.problems = problems;
        int burst = Math.max(1, (int) limits.perSecond());
        this.queue = new PacedQueue<>(timer, new TokenBucket(limits.perSecond(), burst, timer.nanos()), this::write);
        this.series = new Recent<>(limits.rememberedMax());
        this.objects = new Recent<>(limits.rememberedMax());
    }

    /** A pod was bound to a node. */
    public void scheduled(PodRef pod, String node) {
        record(reference(pod), null, false, "Binding", "Scheduled", "assigned " + pod + " to " + node);
    }

    /** A pod waits, for this reason. */
    public void failedScheduling(PodRef pod, String message) {
        record(reference(pod), null, true, "Scheduling", "FailedScheduling", message);
    }

    /**
     * A pod is preempted.
     *
     * @param beneficiary the pod that is to start instead, or null if that is not a pod
     */
    public void preempted(PodRef pod, @Nullable PodRef beneficiary, String message) {
        ObjectReference related = beneficiary == null ? null : reference(beneficiary);
        record(reference(pod), related, false, "Preempting", "Preempted", message);
    }

    /** A pod is refused and never scheduled as it is. */
    public void refused(PodRef pod, String message) {
        refused(reference(pod), message);
    }

    /** Another object is refused, such as a configuration in a ConfigMap. */
    public void refused(ObjectReference object, String message) {
        record(object, null, true, "Scheduling", "Refused", message);
    }

    private static ObjectReference reference(PodRef pod) {
        return new ObjectReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Pod")
                .withNamespace(pod.namespace())
                .withName(pod.name())
                .withUid(pod.uid())
                .build();
    }

    private synchronized void record(
            ObjectReference regarding,
            @Nullable ObjectReference related,
            boolean isWarning,
            String action,
            String reason,
            String note) {
        PodEvent event = new PodEvent(regarding, related, isWarning, action, reason, note);
        long now = timer.nanos();
        Series known = series.get(event);
        if (known != null && now - known.lastNanos < limits.seriesEnd().toNanos()) {
            known.count++;
            known.last = clock.instant();
            known.lastNanos = now;
            writeLater(known);
            return;
        }
        TokenBucket object = objects.computeIfAbsent(
                regarding, key -> new TokenBucket(limits.perObjectPerSecond(), limits.perObjectBurst(), now));
        if (queue.size() >= limits.waitingMax() || !object.take(now)) {
            dropped++;
            return;
        }
        Instant at = clock.instant();
        String unique =
                Long.toHexString(at.getEpochSecond() * 1_000_000_000 + at.getNano()) + Long.toHexString(sequence);
        Series begun = new Series(event, event.name(unique), at, now);
        sequence++;
        series.put(event, begun);
        queue.add(begun);
    }

    /** Writes the number of repetitions when the interval has passed. */
    private void writeLater(Series repeated) {
        if (!repeated.timed && repeated.written > 0) {
            repeated.timed = true;
            timer.schedule(() -> due(repeated), Math.max(0, repeated.nextWriteAt - timer.nanos()));
        }
    }

    private synchronized void due(Series repeated) {
        repeated.timed = false;
        queue.add(repeated);
    }

    private void write(Series written) {
        ApiAnswer answer;
        long count;
        ObjectNode body;
        String path = PATH + written.event.namespace() + "/events";
        boolean isNew;
        synchronized (this) {
            count = written.count;
            isNew = written.written == 0;
            body = isNew ? written.event.json(written.name, instance, written.first) : series(written);
        }
        answer = isNew ? requests.post(path, body) : requests.patch(path + "/" + written.name, body);
        boolean isAccepted = answer.isSuccess() || (isNew && answer.isConflict());
        boolean isFinal;
        synchronized (this) {
            isFinal = settle(written, isAccepted, isNew ? 1 : count, answer);
        }
        if (isFinal && !isAccepted) {
            problems.accept("event " + written.event.reason() + " of " + written.event.namespace() + "/"
                    + written.event.regarding().getName() + ": " + answer.reason());
        }
    }

    /** Records an answer; returns whether it is the last one to this request. */
    private boolean settle(Series settled, boolean isAccepted, long count, ApiAnswer answer) {
        if (isAccepted) {
            settled.failures = 0;
            settled.written = count;
            settled.nextWriteAt = timer.nanos() + limits.seriesInterval().toNanos();
            if (settled.count > count) {
                writeLater(settled);
            }
            return true;
        }
        settled.failures++;
        if (answer.isTransient() && settled.failures < backoff.attempts()) {
            timer.schedule(
                    () -> queue.add(settled),
                    backoff.after(settled.failures, answer.retryAfter()).toNanos());
            return false;
        }
        dropped += settled.count - settled.written;
        series.remove(settled.event, settled); // the next one is created again
        return true;
    }

    private static ObjectNode series(Series repeated) {
        ObjectNode patch = ApiRequests.object();
        patch.putObject("series").put("count", repeated.count).put("lastObservedTime", PodEvent.time(repeated.last));
        return patch;
    }

    /** Returns how many events were not created, repetitions included. */
    public synchronized long dropped() {
        return dropped;
    }

    /** Returns the number of events that wait for a request. */
    public int backlog() {
        return queue.size();
    }
}
