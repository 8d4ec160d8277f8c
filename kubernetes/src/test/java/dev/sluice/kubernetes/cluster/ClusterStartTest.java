package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.TestCluster;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.translation.Manifests;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is known when a cluster has been listed. */
@Tag("kubernetes")
@Timeout(120)
final class ClusterStartTest {

    @Test
    void podsListed_butDeliveredLate_areKnownAfterTheStart() throws Exception {
        ClusterChanges changes = new ClusterChanges();
        CountDownLatch started = new CountDownLatch(1);
        try (TestCluster api = TestCluster.start(0);
                KubernetesClient client = api.client()) {
            client.resource(Manifests.pod("""
                            metadata: {name: first, namespace: default, uid: ""}
                            spec: {schedulerName: sluice, containers: [{name: c, image: none}]}
                            """)).create();
            try (ClusterWatch watch = new ClusterWatch(client, changes)) {
                watch.start(
                        new ClusterView(Set.of("sluice")),
                        "default",
                        new ClusterWatch.Kind<>("config map", ClusterWatch::name, map -> {}, name -> {}),
                        new ClusterWatch.Kind<>("namespace", ClusterWatch::name, namespace -> {}, name -> {}),
                        uid -> {},
                        new LateDelivery(started));
                int known = changes.take(Integer.MAX_VALUE).size();
                started.countDown();
                int namespaces = client.namespaces().list().getItems().size();
                int classes = client.scheduling()
                        .v1()
                        .priorityClasses()
                        .list()
                        .getItems()
                        .size();
                int maps = client.configMaps()
                        .inNamespace("default")
                        .list()
                        .getItems()
                        .size();
                assertThat(known).isEqualTo(1 + namespaces + classes + maps);
            }
        }
    }

    /** Holds pods back until the start is over, but not for ever, since the start waits for them. */
    private record LateDelivery(CountDownLatch started) implements ClusterWatch.EarlyPods {

        @Override
        public void observed(Pod pod) {
            try {
                boolean unused = started.await(2, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void removed(String uid) {}
    }
}
