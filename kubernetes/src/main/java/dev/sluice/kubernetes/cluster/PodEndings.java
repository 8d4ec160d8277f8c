package dev.sluice.kubernetes.cluster;

import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.eviction.EvictionListener;
import dev.sluice.kubernetes.eviction.PodEvictor;
import dev.sluice.kubernetes.execution.PodRequest;
import dev.sluice.kubernetes.metrics.ClusterMetrics;
import dev.sluice.kubernetes.metrics.ClusterMetrics.EndOutcome;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends pods by evictions or deletions. */
final class PodEndings implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodEndings.class);

    private final ClusterView view;
    private final ClusterChanges changes;
    private final ClusterReports reports;
    private final ClusterMetrics metrics;
    private final PodEvictor evictor;

    PodEndings(
            KubernetesClient client,
            KubernetesSettings settings,
            ClusterView view,
            ClusterChanges changes,
            ClusterReports reports,
            ClusterMetrics metrics) {
        this.view = view;
        this.changes = changes;
        this.reports = reports;
        this.metrics = metrics;
        this.evictor =
                new PodEvictor(client, settings.requests(), Backoff.DEFAULT, InstantSource.system(), new Endings());
    }

    /** A preempted pod is evicted, so that its disruption budget counts; any other end is a deletion. */
    void end(PodRequest.End end) {
        if (end.reason().isPreemption()) {
            String message = "preempted by Sluice: " + end.reason().wireName();
            evictor.preempt(end.pod(), message, null);
            reports.preempted(end.pod(), message);
        } else {
            evictor.delete(end.pod(), null);
        }
    }

    /** Deletes a pod. */
    void delete(PodRef pod) {
        evictor.delete(pod, null);
    }

    @Override
    public void close() {
        evictor.close();
    }

    /** Takes over what prevents the end of pods; their ends are observed. */
    private final class Endings implements EvictionListener {

        @Override
        public void stopping(PodRef pod) {
            metrics.ended(EndOutcome.STOPPING);
            delay(pod, "");
        }

        @Override
        public void gone(PodRef pod) {
            metrics.ended(EndOutcome.GONE);
        }

        @Override
        public void failed(PodRef pod, String reason) {
            metrics.ended(EndOutcome.FAILED);
            LOG.warn("cannot end a pod: pod={}, reason={}", pod, reason);
            changes.add("end of " + pod.uid(), () -> view.failEnding(pod.uid()));
        }

        @Override
        public void waiting(PodRef pod, String reason) {
            metrics.ended(EndOutcome.WAITING);
            LOG.info("a pod cannot end yet: pod={}, reason={}", pod, reason);
            delay(pod, reason);
        }

        private void delay(PodRef pod, String reason) {
            changes.add("end of " + pod.uid(), () -> view.delayEnding(pod.uid(), reason));
        }
    }
}
