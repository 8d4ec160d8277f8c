package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.kubernetes.cluster.WatchStream.Transport;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.translation.Manifests;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Watches whose connection is dead without having been closed. */
@Timeout(60)
final class SilentWatchTest {

    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private WatchedApiServer server;

    @BeforeEach
    void open() throws IOException {
        server = new WatchedApiServer();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private ClusterWatch start(KubernetesClient client, Duration silenceMax) throws InterruptedException {
        ClusterWatch watch = new ClusterWatch(client, new ClusterChanges(), silenceMax);
        watch.start(
                new ClusterView(Set.of("sluice")),
                "default",
                new ClusterWatch.Kind<>("config map", ClusterWatch::name, map -> {}, name -> {}),
                new ClusterWatch.Kind<>("namespace", ClusterWatch::name, namespace -> {}, name -> {}),
                uid -> {},
                new Observer());
        return watch;
    }

    private String create(String name) throws IOException {
        return server.put(
                "pods",
                Manifests.pod("{metadata: {name: " + name + ", namespace: default, uid: u-" + name
                        + "}, spec: {schedulerName: sluice, containers: []}, status: {phase: Pending}}"));
    }

    private int watches() {
        return Collections.frequency(server.requests, "WATCH");
    }

    @ParameterizedTest
    @EnumSource
    void silentWatch_isOpenedAgain_whereItStopped(Transport transport) throws Exception {
        server.sendBy(transport);
        create("listed");
        try (KubernetesClient client = server.client();
                ClusterWatch watch = start(client, Duration.ofMillis(400))) {
            assertThat(watch).isNotNull();
            create("watched");
            await("an event is received").until(() -> seen.contains("watched"));
            server.freeze();
            create("unseen");
            await("the event that was lost is received")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> seen.contains("unseen"));
            assertThat(server.lists()).isEqualTo(1);
        }
    }

    @Test
    @Tag("slow")
    void watchThatReceivesBookmarks_isKept() throws Exception {
        create("listed");
        String bookmark = WatchedApiServer.event(
                "BOOKMARK", "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"resourceVersion\":\"2\"}}");
        try (KubernetesClient client = server.client();
                ClusterWatch watch = start(client, Duration.ofSeconds(3))) {
            assertThat(watch).isNotNull();
            await().until(() -> watches() == 1);
            await().during(Duration.ofSeconds(5)).atMost(Duration.ofSeconds(20)).until(() -> {
                server.send(bookmark);
                return watches() == 1;
            });
            await("it is silent").until(() -> watches() == 2);
        }
    }

    private final class Observer implements ClusterWatch.EarlyPods {

        @Override
        public void observed(Pod pod) {
            seen.add(pod.getMetadata().getName());
        }

        @Override
        public void removed(String uid) {
            seen.remove(uid);
        }
    }
}
