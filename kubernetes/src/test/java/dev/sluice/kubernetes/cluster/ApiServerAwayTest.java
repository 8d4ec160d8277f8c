package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Application;
import dev.sluice.kubernetes.TestCluster;
import dev.sluice.kubernetes.metrics.ClusterMetrics;
import dev.sluice.kubernetes.translation.Manifests;
import dev.sluice.runtime.host.BatchLog;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.host.HostLimits;
import dev.sluice.runtime.host.HostListener;
import dev.sluice.runtime.host.HostParts;
import dev.sluice.runtime.journal.Cause;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An API server that answers nothing for longer than requests wait, and executes them when it continues. */
@Tag("kubernetes")
@Timeout(180)
final class ApiServerAwayTest {

    private static final Cause CAUSE = Cause.internal("test");
    private static final int PODS = 4;

    @TempDir
    private Path folder;

    @Test
    void bindingsWithoutAnAnswer_areDoneOnce() throws Exception {
        Path audit = folder.resolve("audit");
        Scheduler scheduler = new Scheduler();
        scheduler.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())), Instant.EPOCH);
        try (TestCluster api = TestCluster.start(2, "--audit", audit.toString());
                KubernetesClient client = api.client();
                KubernetesClient impatient = api.client()) {
            impatient.getConfiguration().setRequestTimeout(500);
            KubernetesCluster cluster =
                    new KubernetesCluster(impatient, KubernetesSettings.DEFAULT, new ClusterMetrics());
            try (EngineHost host = new EngineHost(new HostParts(
                    scheduler,
                    Instant.MIN,
                    InstantSource.system(),
                    BatchLog.discarding(),
                    HistoryRecorder.NONE,
                    List.of(cluster),
                    HostListener.NONE,
                    HostLimits.DEFAULT))) {
                host.recover();
                cluster.open();
                cluster.attach(host, (context, by, note) -> {});
                host.start();
                create(client, 0);
                await().atMost(Duration.ofSeconds(60)).until(() -> running(client) == 1);
                handle(host, new Command.HoldApplication("default", "job"));
                for (int i = 1; i < PODS; i++) {
                    create(client, i);
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> job(host, Application::tasks) == PODS);
                api.signal("kube-apiserver", "STOP");
                handle(host, new Command.ReleaseApplication("default", "job"));
                await("all are placed")
                        .atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> job(host, Application::placed) == PODS);
                // a binding that got no answer is reported after its last attempt, and its place is given back
                await("bindings have failed")
                        .atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> failed(host));
                api.signal("kube-apiserver", "CONT");
                await().atMost(Duration.ofSeconds(90)).until(() -> running(client) == PODS);
                await().atMost(Duration.ofSeconds(60)).until(() -> job(host, Application::placed) == PODS);
            } finally {
                cluster.close();
            }
        }
        for (int i = 0; i < PODS; i++) {
            String path = "/pods/p" + i + "/binding\"";
            assertThat(Files.readAllLines(audit))
                    .filteredOn(line -> line.contains(path.substring(0, path.length() - 1))
                            && line.contains("\"responseStatus\":{")
                            && line.contains("\"code\":201"))
                    .as("bindings of p%d", i)
                    .hasSize(1);
        }
    }

    private static void create(KubernetesClient client, int number) {
        client.resource(Manifests.pod("""
                        metadata: {name: p%d, namespace: default, uid: "", labels: {applicationId: job}}
                        spec:
                          schedulerName: sluice
                          containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]
                        """.formatted(number))).create();
    }

    private static long running(KubernetesClient client) {
        return client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getStatus().getPhase().equals("Running"))
                .count();
    }

    private static void handle(EngineHost host, Command command) throws Exception {
        assertThat(host.submit(CAUSE, context -> context.handle(command).refusal() == null)
                        .get())
                .isTrue();
    }

    /** Returns whether a task that was placed is pending again. */
    private static boolean failed(EngineHost host) throws Exception {
        return job(host, Application::placed) < PODS;
    }

    private static long job(EngineHost host, Function<Application, Number> question) throws Exception {
        return host.submit(
                        CAUSE,
                        context -> question.apply(
                                        Objects.requireNonNull(context.state().partition("default"))
                                                .existing("job"))
                                .longValue())
                .get();
    }
}
