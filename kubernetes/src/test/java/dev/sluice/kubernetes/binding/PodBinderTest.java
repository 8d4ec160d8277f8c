package dev.sluice.kubernetes.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.binding.FakeApiServer.Fault;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
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

/** Bindings against a server with faults: each has one outcome, which is the truth. */
@Timeout(60)
final class PodBinderTest {

    private static final PodRef POD = new PodRef("team-a", "p", "u1");
    private static final Backoff AT_ONCE = new Backoff(3, Duration.ZERO, Duration.ZERO);

    private final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    private final FakeApiServer server;
    private final KubernetesClient client;
    private final PodBinder binder;

    PodBinderTest() throws IOException {
        server = new FakeApiServer();
        client = server.client();
        binder = new PodBinder(client, 4, AT_ONCE, new BindingListener() {
            @Override
            public void bound(PodRef pod, String node) {
                outcomes.add("bound to " + node);
            }

            @Override
            public void failed(PodRef pod, String node, String reason) {
                outcomes.add(reason);
            }
        });
        server.create(POD);
    }

    @AfterEach
    void close() {
        binder.close();
        client.close();
        server.close();
    }

    private String outcome() throws InterruptedException {
        binder.bind(POD, "n");
        return String.valueOf(outcomes.poll(30, TimeUnit.SECONDS));
    }

    /** Faults of the requests in order, the outcome, the node of the pod, and the requests. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                              | bound to n | n | POST p",
                "THROTTLED                       | bound to n | n | POST p, POST p",
                "BROKEN LOST                     | bound to n | n | POST p, POST p, POST p",
                // the repetition of a binding that succeeded is a conflict
                "ANSWER_LOST                     | bound to n | n | POST p, POST p, GET p",
                "LOST BROKEN ANSWER_LOST         | bound to n | n | POST p, POST p, POST p, GET p",
                "OVERTAKEN                       | pod team-a/p is bound to node stolen | stolen | POST p, GET p",
                "FORBIDDEN                       | the API server answered 403: because | '' | POST p",
                "BROKEN BROKEN BROKEN            | the API server answered 500: because | '' | POST p, POST p, POST p, GET p",
                "THROTTLED THROTTLED THROTTLED   | the API server answered 429: because | '' | POST p, POST p, POST p, GET p",
            })
    void binding_hasOneTrueOutcome(String faults, String outcome, String node, String requests)
            throws InterruptedException {
        for (String fault : faults.isEmpty() ? new String[0] : faults.split(" ")) {
            server.fail(Fault.valueOf(fault));
        }
        assertThat(outcome()).isEqualTo(outcome);
        assertThat(server.nodeOf(POD)).isEqualTo(node);
        assertThat(String.join(", ", server.requests)).isEqualTo(requests);
        assertThat(outcomes).isEmpty();
    }

    @Test
    void answerThatStaysAway_isAFailure() throws InterruptedException {
        server.fail(Fault.LOST, Fault.LOST, Fault.LOST);
        assertThat(outcome()).startsWith("no answer from the API server: ");
    }

    @Test
    void podThatIsGone_isNotBound() throws InterruptedException {
        server.delete(POD);
        assertThat(outcome()).isEqualTo("the API server answered 404: because");
    }

    @Test
    void laterPodWithTheName_isNotBound() throws InterruptedException {
        server.create(new PodRef("team-a", "p", "u2"));
        assertThat(outcome()).isEqualTo("pod team-a/p no longer exists");
        assertThat(server.nodeOf(POD)).isEmpty();
    }

    @Test
    @Tag("slow")
    void manyBindings_withManyFaults_haveOneOutcomeEach() throws InterruptedException {
        int count = 80;
        for (int i = 0; i < count / 4; i++) {
            server.fail(Fault.BROKEN, Fault.ANSWER_LOST, Fault.THROTTLED);
        }
        for (int i = 0; i < count; i++) {
            PodRef pod = new PodRef("team-a", "p" + i, "u" + i);
            server.create(pod);
            binder.bind(pod, "n" + i);
        }
        List<String> got = new ArrayList<>();
        while (got.size() < count) {
            got.add(String.valueOf(outcomes.poll(30, TimeUnit.SECONDS)));
        }
        assertThat(outcomes).isEmpty();
        long bound = got.stream().filter(each -> each.startsWith("bound to n")).count();
        assertThat(bound).isEqualTo(Collections.frequency(truth(count), true));
    }

    private List<Boolean> truth(int count) {
        List<Boolean> bound = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            bound.add(server.nodeOf(new PodRef("team-a", "p" + i, "u" + i)).equals("n" + i));
        }
        return bound;
    }

    @Test
    void bind_afterClose_hasNoEffect() {
        binder.close();
        binder.bind(POD, "n");
        assertThat(server.requests).isEmpty();
        assertThat(outcomes).isEmpty();
    }

    /** Attempt, delay that the server asks for in milliseconds, delay. */
    @ParameterizedTest
    @CsvSource({"1, 0, 200", "2, 0, 400", "3, 0, 800", "6, 0, 5000", "60, 0, 5000", "1, 1000, 1000", "1, 60000, 5000"})
    void delay_doublesAndRespectsTheServer(int attempt, long asked, long expected) {
        assertThat(Backoff.DEFAULT.after(attempt, Duration.ofMillis(asked))).hasMillis(expected);
    }
}
