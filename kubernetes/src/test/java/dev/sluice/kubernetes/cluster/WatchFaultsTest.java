package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.state.Partition;
import dev.sluice.kubernetes.cluster.WatchStream.Transport;
import dev.sluice.kubernetes.cluster.WatchedApiServer.Fault;
import dev.sluice.kubernetes.request.ApiServerContact;
import dev.sluice.kubernetes.translation.Manifests;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An engine and the faults that a real API server does not produce at will. There are two nodes of 16 cores, and pods
 * request 8.
 */
@Timeout(60)
final class WatchFaultsTest {

    private @Nullable WatchedApiServer opened;
    private @Nullable FollowingEngine started;
    private WatchedApiServer server;
    private FollowingEngine engine;

    @BeforeEach
    void open() throws Exception {
        server = new WatchedApiServer();
        opened = server;
        for (String node : new String[] {"n1", "n2"}) {
            server.put("nodes", Manifests.node("""
                            metadata: {name: %s}
                            status:
                              allocatable: {cpu: 16, pods: 110}
                              conditions: [{type: Ready, status: "True"}]
                            """.formatted(node)));
        }
        engine = new FollowingEngine(KubernetesSettings.DEFAULT, null, server.client());
        started = engine;
    }

    private void start() throws Exception {
        start(Transport.SOCKET);
    }

    private void start(Transport transport) throws Exception {
        server.sendBy(transport);
        engine.start(server.client(), new ApiServerContact(InstantSource.system()));
    }

    @AfterEach
    void close() throws IOException {
        if (started != null) {
            started.close();
        }
        if (opened != null) {
            opened.close();
        }
    }

    private String create(String name) throws IOException {
        return server.put("pods", Manifests.pod("""
                        metadata: {name: %s, namespace: default, uid: u-%s, labels: {applicationId: job}}
                        spec:
                          schedulerName: sluice
                          containers: [{name: c, resources: {requests: {cpu: 8}}}]
                        status: {phase: Pending}
                        """.formatted(name, name)));
    }

    private void awaitBound(String... names) {
        await("pods are bound, and the state is that of the cluster")
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    Map<String, String> allocated = engine.allocated();
                    return allocated.keySet().equals(Set.of(names)) && allocated.equals(server.bound());
                });
    }

    private void awaitSucceeded(int count) {
        await("the end of a pod is known").until(() -> engine.of(this::succeeded) == count);
    }

    private int succeeded(Partition partition) {
        return (int) partition.existing("job").succeeded();
    }

    private void assertBoundOnce(String... names) {
        for (String name : names) {
            assertThat(server.bindings(name)).hasSize(1).allMatch(request -> request.endsWith(" 201"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void watch_whoseHistoryIsGone_isListedAnew(Transport transport) throws Exception {
        start(transport);
        create("runs");
        create("ends");
        create("goes");
        awaitBound("runs", "ends", "goes");
        int lists = server.lists();
        server.silence();
        server.finish("ends");
        server.delete("goes");
        create("next");
        server.compact();
        server.resume();
        server.send(WatchedApiServer.event("ERROR", WatchedApiServer.gone()));
        awaitSucceeded(1);
        awaitBound("runs", "next");
        assertThat(server.lists()).isEqualTo(lists + 1);
        assertBoundOnce("runs", "ends", "goes", "next");
    }

    @Test
    void watch_thatEndsInTheMiddleOfAnEvent_isContinued() throws Exception {
        start(Transport.LINES);
        create("runs");
        create("goes");
        awaitBound("runs", "goes");
        server.silence();
        String gone = server.delete("goes");
        create("next");
        server.finish("runs");
        server.resume();
        server.sendHalf(WatchedApiServer.event("DELETED", gone));
        awaitSucceeded(1);
        awaitBound("next");
        assertBoundOnce("runs", "goes", "next");
    }

    @Test
    void event_thatIsNoObject_isFollowedByAList() throws Exception {
        start();
        create("runs");
        awaitBound("runs");
        int lists = server.lists();
        server.silence();
        create("next");
        server.resume();
        server.send("{\"type\":\"ADDED\",\"object\":{\"kind\":");
        awaitBound("runs", "next");
        assertThat(server.lists()).isEqualTo(lists + 1);
        assertBoundOnce("runs", "next");
    }

    @Test
    void events_twice_changeNothing() throws Exception {
        start();
        create("runs");
        awaitBound("runs");
        String running = server.pod("runs");
        server.send(WatchedApiServer.event("MODIFIED", running));
        server.send(WatchedApiServer.event("ADDED", running));
        create("goes");
        awaitBound("runs", "goes");
        String gone = server.delete("goes");
        server.send(WatchedApiServer.event("DELETED", gone));
        create("next");
        awaitBound("runs", "next");
        assertBoundOnce("runs", "goes", "next");
    }

    @Test
    void lists_thatAreThrottled_areRepeatedFromTheFirstPage() throws Exception {
        server.pages(2);
        for (String name : new String[] {"a", "b", "c"}) {
            create(name);
        }
        server.failPages(Fault.THROTTLED, Fault.NONE, Fault.THROTTLED, Fault.NONE, Fault.GONE);
        start();
        awaitBound("a", "b", "c");
        assertThat(server.requests).startsWith("LIST", "LIST", "LIST 2", "LIST", "LIST 2", "LIST", "LIST 2", "WATCH");
        assertBoundOnce("a", "b", "c");
    }

    @Test
    void list_thatIsThrottledWhileAWatchIsReplaced_isRepeated() throws Exception {
        start();
        create("goes");
        awaitBound("goes");
        server.silence();
        server.delete("goes");
        create("next");
        server.compact();
        server.failPages(Fault.THROTTLED, Fault.GONE);
        server.resume();
        server.send(WatchedApiServer.event("ERROR", WatchedApiServer.gone()));
        awaitBound("next");
        assertBoundOnce("goes", "next");
    }

    @Test
    void bindings_refusedForNow_areRepeated() throws Exception {
        server.failBindings(Fault.THROTTLED, Fault.CONFLICT);
        create("a");
        start();
        awaitBound("a");
        assertThat(server.bindings("a"))
                .extracting(each -> each.split(" ")[3])
                .containsExactly("THROTTLED", "CONFLICT", "201");
    }

    @Test
    void pod_boundBySomebodyElse_occupiesThatNode() throws Exception {
        server.failBindings(Fault.OVERTAKEN);
        create("stolen");
        start();
        await("the pod is known where it runs")
                .until(() -> server.bindings("stolen").size() == 1);
        create("a");
        create("b");
        create("c");
        await("three pods run").until(() -> server.bound().size() == 4);
        assertThat(server.bound()).containsEntry("stolen", "n2");
        assertThat(server.bound().values())
                .containsOnly("n1", "n2")
                .filteredOn("n2"::equals)
                .hasSize(2);
        assertBoundOnce("a", "b", "c");
        assertThat(server.bindings("stolen")).containsOnly("BIND stolen n1 409"); // again if the event comes late
    }
}
