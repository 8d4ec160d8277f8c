package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.BindingListener;
import dev.sluice.kubernetes.binding.PodBinder;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.reconciliation.Reconciler;
import dev.sluice.kubernetes.translation.Manifests;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Translation, comparison and binding together, against a real API server with two nodes of 16 cores. The test is the
 * loop that a host will be.
 */
@Tag("kubernetes")
@Timeout(180)
final class ClusterTest {

    private static final Set<String> SCHEDULERS = Set.of("sluice");

    private final Scheduler scheduler = new Scheduler();
    private final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    private @Nullable TestCluster cluster;
    private KubernetesClient client;
    private PodBinder binder;

    @BeforeEach
    void start() throws IOException {
        cluster = TestCluster.start(2);
        client = cluster.client();
        binder = new PodBinder(client, 4, Backoff.DEFAULT, new BindingListener() {
            @Override
            public void bound(PodRef pod, String node) {
                outcomes.add(pod.name() + " bound to " + node);
            }

            @Override
            public void failed(PodRef pod, String node, String reason) {
                outcomes.add(pod.name() + ": " + reason);
            }
        });
        scheduler.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())), Instant.EPOCH);
    }

    @AfterEach
    void end() throws IOException {
        if (cluster != null) {
            binder.close();
            client.close();
            cluster.close();
        }
    }

    private Partition partition() {
        return Objects.requireNonNull(scheduler.state().partition("default"));
    }

    private void create(String name, String schedulerName, String cores, String node, String annotations) {
        Pod pod = Manifests.pod("""
                metadata: {name: %s, namespace: default, uid: "", labels: {applicationId: job}, annotations: {%s}}
                spec:
                  schedulerName: %s
                  nodeName: "%s"
                  containers: [{name: c, image: none, resources: {requests: {cpu: %s}}}]
                """.formatted(name, annotations, schedulerName, node, cores));
        client.resource(pod).create();
    }

    private Pod pod(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    /** Lists the cluster, as after a restart; executes what differs, and binds what a cycle places. */
    private List<Command> pass() {
        ClusterView view = new ClusterView(SCHEDULERS);
        client.nodes().list().getItems().forEach(view::put);
        client.namespaces().list().getItems().forEach(view::put);
        Map<String, PodRef> byTask = new HashMap<>();
        for (Pod pod : client.pods().inAnyNamespace().list().getItems()) {
            view.put(pod);
            String uid = pod.getMetadata().getUid();
            PodRef ref = new PodRef(
                    pod.getMetadata().getNamespace(), pod.getMetadata().getName(), uid);
            byTask.put(ref.name() + "." + uid.substring(0, 8), ref);
        }
        List<Command> commands =
                new Reconciler(view, node -> false).all(partition()).commands();
        for (Command command : commands) {
            assertThat(scheduler.handle(command, Instant.EPOCH).refusal()).isNull();
        }
        for (Event event : scheduler.cycle("default", Instant.EPOCH)) {
            if (event instanceof TaskEvent.Placed placed) {
                binder.bind(Objects.requireNonNull(byTask.get(placed.task().id())), placed.node());
            }
        }
        return commands;
    }

    private String outcome() throws InterruptedException {
        return String.valueOf(outcomes.poll(30, TimeUnit.SECONDS));
    }

    private void awaitPhase(String name, String phase) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> phase.equals(pod(name).getStatus().getPhase()));
    }

    private void awaitReadyNodes() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> client.nodes().list().getItems().stream()
                        .allMatch(node -> node.getStatus().getConditions().stream()
                                .anyMatch(each -> each.getType().equals("Ready")
                                        && each.getStatus().equals("True"))));
    }

    @Test
    void pods_areBoundToNodesWithRoom_besidePodsOfOthers() throws InterruptedException {
        awaitReadyNodes();
        create("other", "default-scheduler", "8", "node-0", "");
        create("first", "sluice", "10", "", "test-cluster/duration: 1s");
        pass();
        assertThat(outcome()).isEqualTo("first bound to node-1");
        assertThat(pass()).as("the pod is bound, and nothing else has changed").isEmpty();

        create("second", "sluice", "10", "", "");
        pass();
        assertThat(pass()).isEmpty();
        assertThat(outcomes).as("no node has room").isEmpty();

        client.pods()
                .inNamespace("default")
                .withName("other")
                .withGracePeriod(0)
                .delete();
        await().atMost(Duration.ofSeconds(30)).until(() -> pod("other") == null);
        pass();
        assertThat(outcome()).isEqualTo("second bound to node-0");
        awaitPhase("second", "Running");

        awaitPhase("first", "Succeeded");
        Task first = Objects.requireNonNull(partition().node("node-1")).tasks().get(0);
        scheduler.handle(new Command.ReportTaskSucceeded(first.run()), Instant.EPOCH);
        assertThat(pass()).as("a pod that has ended occupies nothing").isEmpty();
        assertThat(partition().existing("job").succeeded()).isOne();
    }

    @Test
    void cordonedNode_isAvoided() throws InterruptedException {
        awaitReadyNodes();
        client.nodes().withName("node-0").edit(node -> {
            node.getSpec().setUnschedulable(true);
            return node;
        });
        create("first", "sluice", "10", "", "");
        create("second", "sluice", "10", "", "");
        pass();
        assertThat(outcome()).endsWith("bound to node-1");
        assertThat(pass()).isEmpty();
        assertThat(outcomes).isEmpty();
    }

    @Test
    void binding_repeated_isTrue_andToAnotherNodeFails() throws InterruptedException {
        create("first", "sluice", "1", "", "");
        PodRef pod = new PodRef("default", "first", pod("first").getMetadata().getUid());
        binder.bind(pod, "node-0");
        assertThat(outcome()).isEqualTo("first bound to node-0");
        binder.bind(pod, "node-0");
        assertThat(outcome()).isEqualTo("first bound to node-0");
        binder.bind(pod, "node-1");
        assertThat(outcome()).isEqualTo("first: pod default/first is bound to node node-0");
        create("later", "sluice", "1", "", "");
        binder.bind(new PodRef("default", "later", "00000000-0000-0000-0000-000000000000"), "node-0");
        assertThat(outcome()).isEqualTo("later: pod default/later no longer exists");
        binder.bind(new PodRef("default", "absent", "00000000-0000-0000-0000-000000000000"), "node-0");
        assertThat(outcome()).startsWith("absent: the API server answered 404: ");
    }
}
