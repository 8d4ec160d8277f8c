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
import dev.sluice.kubernetes.translation.Manifests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** A scheduler that follows a cluster, without an executor: the test reports what happens to tasks. */
final class Cluster {

    static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    final Scheduler scheduler = new Scheduler();
    ClusterView view = new ClusterView(Set.of("sluice"));
    Reconciler reconciler = new Reconciler(view, "local"::equals);
    Map<String, List<String>> refusals = new TreeMap<>();

    Cluster() {
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
    void restart() {
        view = new ClusterView(Set.of("sluice"));
        reconciler = new Reconciler(view, "local"::equals);
    }

    void node(String name, String cores) {
        view.put(Manifests.node("{metadata: {name: " + name + "}, status: {allocatable: {cpu: " + cores
                + ", pods: 10}, conditions: [{type: Ready, status: \"True\"}]}}"));
    }

    /** Annotates namespace {@code team-a}. */
    void namespace(String annotations) {
        view.put(Manifests.namespace(annotations));
    }

    /** Adds a pod of this scheduler; {@code more} is more of its metadata. */
    void pod(String name, String cores, String more, String status) {
        pod(name, "sluice", cores, more, "", status);
    }

    void pod(String name, String schedulerName, String cores, String more, String spec, String status) {
        view.put(Manifests.pod("{metadata: {name: " + name + ", uid: u-" + name + ", " + more
                + "}, spec: {schedulerName: "
                + schedulerName + ", containers: [{name: c, resources: {requests: {cpu: " + cores + "}}}], " + spec
                + "}, status: {" + status + "}}"));
    }

    Partition partition() {
        return Objects.requireNonNull(scheduler.state().partition("default"));
    }

    CommandResult handle(Command command) {
        return scheduler.handle(command, NOW);
    }

    /** Executes what has changed; returns the commands. */
    List<String> follow() {
        return execute(reconciler.changes(partition()));
    }

    /** Executes what differs; returns the commands. */
    List<String> followAll() {
        return execute(reconciler.all(partition()));
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
    String refusal(String uid) {
        return refusals.getOrDefault(uid, List.of("not refused")).get(0);
    }

    void cycle() {
        scheduler.cycle("default", NOW);
    }

    Node node(String name) {
        return Objects.requireNonNull(partition().node(name));
    }

    Application application(String id) {
        return partition().existing(id);
    }

    /** Returns a task of the application by the name of its pod. */
    TaskGroup task(String application, String pod) {
        return Objects.requireNonNull(application(application).group(pod + "." + ("u-" + pod)));
    }

    Task allocated(String application, String pod) {
        return Objects.requireNonNull(task(application, pod).placed(0));
    }
}
