package dev.sluice.kubernetes.cluster;

import dev.sluice.core.command.Command;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.BindingListener;
import dev.sluice.kubernetes.binding.PodBinder;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.execution.PodObstacles;
import dev.sluice.kubernetes.execution.PodRequest;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.RequestThreads;
import dev.sluice.kubernetes.translation.PodGang;
import dev.sluice.kubernetes.volumes.VolumeListener;
import dev.sluice.kubernetes.volumes.VolumeSelector;
import dev.sluice.runtime.host.RunObstacles.Obstacle;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds pods to the nodes of their tasks, after their volumes are bound. Confined to the thread of the engine, except
 * for the outcomes of requests, which arrive as changes.
 */
final class PodBindings implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodBindings.class);
    private static final int VOLUME_THREADS = 4;

    private static final Backoff FAILED = new Backoff(Integer.MAX_VALUE, Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final ClusterView view;
    private final ClusterChanges changes;
    private final ClusterReports reports;
    private final PodObstacles obstacles;
    private final Bindings bindings = new Bindings();
    private final PodBinder binder;
    private final RequestThreads volumeThreads = new RequestThreads("volume-selector", VOLUME_THREADS);
    private final VolumeSelector volumes;

    /** What is being bound, by the unique id of the pod. */
    private final Map<String, PodRequest.Bind> binding = new ConcurrentHashMap<>();

    /** The number of failed bindings of pods. */
    private final Map<String, Integer> failures = new HashMap<>();

    /** Reports of failed bindings that have not been taken. */
    private final List<Command> notBound = new ArrayList<>();

    PodBindings(
            KubernetesClient client,
            KubernetesSettings settings,
            ClusterView view,
            ClusterChanges changes,
            ClusterReports reports,
            PodObstacles obstacles) {
        this.view = view;
        this.changes = changes;
        this.reports = reports;
        this.obstacles = obstacles;
        this.binder = new PodBinder(client, settings.requests(), Backoff.DEFAULT, bindings);
        this.volumes = new VolumeSelector(
                new ApiRequests(client), volumeThreads, Backoff.DEFAULT, VolumeSelector.TIMEOUT, new Volumes());
    }

    /** Returns the runs that have not started, once. */
    List<Command> takeReports() {
        List<Command> taken = List.copyOf(notBound);
        notBound.clear();
        return taken;
    }

    /** Binds a pod, after its volumes if they need its node. */
    void bind(PodRequest.Bind bind) {
        binding.put(bind.pod().uid(), bind);
        reports.binding(bind.pod());
        List<String> claims = view.claimsOf(bind.pod().uid());
        if (claims.isEmpty()) {
            int failed = failures.getOrDefault(bind.pod().uid(), 0);
            binder.bind(
                    bind.pod(),
                    bind.node(),
                    annotations(bind),
                    failed == 0 ? Duration.ZERO : FAILED.after(failed, Duration.ZERO));
        } else {
            Obstacle waits = new Obstacle("pod " + bind.pod(), "waits for volume claims " + String.join(", ", claims));
            obstacles.put(bind.run(), waits);
            volumes.select(bind.pod(), claims, bind.node());
        }
    }

    private static Map<String, String> annotations(PodRequest.@Nullable Bind bind) {
        String place = bind == null ? null : bind.place();
        return place == null ? Map.of() : Map.of(PodGang.PLACE, place);
    }

    /** Forgets a pod that is gone. */
    void remove(String uid) {
        binding.remove(uid);
        failures.remove(uid);
    }

    @Override
    public void close() {
        binder.close();
        volumeThreads.close();
    }

    /** Takes over the outcomes of bindings. */
    private final class Bindings implements BindingListener {

        @Override
        public void bound(PodRef pod, String node) {
            reports.bound(pod, node);
            changes.add("binding " + pod.uid(), () -> {
                binding.remove(pod.uid());
                failures.remove(pod.uid());
                view.endBinding(pod.uid(), node);
            });
        }

        @Override
        public void failed(PodRef pod, String node, String reason) {
            reports.bindingFailed(pod);
            LOG.warn("cannot bind a pod: pod={}, node={}, reason={}", pod, node, reason);
            changes.add("binding " + pod.uid(), () -> {
                view.endBinding(pod.uid(), null);
                PodRequest.Bind bind = binding.remove(pod.uid());
                if (bind != null) { // otherwise the pod is gone
                    failures.merge(pod.uid(), 1, Integer::sum);
                    notBound.add(new Command.ReportTaskNotStarted(bind.run()));
                }
            });
        }
    }

    /** Binds pods whose claims are bound. */
    private final class Volumes implements VolumeListener {

        @Override
        public void bound(PodRef pod, String node) {
            binder.bind(pod, node, annotations(binding.get(pod.uid())), Duration.ZERO);
        }

        @Override
        public void failed(PodRef pod, String node, String reason) {
            bindings.failed(pod, node, reason);
        }
    }
}
