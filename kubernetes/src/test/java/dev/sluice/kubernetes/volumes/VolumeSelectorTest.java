package dev.sluice.kubernetes.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.RequestTimer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Claims are annotated and bound before their pods, against a server with faults, in simulated time. */
final class VolumeSelectorTest {

    private static final PodRef POD = new PodRef("team-a", "p", "u1");
    private static final Backoff BACKOFF = new Backoff(3, Duration.ofSeconds(1), Duration.ofSeconds(60));

    /** Executes steps in the order of their times, on the thread of the test. */
    private static final class SimulatedTimer implements RequestTimer {

        private record Step(long nanos, long number, Runnable step) {}

        private final PriorityQueue<Step> steps =
                new PriorityQueue<>(Comparator.comparingLong(Step::nanos).thenComparingLong(Step::number));
        private long now;
        private long number;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void schedule(Runnable step, long delayNanos) {
            number++;
            steps.add(new Step(now + delayNanos, number, step));
        }

        boolean runNext() {
            Step next = steps.poll();
            if (next != null) {
                now = next.nanos();
                next.step().run();
            }
            return next != null;
        }
    }

    private final FakeClaims server;
    private final KubernetesClient client;
    private final SimulatedTimer timer = new SimulatedTimer();
    private final List<String> outcomes = new ArrayList<>();
    private final VolumeSelector selector;

    VolumeSelectorTest() throws IOException {
        server = new FakeClaims();
        client = server.client();
        selector = new VolumeSelector(
                new ApiRequests(client), timer, BACKOFF, Duration.ofMinutes(10), new VolumeListener() {
                    @Override
                    public void bound(PodRef pod, String node) {
                        outcomes.add(pod + " for " + node);
                    }

                    @Override
                    public void failed(PodRef pod, String node, String reason) {
                        outcomes.add(reason);
                    }
                });
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private void run() {
        while (timer.runNext()) {
            assertThat(outcomes).hasSizeLessThan(2);
        }
    }

    private void select(String... claims) {
        selector.select(POD, List.of(claims), "n");
    }

    /** What the provisioner does when it sees the annotation, faults of the requests, and the outcome. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BIND   | ''           | team-a/p for n | GET PATCH GET",
                "REFUSE | ''           | persistentvolumeclaim data cannot be provisioned for node n: its events say why | GET PATCH GET",
                "DELETE | ''           | persistentvolumeclaim data not found  | GET PATCH GET",
                "BIND   | 503          | team-a/p for n | GET GET PATCH GET",
                "BIND   | 200 409      | team-a/p for n | GET PATCH GET PATCH GET",
                "BIND   | 200 500 200 500 200 500 | persistentvolumeclaim data: the API server answered 500: because | GET PATCH GET PATCH GET PATCH",
                "BIND   | 500 500 500  | persistentvolumeclaim data: the API server answered 500: because | GET GET GET",
                "BIND   | 403          | persistentvolumeclaim data: the API server answered 403: because | GET",
                "BIND   | 200 lost     | team-a/p for n | GET PATCH GET",
                "NOTHING | ''          | not bound after 600 s: persistentvolumeclaim data | ''",
            })
    void claim_isAnnotatedAndAwaited(String provisioner, String faults, String outcome, String requests) {
        server.create("data");
        server.provisioner = FakeClaims.Provisioner.valueOf(provisioner);
        server.fail(faults.isEmpty() ? new String[0] : faults.split(" "));
        select("data");
        run();
        assertThat(outcomes).containsExactly(outcome);
        if (!requests.isEmpty()) {
            assertThat(String.join(" ", server.requests)).isEqualTo(requests);
        }
    }

    @Test
    void boundClaim_isLeftAlone() {
        server.create("data");
        server.bind("data");
        select("data");
        run();
        assertThat(outcomes).containsExactly("team-a/p for n");
        assertThat(server.requests).containsExactly("GET");
    }

    @Test
    void severalClaims_areBoundTogether() {
        server.create("data");
        server.create("logs");
        server.provisioner = FakeClaims.Provisioner.BIND;
        select("data", "logs");
        run();
        assertThat(outcomes).containsExactly("team-a/p for n");
        assertThat(server.requests).containsExactly("GET", "PATCH", "GET", "PATCH", "GET", "GET");
    }

    @Test
    void claimOfAnotherNode_isAFailure() {
        server.create("data");
        server.annotate("data", "other");
        select("data");
        run();
        assertThat(outcomes).containsExactly("persistentvolumeclaim data is provisioned for node other");
        assertThat(server.selected("data")).isEqualTo("other");
    }

    @Test
    void claimThatWasAnnotatedBefore_isAwaited() {
        server.create("data");
        server.annotate("data", "n");
        select("data");
        assertThat(timer.runNext()).isTrue();
        assertThat(outcomes).isEmpty();
        server.bind("data");
        run();
        assertThat(outcomes).containsExactly("team-a/p for n");
        assertThat(server.requests).containsExactly("GET", "GET");
    }

    @Test
    void deletedClaim_isAFailure() {
        server.create("data");
        server.markDeleted("data");
        select("data");
        run();
        assertThat(outcomes).containsExactly("persistentvolumeclaim data is being deleted");
    }

    @Test
    void laterClaimWithTheName_isAnnotatedAnew() {
        server.create("data");
        select("data");
        assertThat(timer.runNext()).isTrue();
        server.create("data");
        server.provisioner = FakeClaims.Provisioner.BIND;
        run();
        assertThat(outcomes).containsExactly("team-a/p for n");
        assertThat(server.requests).containsExactly("GET", "PATCH", "GET", "PATCH", "GET");
    }

    @Test
    void cancelledPod_hasNoOutcome() {
        server.create("data");
        select("data");
        assertThat(timer.runNext()).isTrue();
        selector.cancel(POD);
        server.bind("data");
        run();
        assertThat(outcomes).isEmpty();
    }

    @Test
    void laterSelection_replacesTheEarlierOne() {
        server.create("data");
        server.annotate("data", "m");
        server.bind("data");
        selector.select(POD, List.of("data"), "n");
        selector.select(POD, List.of("data"), "m");
        run();
        assertThat(outcomes).containsExactly("team-a/p for m");
    }
}
