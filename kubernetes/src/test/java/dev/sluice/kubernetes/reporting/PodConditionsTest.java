package dev.sluice.kubernetes.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.FakeApiServer;
import dev.sluice.kubernetes.binding.FakeApiServer.Fault;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ManualTimer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status of pods shows the newest reason, with few requests; time is simulated. */
@Timeout(60)
final class PodConditionsTest {

    private static final PodRef POD = new PodRef("team-a", "p", "u1");
    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final ManualTimer timer = new ManualTimer();
    private final List<String> outcomes = new ArrayList<>();
    private final FakeApiServer server = new FakeApiServer();
    private final KubernetesClient client = server.client();
    private final PodConditions conditions = conditions("");

    PodConditionsTest() throws IOException {
        server.create(POD);
        observe(POD);
    }

    private PodConditions conditions(String prefix) {
        Backoff backoff = new Backoff(1, Duration.ofSeconds(1), Duration.ofSeconds(8));
        return new PodConditions(client, timer, timer, 2, INTERVAL, backoff, new ConditionListener() {
            @Override
            public void shown(PendingPod pod, boolean isNewKind) {
                outcomes.add(prefix + pod.message() + (isNewKind ? " (new)" : ""));
            }

            @Override
            public void failed(PodRef pod, String reason) {
                outcomes.add(prefix + reason);
            }
        });
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private Pod parsed(String pod) {
        return client.getKubernetesSerialization().unmarshal(pod, Pod.class);
    }

    /** Passes on a pod as a watch does. */
    private void observe(PodRef pod) {
        conditions.observed(parsed(server.pod(pod)));
    }

    private static PendingPod quota(String message) {
        return new PendingPod(POD, "quota", false, message, null);
    }

    private static PendingPod noNode(String message, @Nullable String nominated) {
        return new PendingPod(POD, "no-node-fits", true, message, nominated);
    }

    private JsonNode status() throws IOException {
        return new ObjectMapper().readTree(server.pod(POD)).path("status");
    }

    private long patches() {
        return server.requests.stream().filter(each -> each.startsWith("PATCH")).count();
    }

    @Test
    void reason_isShownOnce_andNothingElseIsOverwritten() throws IOException {
        conditions.show(noNode("0 of 3 nodes fit", "n"));
        timer.run();
        assertThat(status()).hasToString("""
                {"nominatedNodeName":"n","conditions":[{"type":"PodScheduled","status":"False",\
                "reason":"Unschedulable","message":"0 of 3 nodes fit","lastTransitionTime":"2026-01-01T12:00:00Z"}]}""");
        assertThat(server.bodies.get(0).path("metadata")).hasToString("{\"uid\":\"u1\",\"resourceVersion\":\"1\"}");
        conditions.show(noNode("0 of 3 nodes fit", "n"));
        observe(POD);
        timer.advance(Duration.ofHours(1));
        assertThat(patches()).isOne();

        timer.advance(Duration.ofHours(1));
        conditions.show(quota("queue root.a is at its maximum"));
        timer.run();
        assertThat(status()).hasToString("""
                {"conditions":[{"type":"PodScheduled","status":"False","reason":"SchedulingSkipped",\
                "message":"queue root.a is at its maximum","lastTransitionTime":"2026-01-01T12:00:00Z"}]}""");
        assertThat(server.bodies.get(1).at("/status/conditions/0").has("lastTransitionTime"))
                .isFalse();
        assertThat(outcomes).containsExactly("0 of 3 nodes fit (new)", "queue root.a is at its maximum (new)");
    }

    @Test
    void reasonThatThePodShowsAlready_isNotWritten() {
        conditions.show(quota("full"));
        timer.run();
        PodConditions restarted = conditions("other: ");
        restarted.observed(parsed(server.pod(POD)));
        restarted.show(quota("full"));
        timer.advance(Duration.ofHours(1));
        assertThat(outcomes).containsExactly("full (new)");
    }

    @Test
    void newestMessageOfAKind_isShownOncePerInterval_anotherKindAtOnce() throws IOException {
        conditions.show(quota("1 missing"));
        timer.run();
        conditions.show(quota("2 missing"));
        conditions.show(quota("3 missing"));
        timer.advance(INTERVAL.minusMillis(1));
        assertThat(patches()).isOne();
        timer.advance(Duration.ofMillis(1));
        assertThat(outcomes).containsExactly("1 missing (new)", "3 missing");
        conditions.show(noNode("no node", null));
        timer.run();
        conditions.show(noNode("no node", "n"));
        timer.advance(Duration.ofSeconds(1));
        assertThat(status().path("nominatedNodeName").asText()).isEqualTo("n");
        assertThat(outcomes).endsWith("no node (new)", "no node (new)");
    }

    @Test
    void messageThatReturnsWithinTheInterval_isNotWritten() {
        conditions.show(quota("1 missing"));
        timer.run();
        conditions.show(quota("2 missing"));
        conditions.show(quota("1 missing"));
        timer.advance(Duration.ofHours(1));
        assertThat(patches()).isOne();
    }

    /** Faults of the requests in order, the outcome, and the number of requests. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BROKEN THROTTLED LOST   | full (new) | 4",
                // the pod shows the reason in a version that is not known yet
                "ANSWER_LOST             | none | 2",
                "FORBIDDEN               | the API server answered 403: because | 1",
                "CONFLICT                | none | 1",
            })
    void fault_isHandled(String faults, String outcome, int requests) {
        for (String fault : faults.split(" ")) {
            server.fail(Fault.valueOf(fault));
        }
        conditions.show(quota("full"));
        timer.advance(Duration.ofHours(1));
        conditions.show(quota("full"));
        timer.advance(Duration.ofHours(1));
        assertThat(outcomes).isEqualTo(outcome.equals("none") ? List.of() : List.of(outcome));
        assertThat(patches()).isEqualTo(requests);
    }

    @Test
    void podThatWasChanged_isWrittenInItsNewVersion() {
        server.fail(Fault.CONFLICT);
        conditions.show(quota("full"));
        timer.run();
        PodConditions others = conditions("other: ");
        others.observed(parsed(server.pod(POD)));
        others.show(quota("other"));
        timer.run();
        observe(POD);
        timer.run();
        assertThat(outcomes).containsExactly("other: other (new)", "full (new)");
    }

    @Test
    void refusedReason_isReplacedByAnother() {
        server.fail(Fault.FORBIDDEN);
        conditions.show(quota("full"));
        timer.run();
        conditions.show(quota("fuller"));
        timer.run();
        assertThat(outcomes).containsExactly("the API server answered 403: because", "fuller (new)");
    }

    @Test
    void podsThatAreGoneOrBound_areForgotten() {
        server.delete(POD);
        conditions.show(quota("full"));
        timer.run();
        assertThat(outcomes).isEmpty();
        assertThat(conditions.size()).isZero();

        for (String change : List.of("removed", "bound", "deleted", "withdrawn")) {
            PodRef pod = new PodRef("team-a", change, change);
            server.create(pod);
            observe(pod);
            conditions.show(new PendingPod(pod, "quota", false, "full", null));
            Pod later = parsed(server.pod(pod));
            switch (change) {
                case "removed" -> conditions.removed(change);
                case "bound" -> later.getSpec().setNodeName("n");
                case "deleted" -> later.getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z");
                default -> conditions.withdraw(change);
            }
            if (change.equals("bound") || change.equals("deleted")) {
                conditions.observed(later);
            }
        }
        timer.advance(Duration.ofHours(1));
        assertThat(outcomes).isEmpty();
        assertThat(conditions.size()).as("the withdrawn one").isOne();
        assertThat(conditions.backlog()).isZero();
    }

    @Test
    void laterPodWithTheName_isNotTouched() {
        PodRef later = new PodRef("team-a", "p", "u2");
        server.create(later);
        conditions.show(quota("full"));
        timer.advance(Duration.ofHours(1));
        assertThat(server.pod(later)).contains("\"status\":{}");
        assertThat(outcomes).isEmpty();
    }

    @Test
    void gatedPod_keepsItsCondition() {
        String pod = server.pod(POD).replace("\"status\":{}", """
                "status":{"conditions":[{"type":"PodScheduled","status":"False","reason":"SchedulingGated"}]}""");
        conditions.observed(parsed(pod.replace("\"resourceVersion\":\"1\"", "\"resourceVersion\":\"2\"")));
        conditions.show(quota("full"));
        timer.advance(Duration.ofHours(1));
        assertThat(server.requests).isEmpty();
    }

    @Test
    void podThatMayStartNext_getsNoCondition_unlessItHasOne() {
        PendingPod next = new PendingPod(POD, "next-cycle", false, "will be considered", null);
        conditions.show(next);
        timer.advance(Duration.ofHours(1));
        assertThat(outcomes).isEmpty();
        conditions.show(quota("full"));
        timer.run();
        conditions.show(next);
        timer.run();
        assertThat(outcomes).containsExactly("full (new)", "will be considered (new)");
    }

    @Test
    void manyPods_areWrittenAtTheRate_inOrder() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            PodRef pod = new PodRef("team-a", "p" + i, "v" + i);
            server.create(pod);
            observe(pod);
            conditions.show(new PendingPod(pod, "quota", false, "full " + i, null));
            expected.add("full " + i + " (new)");
        }
        timer.run();
        assertThat(outcomes).hasSize(2);
        timer.advance(Duration.ofSeconds(4));
        assertThat(outcomes).hasSize(10);
        timer.advance(Duration.ofSeconds(6));
        assertThat(outcomes).isEqualTo(expected);
        assertThat(Collections.frequency(server.requests, "PATCH p7")).isOne();
        assertThat(timer.waiting()).isZero();
    }
}
