package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.config.snapshot.JobWorkload;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotLoader;
import dev.sluice.config.snapshot.SnapshotReader;
import dev.sluice.config.snapshot.WorkloadSubmission;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.HostLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The history of finished work and the snapshot of a server whose scheduler forgets finished applications immediately.
 */
@Tag("slow")
final class HistoryTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    @TempDir
    private Path folder;

    private TestDaemon daemon;

    @BeforeEach
    void start() throws Exception {
        DaemonSettings settings =
                DaemonSettings.in(folder).withLimits(new HostLimits(100, 100, 0, Duration.ofSeconds(1)));
        daemon = TestDaemon.start(settings);
    }

    @AfterEach
    void end() {
        daemon.close();
    }

    private void restart() throws Exception {
        end();
        start();
    }

    @Test
    void runs_ended_haveNodeAndOutcome() throws Exception {
        node();
        submit("{\"id\": \"a\", \"tasks\": [{\"id\": \"t\", \"count\": 3, \"resources\": {\"vcore\": 1}},"
                + " {\"id\": \"u\", \"count\": 2, \"after\": {\"t\": \"succeeded\"}}]}");
        report("a", "t-0", "started", "");
        // placements and starts before a restart are in the history, too
        restart();
        report("a", "t-0", "succeeded", "");
        report("a", "t-1", "failed", ", \"exitCode\": 3, \"detail\": \"no input\"");

        JsonNode tasks = get(APPLICATIONS + "/a/tasks").get("items");
        assertThat(ids(tasks)).containsExactly("t-2", "u", "t-1", "t-0");
        JsonNode succeeded = get(APPLICATIONS + "/a/tasks/t-0");
        assertThat(succeeded.get("state").asString()).isEqualTo("succeeded");
        assertThat(succeeded.get("attempt").asInt()).isEqualTo(1);
        assertThat(succeeded.get("node").asString()).isEqualTo("n");
        assertThat(succeeded.has("placed") && succeeded.has("started") && succeeded.has("ended"))
                .isTrue();
        JsonNode failed = get(APPLICATIONS + "/a/tasks/t-1");
        assertThat(failed.get("state").asString()).isEqualTo("failed");
        assertThat(failed.get("outcome").asString()).isEqualTo("failed");
        assertThat(failed.get("exitCode").asInt()).isEqualTo(3);
        assertThat(failed.get("detail").asString()).isEqualTo("no input");
        assertThat(failed.has("started")).isFalse();
        JsonNode dropped = get(APPLICATIONS + "/a/tasks/u-1");
        assertThat(dropped.get("state").asString()).isEqualTo("stopped");
        assertThat(dropped.get("attempt").asInt()).isZero();
        assertThat(dropped.get("detail").asString()).contains("dependency t cannot succeed any more");
        assertThat(ids(get(APPLICATIONS + "/a/tasks?state=failed").get("items")))
                .containsExactly("t-1");
        assertThat(ids(get(APPLICATIONS + "/a/tasks?state=running").get("items")))
                .isEmpty();
    }

    @Test
    void runs_stopped_areCountedByReason() throws Exception {
        node();
        submit("{\"id\": \"a\", \"tasks\": [{\"id\": \"t\", \"count\": 2, \"resources\": {\"vcore\": 1}},"
                + " {\"id\": \"u\"}]}");
        report("a", "t-0", "started", "");
        report("a", "u", "failed", "");
        daemon.client().post(APPLICATIONS + "/a/tasks/t-0/stop", "{}");
        assertThat(get(APPLICATIONS + "/a/tasks/t-0").get("stopReason").asString())
                .isEqualTo("stopped");
        daemon.client().post(APPLICATIONS + "/a/cancel", "{}");
        // reasons that were given before a restart are in the history, too
        restart();
        report("a", "t-0", "failed", "");
        report("a", "t-1", "failed", "");
        assertThat(get(APPLICATIONS + "/a/tasks/t-0").get("stopReason").asString())
                .isEqualTo("stopped");
        assertThat(get(APPLICATIONS + "/a/tasks/t-1").get("stopReason").asString())
                .isEqualTo("cancelled");
        assertThat(get(APPLICATIONS + "/a/tasks/u").has("stopReason")).isFalse();
        JsonNode ended = get("/history/applications?id=a").get("items").get(0);
        assertThat(ended.get("stops").toString()).isEqualTo("{\"cancelled\":1,\"stopped\":1}");
    }

    @Test
    void run_retried_isRecordedWithNextRun() throws Exception {
        node();
        submit("{\"id\": \"a\", \"tasks\": [{\"id\": \"t\", \"retries\": 1}, {\"id\": \"w\"}]}");
        report("a", "t", "failed", "");
        report("a", "t", 2, "failed", "");
        JsonNode tasks = get(APPLICATIONS + "/a/tasks").get("items");
        assertThat(ids(tasks)).containsExactly("w", "t", "t");
        assertThat(tasks.get(1).get("attempt").asInt()).isEqualTo(2);
        assertThat(tasks.get(2).get("attempt").asInt()).isEqualTo(1);
        assertThat(get(APPLICATIONS + "/a/tasks/t").get("attempt").asInt()).isEqualTo(2);
    }

    @Test
    void task_inRetryDelay_isWaitingWithReason() throws Exception {
        node();
        submit("{\"id\": \"a\", \"tasks\": [{\"id\": \"t\", \"retries\": {\"times\": 1, \"delay\": \"1h\"}}]}");
        report("a", "t", "failed", "");
        assertThat(get(APPLICATIONS + "/a/tasks/t").get("state").asString()).isEqualTo("waiting");
        assertThat(ids(get(APPLICATIONS + "/a/tasks?state=waiting").get("items")))
                .containsExactly("t");
        assertThat(get(APPLICATIONS + "/a").at("/tasks/waiting").asInt()).isOne();
        JsonNode why = get(APPLICATIONS + "/a/tasks/t/why");
        assertThat(why.at("/state").asString()).isEqualTo("waiting");
        assertThat(why.at("/reasons/0/code").asString()).isEqualTo("retry-delay");
        assertThat(get(APPLICATIONS + "/a/why").at("/reasons/0/code").asString())
                .isEqualTo("retry-delay");
    }

    @Test
    void tasks_paged_areListedOnce() throws Exception {
        node();
        submit("{\"id\": \"a\", \"tasks\": [{\"id\": \"t\", \"count\": 5}]}");
        for (int i = 0; i < 3; i++) {
            report("a", "t-" + i, "succeeded", "");
        }
        for (int limit = 1; limit <= 6; limit++) {
            List<String> seen = new ArrayList<>();
            String next = "";
            do {
                JsonNode page = get(APPLICATIONS + "/a/tasks?limit=" + limit + next);
                seen.addAll(ids(page.get("items")));
                assertThat(page.get("items").size()).isLessThanOrEqualTo(limit);
                next = page.has("next") ? "&after=" + page.get("next").asString() : "";
                assertThat(next.isEmpty()).as("limit %s after %s", limit, seen).isEqualTo(seen.size() == 5);
            } while (!next.isEmpty());
            assertThat(seen).as("limit %s", limit).containsExactly("t-3", "t-4", "t-2", "t-1", "t-0");
        }
    }

    @Test
    void application_expired_isReadFromHistory() throws Exception {
        node();
        submit("{\"id\": \"a\", \"sealed\": true, \"tasks\": [{\"id\": \"t\"}]}");
        report("a", "t", "failed", "");
        submit("{\"id\": \"a\", \"sealed\": true, \"user\": \"eve\", \"tasks\": [{\"id\": \"v\"}]}");
        report("a", "v", "succeeded", "");

        assertThat(get(APPLICATIONS).get("items").size()).isZero();
        JsonNode application = get(APPLICATIONS + "/a");
        assertThat(application.get("state").asString()).isEqualTo("Completed");
        assertThat(application.get("user").asString()).isEqualTo("eve");
        assertThat(ids(get(APPLICATIONS + "/a/tasks").get("items"))).containsExactly("v");
        assertThat(get(APPLICATIONS + "/a/tasks/v").get("state").asString()).isEqualTo("succeeded");
        assertThat(daemon.client().get(APPLICATIONS + "/a/tasks/t").status()).isEqualTo(404);
        Reply log = daemon.client().get(APPLICATIONS + "/a/tasks/v/log");
        assertThat(log.status()).isEqualTo(404);
        assertThat(log.text()).contains("has no log on this server");
        for (String path : List.of("/b", "/b/tasks", "/b/tasks/t", "/b/tasks/t/log")) {
            Reply unknown = daemon.client().get(APPLICATIONS + path);
            assertThat(unknown.status()).as(path).isEqualTo(404);
            assertThat(unknown.text()).as(path).contains("application b not found");
        }
    }

    @Test
    void waits_ofExpiredApplication_areReadFromHistory() throws Exception {
        submit("{\"id\": \"a\", \"sealed\": true, \"tasks\": [{\"id\": \"t\"}]}");
        daemon.sampleWaits();
        node();
        daemon.sampleWaits();
        report("a", "t", "succeeded", "");
        restart();

        assertThat(get(APPLICATIONS).get("items").size()).isZero();
        JsonNode waits = get(APPLICATIONS + "/a/waits").get("items");
        assertThat(waits).hasSize(1);
        assertThat(waits.at("/0/code").asString()).isEqualTo("no-node-fits");
        assertThat(waits.at("/0/detail").asString()).isEqualTo("the partition has no nodes");
        assertThat(waits.at("/0/tasks").asLong()).isEqualTo(1);
        assertThat(Instant.parse(waits.at("/0/seen").asString()))
                .isAfter(Instant.parse(waits.at("/0/from").asString()));
    }

    @Test
    void history_anyFilter_listsLastEndedFirst() throws Exception {
        node();
        for (String id : List.of("a", "b", "c")) {
            String user = id.equals("b") ? "bob" : "alice";
            submit("{\"id\": \"" + id + "\", \"sealed\": true, \"user\": \"" + user
                    + "\", \"tasks\": [{\"id\": \"t\"}]}");
            report(id, "t", id.equals("c") ? "failed" : "succeeded", "");
        }
        JsonNode all = get("/history/applications");
        assertThat(ids(all.get("items"))).containsExactly("c", "b", "a");
        JsonNode last = all.get("items").get(0);
        assertThat(last.get("state").asString()).isEqualTo("Failed");
        assertThat(last.get("reason").asString()).isEqualTo("1 of 1 tasks failed");
        assertThat(last.get("queue").asString()).isEqualTo("root.default");
        JsonNode first = get("/history/applications?limit=2");
        assertThat(ids(first.get("items"))).containsExactly("c", "b");
        JsonNode second = get("/history/applications?limit=2&before=" + first.get("next"));
        assertThat(ids(second.get("items"))).containsExactly("a");
        assertThat(second.has("next")).isFalse();
        JsonNode sorted = get("/history/applications?limit=2&sort=user");
        assertThat(ids(sorted.get("items"))).containsExactly("c", "a");
        assertThat(ids(get("/history/applications?limit=2&sort=user&before=" + sorted.get("next"))
                        .get("items")))
                .containsExactly("b");
        assertThat(ids(get("/history/applications?sort=-submitted").get("items")))
                .containsExactly("a", "b", "c");
        assertThat(ids(get("/history/applications?sort=ended").get("items"))).containsExactly("c", "b", "a");
        RoutesFixture.expect(422, "invalid", daemon.client().get("/history/applications?sort=state"));
        RoutesFixture.expect(422, "invalid", daemon.client().get("/history/applications?sort=queue&before=1"));
        assertThat(get("/history/applications?limit=3").has("next"))
                .as("page with all items")
                .isFalse();
        assertThat(ids(get("/history/applications?user=alice").get("items"))).containsExactly("c", "a");
        assertThat(ids(get("/history/applications?state=completed").get("items")))
                .containsExactly("b", "a");
        assertThat(ids(get("/history/applications?id=a").get("items"))).containsExactly("a");
        assertThat(ids(get("/history/applications?queue=ROOT.Default").get("items")))
                .hasSize(3);
        assertThat(ids(get("/history/applications?queue=root.other").get("items")))
                .isEmpty();
        assertThat(ids(get("/history/applications?partition=other").get("items")))
                .isEmpty();
        assertThat(daemon.client().get("/history/applications?state=Running").status())
                .isEqualTo(422);
    }

    @Test
    void workload_ofHistory_isReadAsJobFile() throws Exception {
        node();
        submit(
                "{\"id\": \"a\", \"sealed\": true, \"user\": \"ada\", \"tags\": {\"k\": \"v\"}, \"groups\": [\"g\"], \"tasks\": ["
                        + "{\"id\": \"t\", \"count\": 2, \"retries\": 1, \"resources\": {\"vcore\": 2}},"
                        + " {\"id\": \"u\", \"priority\": 3, \"requiredNode\": \"n\", \"after\": {\"t\": \"succeeded\"}}]}"
                                .replace("requiredNode", "requirednode"));
        report("a", "t-0", "started", "");
        report("a", "t-1", "failed", "");
        report("a", "t-0", "succeeded", "");
        report("a", "t-1", 2, "succeeded", "");
        report("a", "u", "succeeded", "");
        submit("{\"id\": \"a\", \"sealed\": true, \"tasks\": [{\"id\": \"v\"}]}");
        report("a", "v", "failed", "");
        submit("{\"id\": \"unfinished\", \"sealed\": true, \"tasks\": [{\"id\": \"w\"}]}");
        submit("{\"id\": \"never\", \"tasks\": [{\"id\": \"w\", \"resources\": {\"vcore\": 99}}]}");
        daemon.client().post(APPLICATIONS + "/never/cancel", "{}");

        Reply workload = daemon.client().get("/history/workload");

        ParseResult<JobWorkload> reading = JobFileReader.readWorkload("week.yaml", workload.text());
        assertThat(reading.isOk()).as(reading.report() + workload.text()).isTrue();
        assertThat(reading.value().nodes()).extracting(NodeEntry::name).containsExactly("n");
        List<WorkloadSubmission> submissions = reading.value().submissions();
        assertThat(submissions).hasSize(2);
        assertThat(submissions.get(0).application().id()).isEqualTo("a");
        ApplicationEntry first = submissions.get(1).application();
        assertThat(first.id()).startsWith("a.");
        assertThat(first.name()).isEqualTo("a");
        assertThat(first.user()).isEqualTo("ada");
        assertThat(first.queue()).isEqualTo("root.default");
        assertThat(first.tags()).containsEntry("k", "v");
        assertThat(first.groups()).containsExactly("g");
        assertThat(first.tasks().stream().mapToInt(task -> task.spec().size()).sum())
                .isEqualTo(3);
        TaskSpec last = first.tasks().get(first.tasks().size() - 1).spec();
        assertThat(last.name()).isEqualTo("u");
        assertThat(last.priority()).isEqualTo(3);
        assertThat(last.requiredNode()).isEqualTo("n");
        assertThat(last.after().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        first.tasks().subList(0, first.tasks().size() - 1).stream()
                                .map(task -> task.spec().name())
                                .toList());
        assertThat(first.tasks().get(0).spec().resources()).isEqualTo(Resources.parse("vcore", "2"));
        assertThat(JobFileReader.readWorkload(
                                "w",
                                daemon.client()
                                        .get("/history/workload?user=ada")
                                        .text())
                        .value()
                        .submissions())
                .hasSize(1);
    }

    @Test
    void usage_ofRunningTasks_countsUntilNow() throws Exception {
        node();
        submit(
                "{\"id\": \"a\", \"user\": \"ada\", \"tasks\": [{\"id\": \"t\", \"count\": 3, \"resources\": {\"vcore\": 1}}]}");
        report("a", "t-0", "failed", "");
        submit("{\"id\": \"later\", \"notbefore\": \"2026-01-01T00:00:00Z\", \"tasks\": [{\"id\": \"t\"}]}");
        report("later", "t", "succeeded", "");
        restart();
        JsonNode total = get("/history/usage?by=user").get("total");
        assertThat(total.get("running").asInt()).isEqualTo(2);
        assertThat(total.get("runs").asInt()).isEqualTo(2);
        assertThat(total.get("failures").asInt()).isEqualTo(1);
        assertThat(total.at("/waits/count").asInt())
                .as("waits without that of later")
                .isEqualTo(3);
        double runHours = total.get("runHours").asDouble();
        assertThat(runHours).isPositive();
        assertThat(total.at("/resourceHours/vcore").asDouble()).isEqualTo(runHours);
        assertThat(get("/history/usage").at("/total/runHours").asDouble()).isGreaterThan(runHours);
    }

    @Test
    void snapshot_asYamlOrJson_describesServer() throws Exception {
        node();
        submit("{\"id\": \"a\", \"tasks\": [{\"id\": \"t\", \"count\": 7, \"resources\": {\"vcore\": 1}}]}");
        report("a", "t-0", "started", "");
        report("a", "t-1", "succeeded", "");
        daemon.client().put("/partitions/default/throttle", "{\"tasksMax\": 4}");
        Reply yaml = daemon.client().send("GET", "/snapshot", "", "", "Accept", "application/yaml");
        Reply asJson = daemon.client().send("GET", "/snapshot", "", "", "Accept", "application/json");
        assertThat(yaml.type()).startsWith("application/yaml");
        assertThat(asJson.type()).startsWith("application/json");
        assertThat(asJson.json().get("applications").size()).isEqualTo(1);
        for (Reply reply : List.of(yaml, asJson)) {
            ParseResult<Snapshot> reading = SnapshotReader.read("snapshot", reply.text());
            assertThat(reading.isOk()).as(reading.report()).isTrue();
            Partition partition = Objects.requireNonNull(
                    SnapshotLoader.load(reading.value()).state().partition(PartitionConfiguration.DEFAULT_NAME));
            assertThat(partition.throttle()).isEqualTo(4);
            assertThat(partition.existing("a").placed()).isEqualTo(4);
            assertThat(partition.existing("a").succeeded()).isEqualTo(1);
            assertThat(partition.existing("a").pending()).isEqualTo(2);
        }
    }

    private void node() throws Exception {
        Reply reply = daemon.client()
                .post(
                        "/partitions/default/nodes",
                        "{\"name\": \"n\", \"capacity\": {\"vcore\": \"4\", \"slots\": \"4\"}}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private void submit(String application) throws Exception {
        Reply reply = daemon.client().post(APPLICATIONS, application);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private void report(String application, String task, String what, String more) throws Exception {
        report(application, task, 1, what, more);
    }

    private void report(String application, String task, int attempt, String what, String more) throws Exception {
        Reply reply = daemon.client()
                .post(
                        "/partitions/default/reports",
                        "{\"reports\": [{\"application\": \"" + application + "\", \"task\": \"" + task
                                + "\", \"attempt\": " + attempt + ", \"status\": \"" + what + "\"" + more + "}]}");
        assertThat(reply.json().get("refused").size()).as(reply.text()).isZero();
    }

    private JsonNode get(String path) throws Exception {
        Reply reply = daemon.client().get(path);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json();
    }

    private static List<String> ids(JsonNode items) {
        List<String> ids = new ArrayList<>();
        items.forEach(item -> ids.add(item.get("id").asString()));
        return ids;
    }
}
