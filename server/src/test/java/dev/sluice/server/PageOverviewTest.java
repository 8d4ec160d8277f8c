package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.runtime.testing.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What needs attention, what is due, and what was used over time, on a server of its own. */
final class PageOverviewTest {

    private static final String USAGE = "/ui/partitions/default/usage";

    private static final String QUEUES = """
            partitions: [{name: default, queues: [{name: root, queues: [
              {name: one, resources: {guaranteed: {gpu: 2}}},
              {name: two, parent: true, queues: [
                {name: a, resources: {guaranteed: {gpu: 3}}}, {name: b, resources: {guaranteed: {gpu: 4}}}]}]}]}]
            """;

    private TestDaemon daemon;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.start(TestDaemon.settings(folder));
    }

    @AfterEach
    void end() {
        daemon.close();
    }

    private String page(String path) {
        Reply page = new PageClient(daemon.port()).get(path);
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        assertThat(HtmlCheck.problems(page.text())).as(page.text()).isEmpty();
        return page.text();
    }

    private void submit(String application) {
        RoutesFixture.expect(201, "", daemon.client().post("/partitions/default/applications", application));
    }

    private static String gpuTasks(String id, String queue, int count) {
        return "{\"id\": \"" + id + "\", \"queue\": \"" + queue + "\", \"tasks\": [{\"id\": \"t\", \"count\": " + count
                + ", \"resources\": {\"gpu\": \"1\"}}]}";
    }

    private void addGpus(int count) {
        RoutesFixture.expect(
                201,
                "",
                daemon.client()
                        .post(
                                "/partitions/default/nodes",
                                "{\"name\": \"g\", \"capacity\": {\"slots\": \"8\", \"gpu\": \"" + count + "\"}}"));
    }

    private void configure() {
        RoutesFixture.ok(daemon.client().send("PUT", "/configuration", QUEUES, TestHttpClient.YAML));
    }

    @Test
    void overview_applicationThatCannotStart_needsAttentionUntilItIsCancelled() {
        configure();
        submit(RoutesFixture.waiting("st<uck", 2).replace("root.sandbox", "root.one"));
        assertThat(page("/ui")).contains("hx-get=\"/ui/details\"");
        assertThat(page("/ui/details"))
                .contains("Application st&lt;uck cannot start until nodes or configuration change")
                .contains("/applications/st%3Cuck\"");
        RoutesFixture.ok(daemon.client().post("/partitions/default/applications/st%3Cuck/cancel", ""));
        await().untilAsserted(() -> assertThat(page("/ui/details")).doesNotContain("cannot start"));
    }

    /**
     * Two GPUs are used by a queue that is guaranteed three, so another one waits for its guarantee. It has done so for
     * three minutes when the server is started again.
     */
    @Test
    void overview_starvedQueue_needsAttentionAfterAWhile(@TempDir Path folder) throws Exception {
        daemon.close();
        MemoryStore store = new MemoryStore();
        daemon = TestDaemon.on(
                store, TestDaemon.settings(folder), () -> Instant.now().minus(Duration.ofMinutes(3)));
        configure();
        addGpus(2);
        submit(gpuTasks("fills", "root.two.a", 2));
        submit(gpuTasks("starves", "root.one", 3));
        await().untilAsserted(() -> assertThat(daemon.client()
                        .get("/partitions/default/queues/root.two.a")
                        .at("/allocatedTasks"))
                .isEqualTo("2"));
        assertThat(page("/ui/details")).doesNotContain("that it is guaranteed");
        daemon.close();

        daemon = TestDaemon.on(store.reopen(), TestDaemon.settings(folder), InstantSource.system());
        await().untilAsserted(() -> assertThat(page("/ui/details"))
                .contains(
                        "Queue root.one uses 0 of the 2 of gpu that it is guaranteed; 3 tasks are pending, those of"
                                + " application starves since ",
                        "href=\"/ui/partitions/default/queues/root.one\""));
        assertThat(page("/ui")).contains("Queues below root", "<td>gpu 2</td>");
    }

    /** The queues are sampled at the start of the server, so what waits is known when it is started again. */
    @Test
    void demand_afterRestart_isInStepsAndCharts(@TempDir Path folder) throws Exception {
        daemon.close();
        MemoryStore store = new MemoryStore();
        daemon = TestDaemon.on(store, TestDaemon.settings(folder), InstantSource.system());
        configure();
        submit(gpuTasks("waits", "root.one", 5));
        daemon.close();

        daemon = TestDaemon.on(store.reopen(), TestDaemon.settings(folder), InstantSource.system());
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> { // the next sample, if a busy server missed one
                            JsonNode steps = daemon.client()
                                    .get("/history/demand/steps?queue=root.one&step=5m")
                                    .json()
                                    .at("/items");
                            assertThat(steps).anySatisfy(step -> {
                                assertThat(step.at("/pendingTasks").asDouble()).isEqualTo(5);
                                assertThat(step.at("/pending/gpu").asLong()).isEqualTo(5);
                                assertThat(step.at("/due/gpu").asLong()).isEqualTo(2);
                            });
                        });
        assertThat(page("/ui/partitions/default/queues/root.one")).contains(", waiting 5, due 2</title>");
        RoutesFixture.expect(422, "invalid", daemon.client().get("/history/demand/steps?step=0s"));
    }

    @Test
    void overview_runningApplicationWithStuckTasks_needsAttention() {
        configure();
        addGpus(1);
        submit(
                "{\"id\": \"mixed\", \"queue\": \"root.one\", \"tasks\": [{\"id\": \"t\", \"resources\": {\"gpu\": \"1\"}},"
                        + " {\"id\": \"large\", \"count\": 2, \"resources\": {\"gpu\": \"64\"}}]}");
        await().untilAsserted(() -> assertThat(daemon.client()
                        .get("/partitions/default/applications/mixed")
                        .at("/tasks/allocated"))
                .isEqualTo("1"));
        assertThat(page("/ui/details"))
                .contains("2 tasks of application mixed cannot start until nodes or configuration change: ");
    }

    @Test
    void overview_manyStuckApplications_areCounted() {
        configure();
        for (int i = 0; i < 12; i++) {
            submit(RoutesFixture.waiting("few" + i, 1).replace("root.sandbox", "root.one"));
        }
        submit(RoutesFixture.waiting("many", 9).replace("root.sandbox", "root.one"));
        assertThat(page("/ui/details"))
                .contains(
                        "Application few9 cannot start",
                        "<a href=\"/ui/partitions/default/applications?sort=pending\">and 1 more applications with tasks"
                                + " that cannot start</a>")
                .doesNotContain("Application few10 cannot start");
    }

    @Test
    void overview_guarantees_areSummed() {
        configure();
        addGpus(20);
        await().untilAsserted(() -> {
            Matcher row = Pattern.compile("(?s)<tr><th scope=\"row\">gpu</th>.*?</tr>")
                    .matcher(page("/ui"));
            assertThat(row.find()).isTrue();
            assertThat(row.group()).contains("<td class=\"number\">20</td>", "<td class=\"number\">9</td>");
        });
    }

    @Test
    void emptyPages_sayWhatToDoNext() {
        String applications = "<a href=\"/ui/partitions/default/applications\">";
        assertThat(page(USAGE))
                .contains("Nothing ran in the last hour. Choose a longer period, or see " + applications);
        assertThat(page("/ui/partitions/default/nodes/here"))
                .contains("No task is allocated on this node. " + applications + "See which applications wait");
        assertThat(page("/ui/partitions/default/reports")).contains("Start one below: paste another configuration");
    }

    @Test
    void usage_afterRuns_isShownOverTimeAndByQueue() {
        configure();
        submit(RoutesFixture.application("used", "true").replace("root.sandbox", "root.two.a"));
        daemon.client().awaitState("used", "Completed");
        assertThat(page("/ui/details")).contains("Used on average in the last hour", "<strong>vcore</strong> at most ");
        for (String period : new String[] {"hour", "day", "week", "month"}) {
            assertThat(page("/ui?period=" + period))
                    .as("overview of " + period)
                    .contains("hx-get=\"/ui/details" + (period.equals("hour") ? "\"" : "?period=" + period + "\""));
            assertThat(page("/ui/details?period=" + period))
                    .as("details of " + period)
                    .contains(
                            "Usage of partition default in the last " + period,
                            "<a href=\"/ui?period=" + period + "\" aria-current=\"true\">" + period + "</a>",
                            "Used on average in the last " + period,
                            "<strong>vcore</strong> at most ",
                            "href=\"" + USAGE + "?period=" + period + "\"");
            assertThat(page(USAGE + "?period=" + period))
                    .as(period)
                    .contains(
                            "Used on average in the last " + period,
                            "<strong>vcore</strong> at most ",
                            "root.two.a</th><td class=\"number\">1</td>");
        }
        assertThat(page(USAGE + "?by=application")).contains(">used</th>", "Usage by application in the last hour");
        assertThat(page(USAGE + "?by=nobody&period=year")).contains("Usage by queue in the last hour");
    }
}
