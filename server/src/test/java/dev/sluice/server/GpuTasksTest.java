package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.Enforcement;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.machine.LimitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server on a machine with a GPU. */
final class GpuTasksTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    @TempDir
    Path folder;

    @Test
    @Timeout(60)
    void task_holdingGpu_isShownWithItsIndexAndHealthWithLimits() throws Exception {
        Confinement confinement = new Confinement(Gpus.parse("5-5"), Enforcement.of(LimitMode.WATCH));
        DaemonSettings.LocalNode node = new DaemonSettings.LocalNode(
                "default", "here", Resources.parse("slots", "2", "gpu", "1"), new TreeMap<>(), confinement);
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(folder).withNode(node))) {
            assertThat(daemon.client().post(APPLICATIONS, """
                                    {"id": "a", "queue": "root.default", "tasks": [
                                      {"id": "t", "command": "sleep 60", "resources": {"gpu": 1}}]}""").status()).isEqualTo(201);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> daemon.client()
                            .get(APPLICATIONS + "/a/tasks/t")
                            .at("/detail")
                            .equals("GPU 5"));
            assertThat(daemon.client().get(APPLICATIONS + "/a/tasks").at("/items/0/detail"))
                    .isEqualTo("GPU 5");
            assertThat(daemon.client().get("/health").at("/parts/limits"))
                    .isEqualTo("memory and number of processes of a task, checked every few seconds");
            daemon.client().post(APPLICATIONS + "/a/cancel", "");
        }
    }
}
