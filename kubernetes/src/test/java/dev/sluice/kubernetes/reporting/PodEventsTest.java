package dev.sluice.kubernetes.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.FakeApiServer;
import dev.sluice.kubernetes.binding.FakeApiServer.Fault;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ManualTimer;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events are created once, repeated ones counted, too many dropped; time is simulated. */
@Timeout(60)
final class PodEventsTest {

    private static final PodRef POD = new PodRef("team-a", "p", "u1");

    private final ManualTimer timer = new ManualTimer();
    private final List<String> problems = new ArrayList<>();
    private final FakeApiServer server = new FakeApiServer();
    private final KubernetesClient client = server.client();
    private final PodEvents events =
            events(new EventLimits(2, 100, 0.001, 3, 100, Duration.ofMinutes(1), Duration.ofMinutes(6)));

    PodEventsTest() throws IOException {}

    private PodEvents events(EventLimits limits) {
        Backoff backoff = new Backoff(3, Duration.ofSeconds(1), Duration.ofSeconds(1));
        return new PodEvents(client, timer, timer, "sluice-0", limits, backoff, problems::add);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void event_namesPodsReasonAndReporter() {
        events.preempted(POD, new PodRef("team-b", "q", "u2"), "preempted for q");
        timer.run();
        String name = server.events("/metadata/name").get(0);
        assertThat(name).matches("p\\.[0-9a-f]+");
        assertThat(server.bodies.get(0)).hasToString("""
                {"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"namespace":"team-a","name":"%s"},\
                "eventTime":"2026-01-01T12:00:00.000000Z","reportingController":"sluice.dev/scheduler",\
                "reportingInstance":"sluice-0","type":"Normal","action":"Preempting","reason":"Preempted",\
                "note":"preempted for q",\
                "regarding":{"apiVersion":"v1","kind":"Pod","namespace":"team-a","name":"p","uid":"u1"},\
                "related":{"apiVersion":"v1","kind":"Pod","namespace":"team-b","name":"q","uid":"u2"}}""".formatted(name));
    }

    @Test
    void events_haveTheirReasonsAndTypes() {
        events.scheduled(POD, "n");
        events.failedScheduling(POD, "0 of 3 nodes fit");
        events.refused(
                new ObjectReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withNamespace("team-a")
                        .withName("sluice")
                        .build(),
                "queues.yaml:3: unknown key");
        timer.advance(Duration.ofMinutes(1));
        assertThat(server.events("/reason")).containsExactlyInAnyOrder("Scheduled", "FailedScheduling", "Refused");
        assertThat(server.events("/type")).containsExactlyInAnyOrder("Normal", "Warning", "Warning");
        assertThat(server.events("/note")).contains("assigned team-a/p to n", "queues.yaml:3: unknown key");
        assertThat(server.events("/regarding/kind")).contains("ConfigMap");
    }

    @Test
    void repeatedEvent_isCountedInItsSeries() {
        events.failedScheduling(POD, "full");
        timer.run();
        for (int i = 0; i < 50; i++) {
            events.failedScheduling(POD, "full");
            timer.advance(Duration.ofSeconds(1));
        }
        assertThat(server.requests).containsExactly("POST event");
        timer.advance(Duration.ofMinutes(2));
        assertThat(server.requests).containsExactly("POST event", "PATCH event");
        assertThat(server.events("/series/count")).containsExactly("51");
        assertThat(server.events("/series/lastObservedTime")).containsExactly("2026-01-01T12:00:49.000000Z");
        timer.advance(Duration.ofMinutes(5));
        events.failedScheduling(POD, "full");
        timer.run();
        assertThat(server.events("/reason")).as("after the end of the series").hasSize(2);
        assertThat(events.dropped()).isZero();
    }

    @Test
    void repetitionsBeforeTheFirstRequest_areNotLost() {
        events.failedScheduling(POD, "full");
        events.failedScheduling(POD, "full");
        timer.advance(Duration.ofMinutes(2));
        assertThat(server.events("/series/count")).containsExactly("2");
    }

    @Test
    void eventsOfOneObject_areLimited_thoseOfOthersAreNot() {
        for (int i = 0; i < 10; i++) {
            events.failedScheduling(POD, "reason " + i);
        }
        events.failedScheduling(new PodRef("team-a", "q", "u2"), "reason");
        timer.advance(Duration.ofMinutes(1));
        assertThat(server.events("/note")).containsExactlyInAnyOrder("reason 0", "reason 1", "reason 2", "reason");
        assertThat(events.dropped()).isEqualTo(7);
    }

    @Test
    void requests_areLimitedPerSecond_andThoseThatWaitToo() {
        PodEvents few = events(new EventLimits(2, 5, 1, 3, 100, Duration.ofMinutes(1), Duration.ofMinutes(6)));
        for (int i = 0; i < 20; i++) {
            few.scheduled(new PodRef("team-a", "p" + i, "u" + i), "n");
        }
        assertThat(server.requests).as("the caller does not wait").isEmpty();
        assertThat(few.dropped()).isEqualTo(15);
        timer.run();
        assertThat(server.requests).hasSize(2);
        timer.advance(Duration.ofSeconds(1));
        assertThat(server.requests).hasSize(4);
        timer.advance(Duration.ofSeconds(10));
        assertThat(server.requests).hasSize(5);
        assertThat(few.backlog()).isZero();
    }

    /** Faults of the requests in order, the number of events, of requests, and of dropped events. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BROKEN LOST             | 1 | 3 | 0",
                "ANSWER_LOST             | 1 | 2 | 0",
                "BROKEN BROKEN THROTTLED | 0 | 3 | 1",
                "FORBIDDEN               | 0 | 1 | 1",
            })
    void fault_isHandled(String faults, int created, int requests, int dropped) {
        for (String fault : faults.split(" ")) {
            server.fail(Fault.valueOf(fault));
        }
        events.scheduled(POD, "n");
        timer.advance(Duration.ofMinutes(1));
        assertThat(server.events("/reason")).hasSize(created);
        assertThat(server.requests).hasSize(requests);
        assertThat(events.dropped()).isEqualTo(dropped);
        assertThat(problems).hasSize(dropped);
        events.scheduled(POD, "n");
        timer.advance(Duration.ofMinutes(2));
        assertThat(server.events("/reason")).as("the next one").hasSize(1);
    }

    @Test
    void forbiddenEvent_isReported() {
        server.fail(Fault.FORBIDDEN);
        events.scheduled(POD, "n");
        timer.run();
        assertThat(problems).containsExactly("event Scheduled of team-a/p: the API server answered 403: because");
    }

    @Test
    void longNamesAndNotes_areCut() {
        String name = "a".repeat(230) + "." + "b".repeat(22);
        events.failedScheduling(new PodRef("team-a", name, "u1"), "€".repeat(1000));
        timer.run();
        assertThat(server.events("/metadata/name").get(0))
                .hasSizeLessThanOrEqualTo(253)
                .matches("a{230}\\.b*\\.[0-9a-f]+|a{230}\\.[0-9a-f]+");
        String note = server.events("/note").get(0);
        assertThat(note).endsWith("€…");
        assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1020, 1024);
    }
}
