package dev.sluice.kubernetes.cluster;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Partition;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.metrics.PodScheduling;
import dev.sluice.kubernetes.metrics.SchedulingListener;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.reporting.ConditionListener;
import dev.sluice.kubernetes.reporting.EventLimits;
import dev.sluice.kubernetes.reporting.PendingPod;
import dev.sluice.kubernetes.reporting.PendingReasons;
import dev.sluice.kubernetes.reporting.PodConditions;
import dev.sluice.kubernetes.reporting.PodEvents;
import dev.sluice.kubernetes.request.RequestThreads;
import dev.sluice.runtime.host.BusyException;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.Cause;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows in pods and events what the scheduler has decided, and why pods wait. A thread of its own asks for the reasons
 * of all waiting pods after something has changed, at most once per second, and spends at most a tenth of its time on
 * that.
 */
final class ClusterReports implements ClusterWatch.EarlyPods, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterReports.class);
    private static final Cause CAUSE = Cause.internal("explain pods");
    private static final int THREADS = 4;
    private static final double CONDITIONS_PER_SECOND = 50;
    private static final Duration CONDITION_INTERVAL = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PAUSE_FACTOR = 9;

    private final InstantSource clock = InstantSource.system();
    private final KubernetesSettings settings;
    private final RequestThreads requests = new RequestThreads("pod-reports", THREADS);
    private final RequestThreads passes = new RequestThreads("pod-reasons", 1);
    private final PodConditions conditions;
    private final PodEvents events;
    private final PodScheduling pods;
    private final AtomicLong version = new AtomicLong();

    ClusterReports(KubernetesClient client, KubernetesSettings settings, SchedulingListener metrics) {
        this.settings = settings;
        this.pods = new PodScheduling(metrics);
        this.conditions = new PodConditions(
                client, requests, clock, CONDITIONS_PER_SECOND, CONDITION_INTERVAL, Backoff.DEFAULT, new Shown());
        this.events = new PodEvents(
                client,
                requests,
                clock,
                settings.instance(),
                EventLimits.DEFAULT,
                Backoff.DEFAULT,
                problem -> LOG.warn("an event is not accepted: reason={}", problem));
    }

    /** Starts to ask why pods wait. */
    void start(EngineHost host, ClusterView view, PodRefusals refusals) {
        IncrementalQueryRunner queries = new IncrementalQueryRunner(host);
        passes.schedule(() -> pass(queries, view, refusals, -1), PAUSE_NANOS);
    }

    /** Returns the counts of pods that are not bound. */
    PodScheduling pods() {
        return pods;
    }

    /** Records that reasons may have changed. */
    void touch() {
        version.incrementAndGet();
    }

    private void pass(IncrementalQueryRunner queries, ClusterView view, PodRefusals refusals, long seen) {
        long began = passes.nanos();
        long now = version.get();
        long done = seen;
        if (now != seen) {
            try {
                for (PendingPod pod : queries.run(CAUSE, new Reasons(view, refusals), TIMEOUT)) {
                    conditions.show(pod);
                    pods.explained(pod);
                }
                done = now;
            } catch (BusyException | TimeoutException e) {
                LOG.info("the reasons why pods wait are asked for again: {}", e.getMessage());
            } catch (ExecutionException e) {
                LOG.error("cannot find out why pods wait", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // closed
                return;
            }
        }
        long next = done;
        passes.schedule(
                () -> pass(queries, view, refusals, next),
                Math.max(PAUSE_NANOS, PAUSE_FACTOR * (passes.nanos() - began)));
    }

    /** A pass over all waiting pods of the partition. */
    private final class Reasons implements IncrementalQuery<List<PendingPod>> {

        private final ClusterView view;
        private final PodRefusals refusals;
        private @Nullable PendingReasons reasons;

        Reasons(ClusterView view, PodRefusals refusals) {
            this.view = view;
            this.refusals = refusals;
        }

        @Override
        public boolean step(TransactionContext context, StepBudget budget) {
            Partition partition = context.state().partition(settings.partition());
            if (partition == null) {
                return true;
            }
            PendingReasons begun = reasons == null ? new PendingReasons(view, refusals.all()) : reasons;
            reasons = begun;
            return begun.step(partition, context.now(), budget);
        }

        @Override
        public List<PendingPod> answer() {
            return reasons == null ? List.of() : reasons.answer();
        }
    }

    @Override
    public void observed(Pod pod) {
        if (settings.schedulers().contains(pod.getSpec().getSchedulerName())) {
            conditions.observed(pod);
            pods.observed(pod, clock.instant());
        }
    }

    @Override
    public void removed(String uid) {
        conditions.removed(uid);
        pods.removed(uid);
    }

    /** Records that a pod is about to be bound. */
    void binding(PodRef pod) {
        conditions.withdraw(pod.uid());
    }

    /** Records that a pod is bound. */
    void bound(PodRef pod, String node) {
        events.scheduled(pod, node);
        pods.bound(pod, clock.instant());
    }

    /** Records that a pod could not be bound. */
    void bindingFailed(PodRef pod) {
        pods.bindingFailed(pod);
    }

    /** Records that a pod is preempted. */
    void preempted(PodRef pod, String message) {
        events.preempted(pod, null, message);
    }

    /** Records that another object is refused. */
    void refused(ObjectReference object, String message) {
        events.refused(object, message);
    }

    @Override
    public void close() {
        passes.close();
        requests.close();
    }

    /** Creates an event for each new reason. */
    private final class Shown implements ConditionListener {

        @Override
        public void shown(PendingPod pod, boolean isNewKind) {
            if (isNewKind && pod.kind().equals(PendingPod.REFUSED)) {
                events.refused(pod.pod(), pod.message());
            } else if (isNewKind) {
                events.failedScheduling(pod.pod(), pod.message());
            }
        }

        @Override
        public void failed(PodRef pod, String reason) {
            LOG.warn("a pod does not show why it waits: pod={}, reason={}", pod, reason);
        }
    }
}
