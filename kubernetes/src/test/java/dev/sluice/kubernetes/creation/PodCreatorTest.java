package dev.sluice.kubernetes.creation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.FakeApiServer;
import dev.sluice.kubernetes.binding.FakeApiServer.Fault;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.RequestThreads;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class PodCreatorTest {

    private static final PodRun RUN = new PodRun("default", "etl", "load", 1, 7);
    private static final Backoff BACKOFF = new Backoff(3, Duration.ofMillis(1), Duration.ofMillis(5));

    private final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    private final RequestThreads threads = new RequestThreads("test", 2);
    private FakeApiServer server;
    private KubernetesClient client;
    private PodCreator creator;

    @BeforeEach
    void start() throws IOException {
        server = new FakeApiServer();
        client = server.client();
        creator = new PodCreator(new ApiRequests(client), threads, BACKOFF, new CreationListener() {
            @Override
            public void created(NewPod pod) {
                outcomes.add("created");
            }

            @Override
            public void failed(NewPod pod, String reason, boolean isFinal) {
                outcomes.add((isFinal ? "failed: " : "refused: ") + reason);
            }

            @Override
            public void gone(NewPod pod) {
                outcomes.add("gone");
            }
        });
    }

    @AfterEach
    void end() {
        threads.close();
        client.close();
        server.close();
    }

    private static NewPod pod(PodRun run) {
        ObjectNode manifest = ApiRequests.object();
        ObjectNode metadata = manifest.putObject("metadata").put("name", RUN.podName());
        ObjectNode annotations = metadata.putObject("annotations");
        run.annotations().forEach(annotations::put);
        manifest.putObject("spec").put("schedulerName", "sluice");
        return new NewPod(run, "team-a", RUN.podName(), "n", List.of(), manifest);
    }

    private String create(NewPod pod) throws InterruptedException {
        creator.create(pod, Duration.ZERO);
        return String.valueOf(outcomes.poll(30, TimeUnit.SECONDS));
    }

    private long creations() {
        return server.requests.stream()
                .filter(each -> each.startsWith("CREATE"))
                .count();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NONE | created | 1
            THROTTLED | created | 2
            BROKEN | created | 2
            LOST | created | 2
            ANSWER_LOST | created | 2
            CONFLICT | created | 2
            FORBIDDEN | failed: the API server answered 403: because | 1
            """)
    void pod_existsOnce_whateverHappensToRequests(Fault fault, String outcome, int requests)
            throws InterruptedException {
        server.fail(fault);
        assertThat(create(pod(RUN))).isEqualTo(outcome);
        assertThat(creations()).isEqualTo(requests);
        assertThat(server.pod(new PodRef("team-a", RUN.podName(), "")).isEmpty())
                .isEqualTo(outcome.startsWith("failed"));
        assertThat(outcomes).isEmpty();
    }

    @Test
    void podOfAnEarlierServer_isAdopted_butNotThatOfSomebodyElse() throws InterruptedException {
        assertThat(create(pod(RUN))).isEqualTo("created");
        assertThat(create(pod(RUN))).as("after a crash").isEqualTo("created");
        assertThat(create(pod(new PodRun("default", "etl", "load", 1, 8))))
                .isEqualTo("failed: pod team-a/" + RUN.podName() + " exists and is not that of the run: delete it");
    }

    @Test
    void unansweredRequests_endInARefusal() throws InterruptedException {
        server.fail(Fault.LOST, Fault.BROKEN, Fault.THROTTLED);
        assertThat(create(pod(RUN))).startsWith("refused: the API server answered 429");
    }

    @Test
    void check_reportsThatAPodIsGone() throws InterruptedException {
        assertThat(create(pod(RUN))).isEqualTo("created");
        server.delete(new PodRef("team-a", RUN.podName(), ""));
        creator.check(pod(RUN));
        assertThat(outcomes.poll(30, TimeUnit.SECONDS)).isEqualTo("gone");
    }
}
