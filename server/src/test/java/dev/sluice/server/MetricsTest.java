package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The Prometheus metrics: format and values. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MetricsTest {

    private TestDaemon daemon;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.start(TestDaemon.settings(folder));
    }

    @AfterAll
    void end() {
        daemon.close();
    }

    private String scrape() {
        return daemon.client().get("//metrics").text();
    }

    @Test
    void families_scraped_followPrometheusFormat() {
        Map<String, String> types = new LinkedHashMap<>();
        Set<String> helped = new HashSet<>();
        Set<String> samples = new HashSet<>();
        assertThat(daemon.client().get("/health").status()).isEqualTo(200);
        for (String line : scrape().split("\n")) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                assertThat(helped.add(words[2])).as(line).isTrue();
                assertThat(words[3]).isNotBlank();
            } else if (line.startsWith("# TYPE ")) {
                assertThat(types.put(words[2], words[3]))
                        .as("%s is unique", words[2])
                        .isNull();
                assertThat(helped).as("has help").contains(words[2]);
            } else {
                String sample = line.substring(0, line.lastIndexOf(' '));
                assertThat(samples.add(sample)).as("%s is unique", sample).isTrue();
                assertThat(line.substring(line.lastIndexOf(' ') + 1)).matches("[+-]?(NaN|Inf|[0-9.]+(E-?[0-9]+)?)");
            }
        }
        types.forEach((name, type) -> {
            assertThat(name).matches("[a-z][a-z0-9_]*");
            assertThat(name.endsWith("_total")).as("%s is a %s", name, type).isEqualTo(type.equals("counter"));
        });
        assertThat(types)
                .containsEntry("sluice_journal_commit_seconds", "histogram")
                .containsEntry("sluice_http_requests_seconds", "histogram")
                .containsEntry("sluice_events_total", "counter");
    }

    @Test
    void cluster_changed_isCountedOnScrape() {
        String applications = "/partitions/default/applications";
        assertThat(daemon.client()
                        .post(
                                applications,
                                "{\"id\": \"m\", \"queue\": \"root.default\", \"tasks\": [{\"id\": \"w\", \"count\": 7,"
                                        + " \"nodeSelector\": {\"no\": \"where\"}}]}")
                        .status())
                .isEqualTo(201);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(scrape())
                        .contains("sluice_queue_tasks_pending{partition=\"default\",queue=\"root.default\"} 7.0")
                        .contains("sluice_applications{partition=\"default\",state=\"Accepted\"} 1.0")
                        .contains("sluice_nodes{partition=\"default\",state=\"ready\"} 1.0")
                        .contains("sluice_capacity{partition=\"default\",resource=\"vcore\"} 4000.0"));
        daemon.client().post("/partitions/default/nodes/here/offline", "");
        daemon.client().post(applications + "/m/cancel", "");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(scrape())
                        .contains("sluice_queue_tasks_pending{partition=\"default\",queue=\"root.default\"} 0.0")
                        .contains("sluice_nodes{partition=\"default\",state=\"ready\"} 0.0")
                        .contains("sluice_nodes{partition=\"default\",state=\"offline\"} 1.0"));
    }
}
