package dev.sluice.kubernetes.cluster;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.BindingListener;
import dev.sluice.kubernetes.binding.PodBinder;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.creation.PodManifest;
import dev.sluice.kubernetes.creation.PodPolicy;
import dev.sluice.kubernetes.eviction.EvictionListener;
import dev.sluice.kubernetes.eviction.PodEvictor;
import dev.sluice.kubernetes.execution.PodRequest;
import dev.sluice.kubernetes.execution.RunComparison;
import dev.sluice.kubernetes.execution.RunReconciler;
import dev.sluice.kubernetes.metrics.ClusterMetrics;
import dev.sluice.kubernetes.metrics.ClusterMetrics.EndOutcome;
import dev.sluice.kubernetes.metrics.RequestCounter;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.reconciliation.Reconciler;
import dev.sluice.kubernetes.reconciliation.Reconciliation;
import dev.sluice.kubernetes.reconciliation.StateChanges;
import dev.sluice.kubernetes.reconciliation.TaskKey;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.ApiServerContact;
import dev.sluice.kubernetes.request.RequestThreads;
import dev.sluice.kubernetes.translation.PodGang;
import dev.sluice.kubernetes.volumes.VolumeListener;
import dev.sluice.kubernetes.volumes.VolumeSelector;
import dev.sluice.runtime.host.ConfigurationRecorder;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.MetricRegistry;
import dev.sluice.runtime.host.NodeProvider;
import dev.sluice.runtime.host.RunObstacles.Obstacle;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.local.LogFolder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kubernetes cluster whose pods are tasks.
 *
 * <p>What is known of the cluster is confined to the thread of the engine. A transaction takes over what has changed,
 * compares it with the state, and executes the commands that remove the difference; the requests that remain are sent
 * when it is durable.
 */
public final class KubernetesCluster implements NodeProvider {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesCluster.class);
    private static final Cause CAUSE = Cause.internal("kubernetes");

    /** The maximum number of changes that one transaction takes over, so that others need not wait long. */
    private static final int CHANGES_MAX = 2000;

    private static final int VOLUME_THREADS = 4;

    private static final String NO_CONTROL = "containers of Kubernetes can be neither suspended nor signalled:"
            + " sluice hold starts no further tasks, sluice cancel ends those that run";

    private static final Backoff FAILED_BINDINGS =
            new Backoff(Integer.MAX_VALUE, Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final KubernetesSettings settings;
    private final KubernetesClient client;
    private final ClusterMetrics metrics;
    private final ClusterChanges changes = new ClusterChanges();
    private final ClusterView view;
    private final Reconciler reconciler;
    private final RunReconciler runs;
    private final PodRefusals refusals = new PodRefusals();
    private final ClusterWatch watch;
    private final ClusterReports reports;
    private final ConfigurationFollower configuration;
    private final NamespaceWarnings namespaces;
    private final Bindings bindings = new Bindings();
    private final PodBinder binder;
    private final PodEvictor evictor;
    private final RequestThreads volumeThreads = new RequestThreads("volume-selector", VOLUME_THREADS);
    private final VolumeSelector volumes;
    private final PlaceTimers placeTimers = new PlaceTimers(this::expirePlaces);

    /** Creates and removes the pods of tasks; null if tasks are not pods. */
    private final @Nullable CreatedPods pods;

    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** What is being bound, by the unique id of the pod. */
    private final Map<String, PodRequest.Bind> binding = new ConcurrentHashMap<>();

    /** The number of failed bindings of pods. */
    private final Map<String, Integer> failures = new HashMap<>();

    /** Reports of failed bindings that have not been executed. */
    private final List<Command> notBound = new ArrayList<>();

    private boolean configured;
    private @Nullable EngineHost host;
    private final ApiServerContact contact;
    private ConfigurationRecorder recorder = (context, by, note) -> {};

    /**
     * Returns a cluster.
     *
     * @param kubeconfig how to reach it; null: the file in the environment variable {@code KUBECONFIG}, the cluster in
     *     which this program runs, or {@code ~/.kube/config}
     * @param permitted whether it may send requests, such as while this server holds a lease
     * @throws IOException if there is no such file, or it cannot be read
     */
    public static KubernetesCluster of(
            @Nullable Path kubeconfig, KubernetesSettings settings, BooleanSupplier permitted) throws IOException {
        ClusterMetrics metrics = new ClusterMetrics();
        ApiServerContact contact = new ApiServerContact(InstantSource.system());
        KubernetesClient client = KubernetesClients.of(kubeconfig, new RequestCounter(metrics), contact, permitted);
        return new KubernetesCluster(client, settings, metrics, contact);
    }

    /**
     * Creates a cluster.
     *
     * @param client the client, which is closed with the cluster; it must not repeat requests
     * @param contact observes whether its requests are answered
     */
    KubernetesCluster(
            KubernetesClient client, KubernetesSettings settings, ClusterMetrics metrics, ApiServerContact contact) {
        this.contact = contact;
        this.settings = settings;
        this.client = client;
        this.metrics = metrics;
        this.view = new ClusterView(settings.schedulers(), settings.pods());
        this.reconciler = new Reconciler(view, node -> false);
        this.runs = new RunReconciler(view, node -> false, settings.pods());
        this.watch = new ClusterWatch(client, changes);
        this.reports = new ClusterReports(client, settings, metrics);
        this.configuration =
                new ConfigurationFollower((context, by, note) -> recorder.record(context, by, note), reports::refused);
        this.namespaces = new NamespaceWarnings(reports::refused);
        this.binder = new PodBinder(client, settings.requests(), Backoff.DEFAULT, bindings);
        this.evictor =
                new PodEvictor(client, settings.requests(), Backoff.DEFAULT, InstantSource.system(), new Endings());
        this.volumes = new VolumeSelector(
                new ApiRequests(client), volumeThreads, Backoff.DEFAULT, VolumeSelector.TIMEOUT, new Volumes());
        this.pods = settings.pods() == null
                ? null
                : new CreatedPods(client, settings, settings.pods(), view, changes, runs.obstacles());
    }

    @Override
    public String name() {
        return "Kubernetes";
    }

    @Override
    public String partition() {
        return settings.partition();
    }

    @Override
    public @Nullable String problem() {
        return contact.problem();
    }

    @Override
    public void register(MetricRegistry registry) {
        metrics.register(registry, reports.pods(), settings.schedulers());
    }

    @Override
    public void open() throws InterruptedException {
        String namespace = settings.namespace() == null ? client.getNamespace() : settings.namespace();
        watch.start(
                view,
                namespace == null ? "default" : namespace,
                new ClusterWatch.Kind<>("config map", ClusterWatch::name, configuration::put, configuration::remove),
                new ClusterWatch.Kind<>("namespace", ClusterWatch::name, this::putNamespace, this::removeNamespace),
                this::removePod,
                reports);
    }

    private void putNamespace(Namespace namespace) {
        view.put(namespace);
        namespaces.put(namespace);
    }

    private void removeNamespace(String name) {
        view.removeNamespace(name);
        namespaces.remove(name);
    }

    private void removePod(String uid) {
        view.removePod(uid);
        binding.remove(uid);
        failures.remove(uid);
    }

    @Override
    public void attach(EngineHost newHost, ConfigurationRecorder newRecorder) throws StoreException {
        host = newHost;
        recorder = newRecorder;
        send(newHost.execute(CAUSE, context -> {
            changes.take(Integer.MAX_VALUE).forEach(Runnable::run);
            configuration.follow(context);
            Partition partition = context.state().partition(settings.partition());
            if (partition == null) {
                return List.of();
            }
            execute(reconciler.all(partition), context);
            return execute(runs.all(partition, context.now()), context);
        }));
        changes.onChange(this::schedule);
        schedule();
        reports.start(newHost, view, refusals);
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                if (event.partition().equals(settings.partition())) {
                    StateChanges.touch(view, event);
                    configured |= event instanceof PartitionEvent.Configured;
                }
            }
        }
        reports.touch();
        if (host != null && (configured || view.hasChanges())) {
            schedule();
        }
    }

    /** Submits a transaction that takes over what has changed, unless one is waiting. */
    private void schedule() {
        EngineHost attached = host;
        if (attached != null && scheduled.compareAndSet(false, true)) {
            var unused = attached.submitReport(CAUSE, this::follow).whenComplete((requests, problem) -> {
                if (problem == null) {
                    send(requests);
                }
            });
        }
    }

    private List<PodRequest> follow(TransactionContext context) {
        scheduled.set(false);
        changes.take(CHANGES_MAX).forEach(Runnable::run);
        configuration.follow(context);
        if (!changes.isEmpty()) {
            schedule();
        }
        Partition partition = context.state().partition(settings.partition());
        if (partition == null) {
            return List.of();
        }
        notBound.forEach(context::handle);
        notBound.clear();
        if (pods != null) {
            pods.takeReports().forEach(context::handle);
        }
        if (configured) {
            configured = false;
            submitRejectedAgain(partition, context);
        }
        execute(reconciler.changes(partition), context);
        return execute(runs.changes(partition, context.now()), context);
    }

    /** A new configuration may have a queue for what was rejected. */
    private void submitRejectedAgain(Partition partition, TransactionContext context) {
        for (String id : view.applicationIds()) {
            Application known = partition.application(id);
            if (known != null && known.state() == ApplicationState.REJECTED) {
                context.handle(new Command.ForgetApplication(partition.name(), id));
                view.touchApplication(id);
            } else if (refusals.has(id)) {
                view.touchApplication(id);
            }
        }
    }

    private void execute(Reconciliation compared, TransactionContext context) {
        refusals.replace(view, compared);
        reports.touch();
        for (Command command : compared.commands()) {
            Refusal refusal = context.handle(command).refusal();
            if (refusal == null) {
                continue;
            }
            LOG.warn("the scheduler refuses {}: reason={}", command.getClass().getSimpleName(), refusal.message());
            if (command instanceof Command.SubmitApplication submit) {
                refusals.add(view, submit.application().id(), refusal.message());
            } else if (command instanceof Command.AddTasks added) {
                refusals.add(view, added.application(), refusal.message());
            }
        }
    }

    private List<PodRequest> execute(RunComparison compared, TransactionContext context) {
        compared.reports().forEach(context::handle); // a run may have ended by an earlier report
        placeTimers.set(compared.expiries(), context.now());
        for (PodRequest request : compared.requests()) {
            if (pods != null && request instanceof PodRequest.KeepLog keep) {
                pods.expect(keep);
            }
        }
        return compared.requests();
    }

    /** Sends requests; on the thread of the engine, or before its start. */
    private void send(List<PodRequest> requests) {
        for (PodRequest request : requests) {
            if (request instanceof PodRequest.Bind bind) {
                binding.put(bind.pod().uid(), bind);
                reports.binding(bind.pod());
                bind(bind);
            } else if (request instanceof PodRequest.End end) {
                end(end);
            } else if (pods != null && request instanceof PodRequest.Create create) {
                pods.create(create);
            } else if (pods != null && request instanceof PodRequest.KeepLog keep) {
                pods.keep(keep);
            } else if (pods != null && request instanceof PodRequest.Hindered hindered) {
                pods.hindered(hindered);
            } else if (pods != null && request instanceof PodRequest.Forget forget) {
                pods.forget(forget.run());
            } else if (pods != null && request instanceof PodRequest.Remove remove) {
                pods.remove(remove, () -> evictor.delete(remove.pod(), null));
            }
        }
    }

    /** Has the volumes of a pod bound first, if they need its node. */
    private void bind(PodRequest.Bind bind) {
        List<String> claims = view.claimsOf(bind.pod().uid());
        if (claims.isEmpty()) {
            int failed = failures.getOrDefault(bind.pod().uid(), 0);
            binder.bind(
                    bind.pod(),
                    bind.node(),
                    annotations(bind),
                    failed == 0 ? Duration.ZERO : FAILED_BINDINGS.after(failed, Duration.ZERO));
        } else {
            Obstacle waits = new Obstacle("pod " + bind.pod(), "waits for volume claims " + String.join(", ", claims));
            runs.obstacles().put(bind.run(), waits);
            volumes.select(bind.pod(), claims, bind.node());
        }
    }

    private static Map<String, String> annotations(PodRequest.@Nullable Bind bind) {
        String place = bind == null ? null : bind.place();
        return place == null ? Map.of() : Map.of(PodGang.PLACE, place);
    }

    private void expirePlaces(String application) {
        changes.add("places of " + application, () -> {
            placeTimers.remove(application);
            view.touchTask(new TaskKey(application, ""));
        });
    }

    /** A preempted pod is evicted, so that its disruption budget counts; any other end is a deletion. */
    private void end(PodRequest.End end) {
        if (end.reason().isPreemption()) {
            String message = "preempted by Sluice: " + end.reason().wireName();
            evictor.preempt(end.pod(), message, null);
            reports.preempted(end.pod(), message);
        } else {
            evictor.delete(end.pod(), null);
        }
    }

    @Override
    public @Nullable String refusal(String partition, TaskSpec task) {
        if (!partition.equals(settings.partition())) {
            return null;
        }
        PodPolicy policy = settings.pods();
        if (policy == null) {
            return "task " + task.name() + ": this server schedules pods and creates none for tasks: start it with"
                    + " --task-namespace";
        }
        String refusal = PodManifest.refusal(task, policy);
        return refusal.isEmpty() ? null : refusal;
    }

    @Override
    public @Nullable String controlRefusal(String partition) {
        return partition.equals(settings.partition()) ? NO_CONTROL : null;
    }

    @Override
    public Map<RunRef, Obstacle> obstacles(String partition, String application) {
        return partition.equals(settings.partition()) ? runs.obstacles().of(application) : Map.of();
    }

    @Override
    public void copyTo(Path folder, long bytesMax) {
        if (pods != null) {
            pods.copyLogsTo(new LogFolder(folder, true), bytesMax);
        }
    }

    @Override
    public void follow(Source source) {
        if (pods != null) {
            pods.follow(source);
        }
    }

    @Override
    public boolean isCopying(TaskRef task) {
        return pods != null && pods.isCopying(task);
    }

    @Override
    public void close() {
        watch.close();
        if (pods != null) {
            pods.close();
        }
        reports.close();
        binder.close();
        evictor.close();
        volumeThreads.close();
        placeTimers.close();
        client.close();
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

    /** Takes over what prevents the end of pods; their ends are observed. */
    private final class Endings implements EvictionListener {

        @Override
        public void stopping(PodRef pod) {
            metrics.ended(EndOutcome.STOPPING);
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
        }
    }
}
