package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.serve.ServerProcess;
import dev.sluice.server.GeneratedSections;
import dev.sluice.server.MetricsTable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What the packaged server measures of a cluster with one node, a pod that fits there and one that does not. */
@ProgramTest
@Tag("slow")
final class KubernetesMetricsTest {

    private static final Path DASHBOARD = Path.of("..", "kubernetes", "chart", "dashboard.json");
    private static final Pattern PREFIX = Pattern.compile("(scheduler|rest_client|sluice_pod)_.*");

    /** A metric in an expression: a word that is followed by labels. */
    private static final Pattern METRIC = Pattern.compile("([a-z_]+)\\{");

    private static FakeCluster cluster;
    private static ServerProcess server;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        cluster = new FakeCluster();
        String kubeconfig = cluster.kubeconfig(folder).toString();
        server = ServerProcess.start(folder.resolve("data"), "--no-node", "--kubernetes", "--kubeconfig", kubeconfig);
    }

    @AfterAll
    static void stop() {
        server.close();
        cluster.close();
    }

    private static String scrape() throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void pods_andRequests_areCounted() throws Exception {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> scrape().contains("scheduler_pending_pods{queue=\"unschedulable\"} 1")
                        && scrape().contains("scheduling_sli_duration_seconds_count{attempts=\"1\"} 1"));
        assertThat(scrape())
                .contains(
                        "scheduler_pending_pods{queue=\"active\"} 0",
                        "scheduler_schedule_attempts_total{profile=\"sluice\",result=\"unschedulable\"} 1",
                        "scheduler_schedule_attempts_total{profile=\"sluice\",result=\"scheduled\"} 1",
                        "scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"1\"} 1",
                        "rest_client_requests_total{code=\"200\",method=\"GET\"}",
                        "rest_client_requests_total{code=\"200\",method=\"POST\"}",
                        "sluice_pod_ends_total{outcome=\"failed\"} 0");
    }

    @Test
    void reference_matchesScrape() throws Exception {
        String table = MetricsTable.of(scrape(), name -> PREFIX.matcher(name).matches());
        GeneratedSections.check("metrics.md", Map.of("kubernetes", table));
    }

    @Test
    void dashboard_usesOnlyMetricsThatExist() throws Exception {
        await().atMost(Duration.ofSeconds(30)).until(() -> scrape().contains("sluice_allocated{"));
        String scrape = scrape();
        Set<String> used = new TreeSet<>();
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(DASHBOARD));
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.get("targets")) {
                Matcher metrics = METRIC.matcher(target.get("expr").asString());
                while (metrics.find()) {
                    used.add(metrics.group(1));
                }
            }
        }
        assertThat(used).hasSizeGreaterThan(12);
        for (String metric : used) {
            String family = metric.replaceAll("_(bucket|count|sum)$", "");
            assertThat(scrape).containsPattern("(?m)^# TYPE (" + metric + "|" + family + " histogram)");
        }
    }

    @Test
    void nodes_areRunByKubernetes() {
        Program.ProgramResult nodes = Program.execute("nodes", "--server", "http://127.0.0.1:" + server.port());
        assertThat(nodes.out()).as(nodes.err()).containsPattern("worker-1 +ready .* Kubernetes *\n");
    }
}
