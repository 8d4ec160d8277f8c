package dev.sluice.kubernetes.metrics;

import dev.sluice.core.explain.WaitReason;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.metrics.SchedulingListener.Result;
import dev.sluice.kubernetes.reporting.PendingPod;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts pods that are to be scheduled, attempts, and how long they take. Thread-safe. */
public final class PodScheduling {

    private static final String RETRY_DELAY = new WaitReason.RetryDelay(Instant.EPOCH).code();

    private final SchedulingListener listener;
    private final Map<String, Waiting> waiting = new HashMap<>();
    private final Map<PendingQueue, Integer> counts = new EnumMap<>(PendingQueue.class);

    /** A pod that is not bound. */
    private static final class Waiting {

        private final String profile;
        private PendingQueue queue;
        private String kind = "";
        private @Nullable Instant since;
        private int attempts;

        Waiting(String profile, PendingQueue queue) {
            this.profile = profile;
            this.queue = queue;
        }
    }

    /** Creates counts of no pods. */
    public PodScheduling(SchedulingListener listener) {
        this.listener = listener;
        for (PendingQueue each : PendingQueue.values()) {
            counts.put(each, 0);
        }
    }

    /** Receives a pod of this scheduler as it is in the cluster; one that is bound already is not counted. */
    public synchronized void observed(Pod pod, Instant at) {
        String uid = pod.getMetadata().getUid();
        Waiting known = waiting.get(uid);
        String node = pod.getSpec().getNodeName();
        boolean isBound = node != null && !node.isEmpty();
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            removed(uid);
        } else if (isBound) {
            bound(uid, at);
        } else {
            boolean isGated = !pod.getSpec().getSchedulingGates().isEmpty();
            if (known == null) {
                PendingQueue queue = isGated ? PendingQueue.GATED : PendingQueue.ACTIVE;
                known = new Waiting(pod.getSpec().getSchedulerName(), queue);
                waiting.put(uid, known);
                counts.merge(queue, 1, Integer::sum);
            } else if (!isGated && known.queue == PendingQueue.GATED) {
                move(known, PendingQueue.ACTIVE);
            }
            if (!isGated && known.since == null) {
                known.since = at;
            }
        }
    }

    /** Receives why a pod waits. */
    public synchronized void explained(PendingPod pod) {
        Waiting known = waiting.get(pod.pod().uid());
        if (known == null) {
            return;
        }
        boolean isNew = !pod.kind().equals(known.kind);
        known.kind = pod.kind();
        if (pod.mayStartNext()) {
            move(known, PendingQueue.ACTIVE);
        } else {
            move(known, pod.kind().equals(RETRY_DELAY) ? PendingQueue.BACKOFF : PendingQueue.UNSCHEDULABLE);
            if (isNew) {
                known.attempts++;
                listener.attempted(Result.UNSCHEDULABLE, known.profile);
            }
        }
    }

    /** Records that a pod was bound, unless it was observed before. */
    public synchronized void bound(PodRef pod, Instant at) {
        bound(pod.uid(), at);
    }

    private void bound(String uid, Instant at) {
        Waiting known = waiting.get(uid);
        if (known != null) {
            removed(uid);
            listener.attempted(Result.SCHEDULED, known.profile);
            Instant since = known.since;
            listener.scheduled(since == null ? Duration.ZERO : Duration.between(since, at), known.attempts + 1);
        }
    }

    /** Records that a pod could not be bound. */
    public synchronized void bindingFailed(PodRef pod) {
        Waiting known = waiting.get(pod.uid());
        if (known != null) {
            known.attempts++;
            listener.attempted(Result.ERROR, known.profile);
        }
    }

    /** Forgets a pod that is gone. */
    public synchronized void removed(String uid) {
        Waiting known = waiting.remove(uid);
        if (known != null) {
            counts.merge(known.queue, -1, Integer::sum);
        }
    }

    private void move(Waiting pod, PendingQueue to) {
        counts.merge(pod.queue, -1, Integer::sum);
        counts.merge(to, 1, Integer::sum);
        pod.queue = to;
    }

    /** Returns the number of pods that are not bound, for {@code scheduler_pending_pods}. */
    public synchronized Map<PendingQueue, Integer> pending() {
        return new EnumMap<>(counts);
    }
}
