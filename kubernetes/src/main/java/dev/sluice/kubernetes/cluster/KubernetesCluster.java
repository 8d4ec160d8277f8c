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
import dev.sluice.kubernetes.creation.PodManifest;
import dev.sluice.kubernetes.creation.PodPolicy;
import dev.sluice.kubernetes.execution.PodRequest;
import dev.sluice.kubernetes.execution.RunComparison;
import dev.sluice.kubernetes.execution.RunReconciler;
import dev.sluice.kubernetes.metrics.ClusterMetrics;
import dev.sluice.kubernetes.metrics.RequestCounter;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.reconciliation.Reconciler;
import dev.sluice.kubernetes.reconciliation.Reconciliation;
import dev.sluice.kubernetes.reconciliation.StateChanges;
import dev.sluice.kubernetes.reconciliation.TaskKey;
import dev.sluice.kubernetes.request.ApiServerContact;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
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

    private static final String NO_CONTROL = "containers of Kubernetes can be neither suspended nor signalled:"
            + " sluice hold starts no further tasks, sluice cancel ends those that run";

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
    private final PodBindings bindings;
    private final PodEndings endings;
    private final PlaceTimers placeTimers = new PlaceTimers(this::expirePlaces);

    /** Creates and removes the pods of tasks; null if tasks are not pods. */
    private final @Nullable CreatedPods pods;

    private final AtomicBoolean scheduled = new AtomicBoolean();

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
        this.bindings = new PodBindings(client, settings, view, changes, reports, runs.obstacles());
        this.endings = new PodEndings(client, settings, view, changes, reports, metrics);
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
        bindings.remove(uid);
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
        if (host != null && (configured || !view.changes().isEmpty())) {
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
        bindings.takeReports().forEach(context::handle);
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
                view.changes().touchApplication(id);
            } else if (refusals.has(id)) {
                view.changes().touchApplication(id);
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
                bindings.bind(bind);
            } else if (request instanceof PodRequest.End end) {
                endings.end(end);
            } else if (pods != null && request instanceof PodRequest.Create create) {
                pods.create(create);
            } else if (pods != null && request instanceof PodRequest.KeepLog keep) {
                pods.keep(keep);
            } else if (pods != null && request instanceof PodRequest.Hindered hindered) {
                pods.hindered(hindered);
            } else if (pods != null && request instanceof PodRequest.Forget forget) {
                pods.forget(forget.run());
            } else if (pods != null && request instanceof PodRequest.Remove remove) {
                pods.remove(remove, () -> endings.delete(remove.pod()));
            }
        }
    }

    private void expirePlaces(String application) {
        changes.add("places of " + application, () -> {
            placeTimers.remove(application);
            view.changes().touchTask(new TaskKey(application, ""));
        });
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
        bindings.close();
        endings.close();
        placeTimers.close();
        client.close();
    }
}
