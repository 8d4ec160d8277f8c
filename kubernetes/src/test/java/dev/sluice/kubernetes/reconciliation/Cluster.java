package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.creation.PodPolicy;
import dev.sluice.kubernetes.execution.PodRequest;
import dev.sluice.kubernetes.execution.RunComparison;
import dev.sluice.kubernetes.execution.RunReconciler;
import dev.sluice.kubernetes.translation.Manifests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** A scheduler that follows a cluster, without an executor: the test reports what happens to tasks. */
public final class Cluster {

    static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    public Instant now = NOW;
    public final Scheduler scheduler = new Scheduler();
    /** Which pods are created for tasks. */
    public static final PodPolicy POLICY = PodPolicy.of("tasks", "sluice");

    public ClusterView view = new ClusterView(Set.of("sluice"), POLICY);
    public Reconciler reconciler = new Reconciler(view, "local"::equals);
    public RunReconciler runs = new RunReconciler(view, "local"::equals, POLICY);
    public List<String> reports = List.of();

    /** When places in gangs expire, by application. */
    public final Map<String, Instant> expiries = new TreeMap<>();

    public Map<String, List<String>> refusals = new TreeMap<>();

    public Cluster() {
        PlacementRule provided = new PlacementRule(PlacementRule.Kind.PROVIDED, "", false, null, RuleFilter.EVERYBODY);
        PlacementRule namespace =
                new PlacementRule(PlacementRule.Kind.TAG, "namespace", true, null, RuleFilter.EVERYBODY);
        handle(new Command.ApplyConfiguration(List.of(
                PartitionConfiguration.of("default", QueueConfiguration.parent("root", QueueConfiguration.leaf("a")))
                        .withPlacementRules(List.of(provided, namespace)))));
    }

    /** Puts namespaces below the queues that they name. */
    void parentOfNamespaces() {
        PlacementRule parent =
                new PlacementRule(PlacementRule.Kind.TAG, "namespace.parentqueue", false, null, RuleFilter.EVERYBODY);
        PlacementRule namespace =
                new PlacementRule(PlacementRule.Kind.TAG, "namespace", true, parent, RuleFilter.EVERYBODY);
        handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.of(
                        "default", QueueConfiguration.parent("root", QueueConfiguration.parent("production")))
                .withPlacementRules(List.of(namespace)))));
    }

    /** Forgets what is known of the cluster, as a restart does. */
    public void restart() {
        view = new ClusterView(Set.of("sluice"), POLICY);
        reconciler = new Reconciler(view, "local"::equals);
        runs = new RunReconciler(view, "local"::equals, POLICY);
    }

    public void node(String name, String cores) {
        view.put(Manifests.node("{metadata: {name: " + name + "}, status: {allocatable: {cpu: " + cores
                + ", pods: 10}, conditions: [{type: Ready, status: \"True\"}]}}"));
    }

    /** Annotates namespace {@code team-a}. */
    void namespace(String annotations) {
        view.put(Manifests.namespace(annotations));
    }

    /** Adds a pod of this scheduler; {@code more} is more of its metadata. */
    public void pod(String name, String cores, String more, String status) {
        pod(name, "sluice", cores, more, "", status);
    }

    public void pod(String name, String schedulerName, String cores, String more, String spec, String status) {
        view.put(Manifests.pod("{metadata: {name: " + name + ", uid: u-" + name + ", " + more
                + "}, spec: {schedulerName: "
                + schedulerName + ", containers: [{name: c, resources: {requests: {cpu: " + cores + "}}}], " + spec
                + "}, status: {" + status + "}}"));
    }

    public Partition partition() {
        return Objects.requireNonNull(scheduler.state().partition("default"));
    }

    public CommandResult handle(Command command) {
        CommandResult result = scheduler.handle(command, now);
        result.events().forEach(event -> StateChanges.touch(view, event));
        return result;
    }

    /** Executes what has changed; returns the commands. */
    public List<String> follow() {
        return execute(reconciler.changes(partition()));
    }

    /** Executes what differs; returns the commands. */
    public List<String> followAll() {
        return execute(reconciler.all(partition()));
    }

    /** Executes what has happened to runs; returns the requests. */
    public List<PodRequest> run() {
        return execute(runs.changes(partition(), now));
    }

    /** Executes what has happened to all runs; returns the requests. */
    public List<PodRequest> runAll() {
        return execute(runs.all(partition(), now));
    }

    private List<PodRequest> execute(RunComparison comparison) {
        reports = comparison.reports().stream()
                .map(report -> report.getClass().getSimpleName())
                .toList();
        comparison.reports().forEach(this::handle);
        expiries.putAll(comparison.expiries());
        return comparison.requests();
    }

    private List<String> execute(Reconciliation reconciliation) {
        refusals = new TreeMap<>(reconciliation.refusals());
        List<String> names = new ArrayList<>();
        for (Command command : reconciliation.commands()) {
            names.add(command.getClass().getSimpleName());
            CommandResult result = handle(command);
            if (result.refusal() != null) {
                throw new AssertionError(result.refusal() + ", of " + command);
            }
        }
        return names;
    }

    /** Returns the first reason why a pod is refused. */
    public String refusal(String uid) {
        return refusals.getOrDefault(uid, List.of("not refused")).get(0);
    }

    /** Has applications compared whose places in gangs have expired. */
    public void expirePlaces() {
        expiries.entrySet().removeIf(each -> {
            boolean isDue = !each.getValue().isAfter(now);
            if (isDue) {
                view.changes().touchTask(new TaskKey(each.getKey(), ""));
            }
            return isDue;
        });
    }

    public void cycle() {
        scheduler.cycle("default", now).forEach(event -> StateChanges.touch(view, event));
    }

    public Node node(String name) {
        return Objects.requireNonNull(partition().node(name));
    }

    public Application application(String id) {
        return partition().existing(id);
    }

    /** Returns a task of the application by the name of its pod. */
    public TaskGroup task(String application, String pod) {
        return Objects.requireNonNull(application(application).group(pod + "." + ("u-" + pod)));
    }

    public Task allocated(String application, String pod) {
        return Objects.requireNonNull(task(application, pod).placed(0));
    }
}
