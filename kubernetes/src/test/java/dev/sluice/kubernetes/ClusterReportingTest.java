package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.eviction.EvictionListener;
import dev.sluice.kubernetes.eviction.PodEvictor;
import dev.sluice.kubernetes.reporting.ConditionListener;
import dev.sluice.kubernetes.reporting.EventLimits;
import dev.sluice.kubernetes.reporting.PendingPod;
import dev.sluice.kubernetes.reporting.PodConditions;
import dev.sluice.kubernetes.reporting.PodEvents;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.RequestThreads;
import dev.sluice.kubernetes.translation.Manifests;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Evictions, conditions and events against a real API server. */
@Tag("kubernetes")
@Timeout(180)
final class ClusterReportingTest {

    private static final String UNKNOWN = "00000000-0000-0000-0000-000000000000";
    private static final Backoff OFTEN = new Backoff(5, Duration.ofMillis(50), Duration.ofMillis(200));

    private final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    private final RequestThreads threads = new RequestThreads("reporting", 2);
    private @Nullable TestCluster cluster;
    private KubernetesClient client;
    private PodEvictor evictor;

    @BeforeEach
    void start() throws IOException {
        cluster = TestCluster.start(1);
        client = cluster.client();
        evictor = new PodEvictor(client, 2, OFTEN, InstantSource.system(), new EvictionListener() {
            @Override
            public void stopping(PodRef pod) {
                outcomes.add("stopping " + pod.name());
            }

            @Override
            public void gone(PodRef pod) {
                outcomes.add("gone " + pod.name());
            }

            @Override
            public void failed(PodRef pod, String reason) {
                outcomes.add(reason);
            }

            @Override
            public void waiting(PodRef pod, String reason) {
                outcomes.add(reason);
            }
        });
    }

    @AfterEach
    void end() throws IOException {
        threads.close();
        if (cluster != null) {
            evictor.close();
            client.close();
            cluster.close();
        }
    }

    private String outcome() throws InterruptedException {
        return String.valueOf(outcomes.poll(30, TimeUnit.SECONDS));
    }

    private PodRef create(String name, String more) {
        Pod created = client.resource(Manifests.pod("""
                        metadata: {name: %s, namespace: default, uid: "", labels: {app: web}}
                        spec: {schedulerName: sluice, containers: [{name: c, image: none}], %s}
                        """.formatted(name, more))).create();
        return new PodRef("default", name, created.getMetadata().getUid());
    }

    private Pod pod(PodRef pod) {
        return client.pods().inNamespace("default").withName(pod.name()).get();
    }

    private PodCondition condition(PodRef pod, String type) {
        return pod(pod).getStatus().getConditions().stream()
                .filter(each -> type.equals(each.getType()))
                .findFirst()
                .orElseThrow();
    }

    private void budget(int disruptions) {
        PodDisruptionBudget budget = client.resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("web-budget")
                        .endMetadata()
                        .withNewSpec()
                        .withNewMinAvailable(1)
                        .withNewSelector()
                        .addToMatchLabels("app", "web")
                        .endSelector()
                        .endSpec()
                        .build())
                .createOr(existing -> existing.update());
        // what the controller of budgets would do
        client.resource(new PodDisruptionBudgetBuilder(budget)
                        .withNewStatus()
                        .withObservedGeneration(budget.getMetadata().getGeneration())
                        .withDisruptionsAllowed(disruptions)
                        .withCurrentHealthy(1 + disruptions)
                        .withDesiredHealthy(1)
                        .withExpectedPods(1)
                        .endStatus()
                        .build())
                .patchStatus();
    }

    private void awaitRunning(PodRef pod) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> "Running".equals(pod(pod).getStatus().getPhase()));
    }

    @Test
    void eviction_waitsForTheBudget_thenStopsThePod() throws InterruptedException {
        PodRef pod = create("web-0", "nodeName: node-0, terminationGracePeriodSeconds: 30");
        awaitRunning(pod);
        setFinalizers(pod, List.of("example.com/test"));
        budget(0);
        evictor.preempt(pod, "preempted for default/q", null);
        assertThat(outcome()).isEqualTo("waiting for PodDisruptionBudget default/web-budget");
        assertThat(condition(pod, "DisruptionTarget").getReason()).isEqualTo("PreemptionByScheduler");
        assertThat(condition(pod, "DisruptionTarget").getMessage()).isEqualTo("preempted for default/q");
        budget(1);
        assertThat(outcome()).isEqualTo("stopping web-0");
        Pod stopping = pod(pod);
        assertThat(stopping.getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(condition(pod, "DisruptionTarget").getReason())
                .as("the API server has set it, too")
                .isEqualTo("EvictionByEvictionAPI");
        setFinalizers(pod, List.of());
    }

    private void setFinalizers(PodRef pod, List<String> finalizers) {
        client.pods().inNamespace("default").withName(pod.name()).edit(edited -> {
            edited.getMetadata().setFinalizers(finalizers);
            return edited;
        });
    }

    @Test
    void deletion_isNotHinderedByTheBudget_andNeverOfALaterPod() throws InterruptedException {
        PodRef pod = create("web-0", "nodeName: node-0");
        awaitRunning(pod);
        budget(0);
        PodRef earlier = new PodRef("default", "web-0", UNKNOWN);
        evictor.delete(earlier, null);
        assertThat(outcome()).isEqualTo("gone web-0");
        evictor.preempt(earlier, "preempted", null);
        assertThat(outcome()).isEqualTo("gone web-0");
        assertThat(pod(pod).getStatus().getConditions())
                .extracting(PodCondition::getType)
                .doesNotContain("DisruptionTarget");
        evictor.delete(pod, Duration.ZERO);
        assertThat(outcome()).isEqualTo("stopping web-0");
        await().atMost(Duration.ofSeconds(30)).until(() -> pod(pod) == null);
        evictor.delete(pod, null);
        assertThat(outcome()).isEqualTo("gone web-0");
    }

    private PodConditions conditions() {
        return new PodConditions(
                client, threads, InstantSource.system(), 100, Duration.ofMillis(1), OFTEN, new ConditionListener() {
                    @Override
                    public void shown(PendingPod pod, boolean isNewKind) {
                        outcomes.add(pod.message());
                    }

                    @Override
                    public void failed(PodRef pod, String reason) {
                        outcomes.add(reason);
                    }
                });
    }

    @Test
    void condition_isShown_withoutOverwritingOthers() throws InterruptedException {
        PodRef pod = create("web-0", "");
        PodConditions conditions = conditions();
        conditions.observed(pod(pod));
        conditions.show(new PendingPod(pod, "reserved", true, "reserved on node-0", "node-0"));
        assertThat(outcome()).isEqualTo("reserved on node-0");
        assertThat(condition(pod, "PodScheduled").getReason()).isEqualTo("Unschedulable");
        assertThat(pod(pod).getStatus().getNominatedNodeName()).isEqualTo("node-0");
        String transition = condition(pod, "PodScheduled").getLastTransitionTime();
        assertThat(transition).isNotEmpty();

        client.pods().inNamespace("default").withName("web-0").editStatus(edited -> {
            edited.getStatus().getConditions().add(new PodCondition());
            edited.getStatus().getConditions().get(1).setType("example.com/other");
            edited.getStatus().getConditions().get(1).setStatus("True");
            return edited;
        });
        conditions.show(new PendingPod(pod, "quota", false, "queue root.a is at its maximum", null));
        conditions.observed(pod(pod));
        assertThat(outcome()).isEqualTo("queue root.a is at its maximum");
        assertThat(condition(pod, "PodScheduled").getReason()).isEqualTo("SchedulingSkipped");
        assertThat(condition(pod, "PodScheduled").getLastTransitionTime()).isEqualTo(transition);
        assertThat(pod(pod).getStatus().getNominatedNodeName()).isNull();
        assertThat(condition(pod, "example.com/other").getStatus()).isEqualTo("True");
        assertThat(outcomes).isEmpty();
    }

    @Test
    void podThatIsBoundMeanwhile_orALaterOne_isNotChanged() {
        PodRef pod = create("web-0", "");
        PodConditions conditions = conditions();
        conditions.observed(pod(pod));
        ObjectNode binding = ApiRequests.object().put("apiVersion", "v1").put("kind", "Binding");
        binding.putObject("metadata").put("name", pod.name());
        binding.putObject("target").put("apiVersion", "v1").put("kind", "Node").put("name", "node-0");
        ApiAnswer bound = new ApiRequests(client).post(ApiRequests.path(pod) + "/binding", binding);
        assertThat(bound.isSuccess()).as(bound.reason()).isTrue();
        conditions.show(new PendingPod(pod, "quota", false, "full", null));
        awaitRunning(pod);
        assertThat(condition(pod, "PodScheduled").getStatus()).isEqualTo("True");
        assertThat(outcomes).isEmpty();

        ObjectNode ofAnother = ApiRequests.object();
        ofAnother.putObject("metadata").put("uid", UNKNOWN);
        ApiAnswer other = new ApiRequests(client).patch(ApiRequests.path(pod) + "/status", ofAnother);
        assertThat(other.code()).as(other.reason()).isEqualTo(422);
        ofAnother.putObject("metadata").put("uid", UNKNOWN).put("resourceVersion", "1");
        ApiAnswer outdated = new ApiRequests(client).patch(ApiRequests.path(pod) + "/status", ofAnother);
        assertThat(outdated.isConflict()).as(outdated.reason()).isTrue();
    }

    @Test
    void event_isCreated_andCountedInItsSeries() {
        PodRef pod = create("web-0", "");
        EventLimits limits = new EventLimits(100, 100, 1, 10, 100, Duration.ofMillis(100), Duration.ofMinutes(6));
        PodEvents events =
                new PodEvents(client, threads, InstantSource.system(), "sluice-0", limits, OFTEN, outcomes::add);
        events.preempted(pod, new PodRef("default", "q", UNKNOWN), "preempted for default/q");
        for (int i = 0; i < 3; i++) {
            events.failedScheduling(pod, "queue root.a is at its maximum");
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> events().stream()
                        .anyMatch(each ->
                                each.getSeries() != null && each.getSeries().getCount() == 3));
        assertThat(events()).extracting(Event::getReason).containsExactlyInAnyOrder("Preempted", "FailedScheduling");
        assertThat(events()).allMatch(each -> each.getRegarding().getUid().equals(pod.uid()));
        assertThat(outcomes).isEmpty();
    }

    private List<Event> events() {
        return client.events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(each -> "sluice.dev/scheduler".equals(each.getReportingController()))
                .toList();
    }
}
