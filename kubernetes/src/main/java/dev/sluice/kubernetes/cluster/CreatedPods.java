package dev.sluice.kubernetes.cluster;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.command.Command;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.creation.CreationListener;
import dev.sluice.kubernetes.creation.NewPod;
import dev.sluice.kubernetes.creation.PodCreator;
import dev.sluice.kubernetes.creation.PodPolicy;
import dev.sluice.kubernetes.creation.PodRemover;
import dev.sluice.kubernetes.creation.PodRun;
import dev.sluice.kubernetes.execution.PodObstacles;
import dev.sluice.kubernetes.execution.PodRequest;
import dev.sluice.kubernetes.logs.PodLog;
import dev.sluice.kubernetes.logs.PodLogs;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.reconciliation.RunPods;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.RequestThreads;
import dev.sluice.kubernetes.volumes.VolumeListener;
import dev.sluice.kubernetes.volumes.VolumeSelector;
import dev.sluice.runtime.host.RemoteLogs;
import dev.sluice.runtime.host.RunObstacles.Obstacle;
import dev.sluice.runtime.local.LogFolder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the pods of tasks, and removes them some time after their end. Confined to the thread of the engine, except
 * for the outcomes of requests, which arrive as changes.
 */
final class CreatedPods implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CreatedPods.class);
    private static final int REMOVERS = 4;

    /** How long a pod that was created may take to be observed before it is asked for. */
    private static final long OBSERVATION_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** No image has such a name, so waiting is useless. */
    private static final String INVALID_IMAGE = "InvalidImageName";

    private static final Backoff REFUSED = new Backoff(Integer.MAX_VALUE, Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final KubernetesClient client;
    private final PodPolicy policy;
    private final ClusterView view;
    private final ClusterChanges changes;
    private final PodObstacles obstacles;
    private final RequestThreads creators;
    private final RequestThreads removers = new RequestThreads("pod-remover", REMOVERS);
    private final Creations creations = new Creations();
    private final PodCreator creator;
    private final PodRemover remover;
    private final VolumeSelector volumes;

    /** Copies logs; null if nobody wants them. Set before anything is sent. */
    private @Nullable PodLogs logs;

    /** Pods whose volumes are being bound, by name. */
    private final Map<String, NewPod> waiting = new ConcurrentHashMap<>();

    /** How often the pods of a task were refused for now, and why the last time. */
    private final Map<TaskRef, Refused> refusals = new HashMap<>();

    private record Refused(int times, String reason) {}

    private final Map<PodRun, RunRef> creating = new HashMap<>();
    private final List<Command> reports = new ArrayList<>();

    CreatedPods(
            KubernetesClient client,
            KubernetesSettings settings,
            PodPolicy policy,
            ClusterView view,
            ClusterChanges changes,
            PodObstacles obstacles) {
        this.client = client;
        this.policy = policy;
        this.view = view;
        this.changes = changes;
        this.obstacles = obstacles;
        this.creators = new RequestThreads("pod-creator", settings.requests());
        ApiRequests requests = new ApiRequests(client);
        this.creator = new PodCreator(requests, creators, Backoff.DEFAULT, creations);
        this.remover = new PodRemover(requests, removers, Backoff.DEFAULT);
        this.volumes = new VolumeSelector(requests, removers, Backoff.DEFAULT, VolumeSelector.TIMEOUT, new Volumes());
    }

    /** Returns what has happened to runs, once. */
    List<Command> takeReports() {
        List<Command> taken = List.copyOf(reports);
        reports.clear();
        return taken;
    }

    /** Creates a pod, after its volumes are bound for its node. */
    void create(PodRequest.Create request) {
        NewPod pod = request.pod();
        creating.put(pod.run(), request.run());
        Refused refused = refusals.get(request.run().task());
        if (refused != null) {
            obstacles.put(request.run(), new Obstacle("pod " + pod, "not created yet: " + refused.reason()));
        }
        if (pod.claims().isEmpty()) {
            creator.create(pod, refused == null ? Duration.ZERO : REFUSED.after(refused.times(), Duration.ZERO));
        } else {
            String reason = refused == null ? "" : ": " + refused.reason();
            obstacles.put(
                    request.run(),
                    new Obstacle("pod " + pod, "waits for volume claims " + String.join(", ", pod.claims()) + reason));
            waiting.put(pod.name(), pod);
            volumes.select(new PodRef(pod.namespace(), pod.name(), pod.name()), pod.claims(), pod.node());
        }
    }

    /** Sets the folder into which logs are copied. */
    void copyLogsTo(LogFolder folder, long bytesMax) {
        logs = new PodLogs(client, folder, bytesMax);
    }

    /** Records that a log will be kept: before the end of its run is durable, so that nobody believes it complete. */
    void expect(PodRequest.KeepLog request) {
        if (logs != null && request.ended()) {
            logs.expect(request.log().task());
        }
    }

    /** Copies the log of a pod that has ended, or follows that of one that is about to be stopped. */
    void keep(PodRequest.KeepLog request) {
        if (logs != null && request.ended()) {
            logs.keep(request.log());
        } else if (logs != null) {
            logs.follow(request.log());
        }
    }

    /** Gives a pod that cannot start at present some time. */
    void hindered(PodRequest.Hindered request) {
        LOG.warn("a pod cannot start: pod={}, reason={}", request.pod(), request.reason());
        removers.schedule(
                () -> changes.add("overdue " + request.pod(), () -> view.runs().overdue(request.run())),
                request.reason().startsWith(INVALID_IMAGE)
                        ? 0
                        : policy.startTimeout().toNanos());
    }

    /** Forgets a run whose pod is gone. */
    void forget(PodRun run) {
        if (logs != null) {
            logs.forget(run);
        }
    }

    /** Follows the log of a run for a reader. */
    void follow(RemoteLogs.Source source) {
        TaskRef task = source.run().task();
        PodRun run = new PodRun(
                task.partition(), task.application(), task.id(), source.run().attempt(), source.allocation());
        if (logs != null) {
            logs.await(new PodLog(run, task, policy.namespace(), source.placedAt()));
        }
    }

    boolean isCopying(TaskRef task) {
        return logs != null && logs.isCopying(task);
    }

    /**
     * Removes a pod that no run needs.
     *
     * @param delete deletes it now
     */
    void remove(PodRequest.Remove request, Runnable delete) {
        if (request.ended()) {
            remover.remove(request.pod(), policy.keep());
        } else {
            LOG.info("deletes a pod that no run needs: pod={}", request.pod());
            delete.run();
        }
    }

    @Override
    public void close() {
        if (logs != null) {
            logs.close();
        }
        creators.close();
        removers.close();
    }

    private void settle(NewPod pod, Runnable outcome) {
        changes.add("creation " + pod.name(), outcome);
    }

    /** Takes over the outcomes of creations. */
    private final class Creations implements CreationListener {

        @Override
        public void created(NewPod pod) {
            settle(pod, () -> {
                RunRef run = creating.remove(pod.run());
                if (run != null) {
                    refusals.remove(run.task());
                }
                view.runs().created(pod.run());
            });
            checkLater(pod);
        }

        private void checkLater(NewPod pod) {
            removers.schedule(
                    () -> changes.add("check " + pod.name(), () -> {
                        RunPods.Entry entry = view.runs().find(pod.run());
                        if (entry != null && entry.stage() == RunPods.Stage.CREATED) {
                            creator.check(pod);
                            checkLater(pod);
                        }
                    }),
                    OBSERVATION_NANOS);
        }

        @Override
        public void failed(NewPod pod, String reason, boolean isFinal) {
            LOG.warn("cannot create a pod: pod={}, node={}, reason={}", pod, pod.node(), reason);
            settle(pod, () -> {
                RunRef run = creating.remove(pod.run());
                if (view.runs().failed(pod.run()) && run != null) {
                    count(run.task(), isFinal, reason);
                    reports.add(
                            isFinal
                                    ? new Command.ReportTaskFailed(run, null, "the pod was not created: " + reason)
                                    : new Command.ReportTaskNotStarted(run));
                }
            });
        }

        private void count(TaskRef task, boolean isFinal, String reason) {
            Refused before = refusals.remove(task);
            if (!isFinal) {
                refusals.put(task, new Refused(before == null ? 1 : before.times() + 1, reason));
            }
        }

        @Override
        public void gone(NewPod pod) {
            settle(pod, () -> view.runs().gone(pod.run()));
        }
    }

    /** Creates pods whose claims are bound. */
    private final class Volumes implements VolumeListener {

        @Override
        public void bound(PodRef ref, String node) {
            NewPod pod = waiting.remove(ref.name());
            if (pod != null) {
                creator.create(pod, Duration.ZERO);
            }
        }

        @Override
        public void failed(PodRef ref, String node, String reason) {
            NewPod pod = waiting.remove(ref.name());
            if (pod != null) {
                creations.failed(pod, reason, false);
            }
        }
    }
}
