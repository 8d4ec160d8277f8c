package dev.sluice.kubernetes.eviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.FakeApiServer;
import dev.sluice.kubernetes.binding.FakeApiServer.Fault;
import dev.sluice.kubernetes.binding.PodRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Evictions and deletions against a server with faults: each has one outcome, which is the truth. */
@Timeout(60)
final class PodEvictorTest {

    private static final PodRef POD = new PodRef("team-a", "p", "u1");
    private static final int THREADS = 2;
    private static final Backoff AT_ONCE = new Backoff(3, Duration.ZERO, Duration.ZERO);

    private final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    private final FakeApiServer server;
    private final KubernetesClient client;
    private PodEvictor evictor;

    PodEvictorTest() throws IOException {
        server = new FakeApiServer();
        client = server.client();
        evictor = evictor(AT_ONCE);
        server.create(POD);
    }

    private PodEvictor evictor(Backoff backoff) {
        return new PodEvictor(client, THREADS, backoff, () -> Instant.EPOCH, new EvictionListener() {
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
    void close() {
        evictor.close();
        client.close();
        server.close();
    }

    private String outcome() throws InterruptedException {
        return String.valueOf(outcomes.poll(30, TimeUnit.SECONDS));
    }

    private void fail(String faults) {
        for (String fault : faults.isEmpty() ? new String[0] : faults.split(" ")) {
            server.fail(Fault.valueOf(fault));
        }
    }

    /** Faults of the requests in order, the outcome, and the requests. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                     | stopping p | PATCH p, EVICT p",
                "BROKEN                 | stopping p | PATCH p, PATCH p, EVICT p",
                "NONE BROKEN LOST       | stopping p | PATCH p, EVICT p, EVICT p, EVICT p",
                "NONE THROTTLED         | stopping p | PATCH p, EVICT p, EVICT p",
                "NONE CONFLICT          | stopping p | PATCH p, EVICT p, GET p, EVICT p",
                // the eviction had its effect, and the pod has ended
                "NONE ANSWER_LOST       | gone p | PATCH p, EVICT p, EVICT p",
                "NONE FORBIDDEN         | the API server answered 403: because | PATCH p, EVICT p",
                // the eviction does not depend on the condition
                "FORBIDDEN              | stopping p | PATCH p, EVICT p",
                "BROKEN BROKEN BROKEN   | the API server answered 500: because | PATCH p, PATCH p, PATCH p",
            })
    void preemption_hasOneTrueOutcome(String faults, String outcome, String requests) throws InterruptedException {
        fail(faults);
        evictor.preempt(POD, "for q", null);
        assertThat(outcome()).isEqualTo(outcome);
        assertThat(String.join(", ", server.requests)).isEqualTo(requests);
        assertThat(outcomes).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                     | stopping p | DELETE p",
                "BROKEN THROTTLED       | stopping p | DELETE p, DELETE p, DELETE p",
                "ANSWER_LOST            | gone p | DELETE p, DELETE p",
                "FORBIDDEN              | the API server answered 403: because | DELETE p",
            })
    void deletion_hasOneTrueOutcome(String faults, String outcome, String requests) throws InterruptedException {
        fail(faults);
        evictor.delete(POD, null);
        assertThat(outcome()).isEqualTo(outcome);
        assertThat(String.join(", ", server.requests)).isEqualTo(requests);
        assertThat(outcomes).isEmpty();
    }

    @Test
    void preemptedPod_isMarkedAsDisruptionTarget_andEvictedByItsUid() throws InterruptedException {
        evictor.preempt(POD, "preempted for q", Duration.ofSeconds(5));
        assertThat(outcome()).isEqualTo("stopping p");
        await().until(() -> server.bodies.size() == 2);
        JsonNode mark = server.bodies.get(0);
        assertThat(mark.at("/metadata/uid").asText()).isEqualTo("u1");
        assertThat(mark.at("/status/conditions/0")).hasToString("""
                {"type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler","message":"preempted for q","lastTransitionTime":"1970-01-01T00:00:00Z"}""");
        assertThat(server.bodies.get(1)).hasToString("""
                {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"namespace":"team-a","name":"p"},\
                "deleteOptions":{"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":5,\
                "preconditions":{"uid":"u1"}}}""");
    }

    @Test
    void budget_delaysEviction_andIsReportedOnce() throws InterruptedException {
        server.forbidEviction(POD, "web");
        evictor.preempt(POD, "for q", null);
        assertThat(outcome()).isEqualTo("waiting for PodDisruptionBudget team-a/web");
        await("more attempts than after other refusals")
                .until(() -> Collections.frequency(server.requests, "EVICT p") > 5);
        assertThat(outcomes).isEmpty();
        assertThat(Collections.frequency(server.requests, "PATCH p")).isOne();
        server.forbidEviction(POD, "later");
        assertThat(outcome()).isEqualTo("waiting for PodDisruptionBudget team-a/later");
        server.forbidEviction(POD, "");
        assertThat(outcome()).isEqualTo("stopping p");
    }

    @Test
    void deletion_replacesAnEvictionThatWaits() throws InterruptedException {
        evictor.close();
        evictor = evictor(new Backoff(3, Duration.ofHours(1), Duration.ofHours(1)));
        server.forbidEviction(POD, "web");
        evictor.preempt(POD, "for q", null);
        assertThat(outcome()).isEqualTo("waiting for PodDisruptionBudget team-a/web");
        evictor.preempt(POD, "for q", null);
        evictor.delete(POD, null);
        assertThat(outcome()).isEqualTo("stopping p");
        assertThat(server.requests).containsExactly("PATCH p", "EVICT p", "GET p", "DELETE p");
        assertThat(outcomes).isEmpty();
    }

    @Test
    void evictionThatIsReplacedDuringItsRequest_hasNoOutcome() throws InterruptedException {
        server.fail(Fault.NONE, Fault.HELD);
        evictor.preempt(POD, "for q", null);
        await().until(() -> server.held() == 1);
        evictor.delete(POD, null);
        assertThat(outcome()).isEqualTo("stopping p");
        server.fail(Fault.HELD, Fault.HELD);
        server.release(1);
        // when all threads are in other requests, the answer has been handled
        for (String name : List.of("q", "r")) {
            PodRef other = new PodRef("team-a", name, name);
            server.create(other);
            evictor.delete(other, null);
        }
        await().until(() -> server.requests.containsAll(List.of("DELETE q", "DELETE r")));
        assertThat(outcomes).isEmpty();
        server.release(THREADS);
        assertThat(outcome()).startsWith("stopping ");
    }

    @Test
    void podThatIsGone_isReportedAsGone() throws InterruptedException {
        server.delete(POD);
        evictor.preempt(POD, "for q", null);
        assertThat(outcome()).isEqualTo("gone p");
        evictor.delete(POD, null);
        assertThat(outcome()).isEqualTo("gone p");
    }

    @Test
    void laterPodWithTheName_isNotTouched() throws InterruptedException {
        PodRef later = new PodRef("team-a", "p", "u2");
        server.create(later);
        evictor.preempt(POD, "for q", null);
        assertThat(outcome()).isEqualTo("gone p");
        evictor.delete(POD, null);
        assertThat(outcome()).isEqualTo("gone p");
        assertThat(server.pod(later)).contains("\"status\":{}");
    }

    /** The API server checks budgets before it compares the unique id. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void laterPodWithTheName_thatABudgetProtects_isNotWaitedFor(boolean forbidden) throws InterruptedException {
        PodRef later = new PodRef("team-a", "p", "u2");
        server.create(later);
        server.forbidEviction(later, "web");
        if (forbidden) {
            server.fail(Fault.FORBIDDEN); // so that the condition cannot tell
        }
        evictor.preempt(POD, "for q", null);
        assertThat(outcome()).isEqualTo("gone p");
    }

    @Test
    @Tag("slow")
    void manyRequests_withManyFaults_haveOneOutcomeEach() throws InterruptedException {
        int count = 60;
        for (int i = 0; i < count / 4; i++) {
            server.fail(Fault.NONE, Fault.BROKEN, Fault.ANSWER_LOST, Fault.CONFLICT, Fault.LOST);
        }
        for (int i = 0; i < count; i++) {
            PodRef pod = new PodRef("team-a", "p" + i, "u" + i);
            server.create(pod);
            evictor.preempt(pod, "for q", null);
            evictor.delete(pod, null);
            evictor.delete(pod, null);
        }
        List<String> got = new ArrayList<>();
        while (got.size() < count) {
            got.add(outcome());
        }
        assertThat(outcomes).isEmpty();
        for (int i = 0; i < count; i++) {
            PodRef pod = new PodRef("team-a", "p" + i, "u" + i);
            boolean reported = got.contains("stopping p" + i) || got.contains("gone p" + i);
            assertThat(server.pod(pod).isEmpty()).as(pod.name()).isEqualTo(reported);
        }
    }

    @Test
    void request_afterClose_hasNoEffect() {
        evictor.close();
        evictor.preempt(POD, "for q", null);
        evictor.delete(POD, null);
        assertThat(server.requests).isEmpty();
        assertThat(outcomes).isEmpty();
    }
}
