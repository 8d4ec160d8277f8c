package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Every route in its good case and with every problem that it declares, against one server. What is described and was not seen here fails the
 * class when it ends.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RoutesTest {

    static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    queues:
                      - name: sandbox
                      - name: shared
                        parent: true
                        properties: {queue.share.policy: load}
                        queues:
                          - {name: land, properties: {load.percent: "60"}}
                          - {name: diff, properties: {load.percent: "40"}}
                      - name: lab
                        parent: true
                        properties: {queue.share.policy: usage}
                        queues: [{name: a}, {name: b}]
            """;

    private static final String NOT_UTF_8 = Client.ONE_WRONG_BYTE;
    private static final String APPLICATIONS = "/partitions/default/applications";
    private static final String NODES = "/partitions/default/nodes";

    private TestDaemon daemon;
    private Client client;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.start(TestDaemon.settings(folder));
        client = daemon.client();
        expect(200, "", client.send("PUT", "/configuration?note=tests", QUEUES, Client.YAML));
    }

    @AfterAll
    void everythingThatIsDescribedWasSeen() {
        try {
            assertThat(client.contract().unseen())
                    .as("operations without a good case")
                    .isEmpty();
            assertThat(client.contract().unseenProblems())
                    .as("problems that are described and never come, but for what only other releases can bring about")
                    .containsExactly("rollBackConfiguration invalid", "rollBackConfiguration too-much");
        } finally {
            daemon.close();
        }
    }

    private static Reply expect(int status, String problem, Reply reply) {
        assertThat(reply.status() + " " + reply.problem()).as(reply.text()).isEqualTo(status + " " + problem);
        return reply;
    }

    private static Reply ok(Reply reply) {
        return expect(200, "", reply);
    }

    /** An application with one task that runs this in a shell. */
    private static String application(String id, String command) {
        return "{\"id\": \"" + id + "\", \"queue\": \"root.sandbox\", \"sealed\": true, \"tasks\": [{\"id\": \"t\","
                + " \"resources\": {\"vcore\": \"10m\"}, \"command\": \"" + command + "\"}]}";
    }

    /** An application that waits for a node that will never be. */
    private static String waiting(String id, int tasks) {
        return "{\"id\": \"" + id + "\", \"queue\": \"root.sandbox\", \"tasks\": [{\"id\": \"t\", \"count\": " + tasks
                + ", \"labels\": {\"never\": \"here\"}}]}";
    }

    @Test
    void server_asked_tellsOfItself() {
        assertThat(ok(client.get("/version")).at("/name")).isEqualTo("sluice");
        assertThat(ok(client.get("/health")).at("/status")).isEqualTo("up");
        assertThat(ok(client.get("/ready")).at("/detail")).isEmpty();
        ok(client.get("/openapi.json"));
        assertThat(ok(client.get("//metrics")).text()).contains("sluice_nodes{partition=\"default\",state=\"ready\"}");
    }

    @Test
    void application_submitted_runsAndTellsItsLog() {
        Reply reply = client.post(APPLICATIONS, application("hello", "echo hello; echo märz"));
        assertThat(expect(201, "", reply).at("/queue")).isEqualTo("root.sandbox");
        daemon.awaitState("hello", "Completed");
        Reply log = ok(client.get(APPLICATIONS + "/hello/tasks/t/log"));
        assertThat(log.at("/text")).isEqualTo("hello\nmärz\n");
        assertThat(log.json().at("/complete").asBoolean()).isTrue();
        assertThat(ok(client.get(APPLICATIONS + "/hello/tasks/t/log?offset=-3")).at("/text"))
                .isEqualTo("rz\n");
        assertThat(ok(client.get(APPLICATIONS + "/hello/tasks/t/why")).at("/summary"))
                .isEqualTo("it has ended");
        assertThat(ok(client.get(APPLICATIONS + "/hello")).at("/tasks/succeeded"))
                .isEqualTo("1");
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/cancel", ""));
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/seal", ""));
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/tasks", "{\"tasks\": [{\"id\": \"u\"}]}"));
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/tasks/t/stop", ""));
    }

    @Test
    void application_ended_isInTheHistory() {
        expect(201, "", client.post(APPLICATIONS, application("over", "true")));
        daemon.awaitState("over", "Completed");
        Reply found = ok(client.get("/history/applications?id=over&queue=root&state=completed&limit=1"));
        assertThat(found.at("/items/0/id")).as(found.text()).isEqualTo("over");
        expect(422, "invalid", client.get("/history/applications?state=Running"));
        expect(422, "invalid", client.get("/history/applications?limit=0"));
    }

    @Test
    void server_thatIsAsked_writesItsSituationDown() {
        expect(201, "", client.post(APPLICATIONS, waiting("seen", 3)));
        Reply snapshot = ok(client.get("/snapshot"));
        assertThat(snapshot.text()).contains("\"seen\"").contains("\"at\"");
        expect(200, "", client.post(APPLICATIONS + "/seen/cancel", ""));
    }

    @Test
    void application_open_takesTasksAndCanBeSealedAndCancelled() {
        expect(201, "", client.send("POST", APPLICATIONS, "id: open\nqueue: root.sandbox", Client.YAML));
        Reply added = ok(client.send(
                "POST", APPLICATIONS + "/open/tasks", "tasks: [{id: t, count: 3, labels: {a: b}}]", Client.YAML));
        assertThat(added.at("/tasks/total")).isEqualTo("3");
        expect(409, "duplicate", client.post(APPLICATIONS + "/open/tasks", "{\"tasks\": [{\"id\": \"t-1\"}]}"));
        expect(422, "invalid", client.post(APPLICATIONS + "/open/tasks", "{\"tasks\": [{\"id\": 1, \"x\": 2}]}"));
        expect(422, "too-much", client.post(APPLICATIONS + "/open/tasks", tooMany()));
        assertThat(ok(client.get(APPLICATIONS + "/open/why")).at("/summary")).startsWith("3 tasks wait");
        assertThat(ok(client.get(APPLICATIONS + "/open/tasks/t-0/why")).at("/state"))
                .isEqualTo("pending");
        expect(204, "", client.post(APPLICATIONS + "/open/tasks/t-0/stop", ""));
        assertThat(ok(client.post(APPLICATIONS + "/open/seal", "")).at("/sealed"))
                .isEqualTo("true");
        Reply cancelled = ok(client.send(
                "POST", APPLICATIONS + "/open/cancel", "{\"reason\": \"enough\"}", Client.JSON, "Sluice-User", "eve"));
        assertThat(cancelled.at("/reason")).contains("enough");
    }

    private static String tooMany() {
        StringBuilder tasks = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            tasks.append(i == 0 ? "" : ", ")
                    .append("{\"id\": \"m")
                    .append(i)
                    .append("\", \"count\": 10000000, \"labels\": {\"a\": \"b\"}}");
        }
        return "{\"tasks\": [" + tasks + "]}";
    }

    @Test
    void submission_withMistakes_isRefusedWithTheirPlace() {
        Reply typo = expect(
                422, "invalid", client.send("POST", APPLICATIONS, "id: x\ntasks:\n- {id: t, comand: a}", Client.YAML));
        assertThat(typo.at("/places/0/line")).isEqualTo("3");
        assertThat(typo.at("/places/0/column")).isEqualTo("11");
        Reply json = expect(422, "invalid", client.post(APPLICATIONS, "{\"id\": \"x\",\n  \"queue\": [1"));
        assertThat(json.at("/places/0/line")).isNotEqualTo("0");
        expect(404, "not-found", client.post("/partitions/none/applications", waiting("x", 1)));
        expect(201, "", client.post(APPLICATIONS, waiting("twice", 1)));
        expect(409, "duplicate", client.post(APPLICATIONS, waiting("twice", 1)));
        for (String tag : new String[] {"v1", "v2"}) {
            String body = "{\"id\": \"" + tag + "\", \"queue\": \"root.sandbox\", \"basis\": \"b\", \"tag\": \"" + tag
                    + "\"}";
            expect(201, "", client.post(APPLICATIONS, body));
        }
        String superseded = "{\"id\": \"v3\", \"queue\": \"root.sandbox\", \"basis\": \"b\", \"tag\": \"v1\"}";
        expect(409, "conflict", client.post(APPLICATIONS, superseded));
        expect(201, "", client.send("POST", APPLICATIONS, waiting("keyed", 1), Client.JSON, "Idempotency-Key", "k"));
        expect(
                409,
                "key-reused",
                client.send("POST", APPLICATIONS, waiting("other", 1), Client.JSON, "Idempotency-Key", "k"));
        expect(
                422,
                "too-much",
                client.post(
                        APPLICATIONS,
                        "{\"id\": \"huge\", \"queue\": \"root.sandbox\", "
                                + tooMany().substring(1)));
        assertThat(expect(201, "", client.post(APPLICATIONS, "{\"queue\": \"root.nowhere\"}"))
                        .at("/state"))
                .isEqualTo("Rejected");
    }

    @Test
    void jobFile_submitted_tellsOfEachApplication() {
        String file = """
                applications:
                - {id: f-1, queue: root.sandbox, tasks: [{id: t, command: 'true'}]}
                - {id: f-2, queue: root.sandbox, tasks: [{id: t, command: 'true'}]}
                """;
        Reply first = ok(client.send("POST", "/submissions?file=jobs.yaml", file, Client.YAML));
        assertThat(first.at("/accepted")).isEqualTo("2");
        Reply again = ok(client.send("POST", "/submissions", file, Client.YAML));
        assertThat(again.at("/refused")).isEqualTo("2");
        assertThat(again.at("/results/1/problem/type")).endsWith("duplicate");
        Reply wrong = expect(422, "invalid", client.send("POST", "/submissions", "applications: [{", Client.YAML));
        assertThat(wrong.json().at("/places/0/line").asInt()).isPositive();
        String other = file.replace("f-", "g-");
        ok(client.send("POST", "/submissions", other, Client.YAML, "Idempotency-Key", "files"));
        Reply reused = client.send("POST", "/submissions", file, Client.YAML, "Idempotency-Key", "files");
        expect(409, "key-reused", reused);
    }

    @Test
    void jobFile_withWhatHasNoEffect_isTakenWithWarnings() {
        String file = "seed: 1\ntasks: [{id: t, command: 'true'}]\nid: warned\nqueue: root.sandbox\n";
        Reply reply = ok(client.send("POST", "/submissions?file=jobs.yaml", file, Client.YAML));
        assertThat(reply.at("/accepted")).isEqualTo("1");
        assertThat(reply.json().at("/warnings")).hasSize(1);
        assertThat(reply.at("/warnings/0/message")).isEqualTo("seed has no effect here: the server has its own");
        assertThat(reply.at("/warnings/0/line")).isEqualTo("1");
        assertThat(reply.at("/warnings/0/path")).isEqualTo("seed");
        String fine = "id: fine\nqueue: root.sandbox\ntasks: [{id: t, command: 'true'}]\n";
        Reply without = ok(client.send("POST", "/submissions", fine, Client.YAML));
        assertThat(without.json().has("warnings")).isFalse();
    }

    @Test
    void jobFile_forAnUnknownPartition_isRefused() {
        String file = "tasks: [{id: t, command: 'true'}]\nid: elsewhere\n";
        Reply refused = client.send("POST", "/submissions?partition=nowhere", file, Client.YAML);
        expect(404, "not-found", refused);
        assertThat(refused.at("/detail")).isEqualTo("there is no partition nowhere");
        Reply known = ok(client.send("POST", "/submissions?partition=default", file, Client.YAML));
        assertThat(known.at("/results/0/partition")).isEqualTo("default");
    }

    @Test
    void applications_listed_filteredAndPageByPage() {
        for (int i = 0; i < 7; i++) {
            String body = waiting("list-" + i, 1)
                    .replace("{\"id\": \"list", "{\"user\": \"lister\", \"tag\": \"l" + i % 2 + "\", \"id\": \"list");
            expect(201, "", client.post(APPLICATIONS, body));
        }
        StringBuilder walked = new StringBuilder();
        String after = "";
        int pages = 0;
        do {
            Reply page = ok(client.get(APPLICATIONS + "?user=lister&limit=3" + after));
            page.json()
                    .get("items")
                    .forEach(item -> walked.append(item.get("id").asString()).append(' '));
            after = page.at("/next").isEmpty() ? "" : "&after=" + page.at("/next");
            pages++;
        } while (!after.isEmpty());
        assertThat(walked.toString()).isEqualTo("list-0 list-1 list-2 list-3 list-4 list-5 list-6 ");
        assertThat(pages).isEqualTo(3);
        assertThat(ok(client.get(APPLICATIONS + "?tag=l1")).json().get("items")).hasSize(3);
        assertThat(ok(client.get(APPLICATIONS + "?user=lister&state=active&queue=root"))
                        .json()
                        .get("items"))
                .hasSize(7);
        assertThat(ok(client.get(APPLICATIONS + "?user=lister&queue=root.sand"))
                        .json()
                        .get("items"))
                .isEmpty();
        assertThat(ok(client.get(APPLICATIONS + "?user=lister&state=completed"))
                        .json()
                        .get("items"))
                .isEmpty();
        expect(422, "invalid", client.get(APPLICATIONS + "?state=happy"));
        expect(422, "invalid", client.get(APPLICATIONS + "?limit=0"));
        expect(422, "invalid", client.get(APPLICATIONS + "?limit=many"));
        expect(404, "not-found", client.get(APPLICATIONS + "?after=nobody"));
        expect(404, "not-found", client.get("/partitions/none/applications"));
    }

    @Test
    void tasks_listed_filteredAndPageByPage() {
        expect(201, "", client.post(APPLICATIONS, waiting("paged", 25)));
        int seen = 0;
        String after = "";
        do {
            Reply page = ok(client.get(APPLICATIONS + "/paged/tasks?limit=10" + after));
            for (JsonNode item : page.json().get("items")) {
                assertThat(item.get("id").asString()).isEqualTo("t-" + seen++);
            }
            after = page.at("/next").isEmpty() ? "" : "&after=" + page.at("/next");
        } while (!after.isEmpty());
        assertThat(seen).isEqualTo(25);
        assertThat(ok(client.get(APPLICATIONS + "/paged/tasks/t-7")).at("/state"))
                .isEqualTo("pending");
        assertThat(ok(client.get(APPLICATIONS + "/paged/tasks?state=running"))
                        .json()
                        .get("items"))
                .isEmpty();
        assertThat(ok(client.get(APPLICATIONS + "/paged/tasks?state=succeeded"))
                        .json()
                        .get("items"))
                .isEmpty();
        expect(422, "invalid", client.get(APPLICATIONS + "/paged/tasks?state=happy"));
        expect(422, "invalid", client.get(APPLICATIONS + "/paged/tasks?after=x"));
        expect(404, "not-found", client.get(APPLICATIONS + "/paged/tasks/t-0/log"));
        expect(422, "invalid", client.get(APPLICATIONS + "/paged/tasks/t-0/log?limit=0"));
    }

    @Test
    void whatIsNotThere_askedFor_isNotFound() {
        for (String path : new String[] {"", "/tasks", "/tasks/t", "/tasks/t/log", "/why", "/tasks/t/why"}) {
            expect(404, "not-found", client.get(APPLICATIONS + "/nobody" + path));
            expect(404, "not-found", client.get("/partitions/none/applications/nobody" + path));
        }
        for (String path : new String[] {"/cancel", "/seal", "/tasks/t/stop"}) {
            expect(404, "not-found", client.post(APPLICATIONS + "/nobody" + path, ""));
        }
        expect(404, "not-found", client.post(APPLICATIONS + "/nobody/tasks", "{\"tasks\": [{\"id\": \"t\"}]}"));
        for (String path :
                new String[] {"", "/queues", "/queues/root", "/classes", "/requestors", "/nodes", "/nodes/n"}) {
            expect(404, "not-found", client.get("/partitions/none" + path));
        }
        expect(404, "not-found", client.get("/partitions/default/queues/root.no"));
        expect(404, "not-found", client.get(NODES + "/none"));
        expect(404, "not-found", client.get("/nothing"));
    }

    @Test
    void partition_askedAndThrottled_tells() {
        assertThat(ok(client.get("/partitions")).at("/0/name")).isEqualTo("default");
        assertThat(ok(client.get("/partitions/default")).at("/ready")).isNotEmpty();
        assertThat(ok(client.put("/partitions/default/throttle", "{\"tasksMax\": 1000}"))
                        .at("/tasksMax"))
                .isEqualTo("1000");
        assertThat(ok(client.put("/partitions/default/throttle", "{\"tasksMax\": -1}"))
                        .at("/tasksMax"))
                .isEqualTo("-1");
        expect(422, "invalid", client.put("/partitions/default/throttle", "{\"tasksMax\": -2}"));
        expect(400, "malformed", client.put("/partitions/default/throttle", "{}"));
        expect(404, "not-found", client.put("/partitions/none/throttle", "{\"tasksMax\": 1}"));
    }

    @Test
    void queues_asked_tellSharesAndTakeUsagePriorities() {
        assertThat(ok(client.get("/partitions/default/queues")).json()).hasSize(8);
        assertThat(ok(client.get("/partitions/default/queues/root.shared")).at("/policy"))
                .isEqualTo("load");
        String usage = "/partitions/default/queues/root.lab.a/usagepriority";
        ok(client.put(usage, "{\"priority\": 2.5}"));
        assertThat(ok(client.get("/partitions/default/queues/root.lab.a"))
                        .json()
                        .at("/share/usagePriority")
                        .asDouble())
                .isGreaterThan(2);
        expect(422, "invalid", client.put(usage, "{\"priority\": -1}"));
        expect(422, "invalid", client.put(usage, "{\"priority\": 1e999}"));
        expect(404, "not-found", client.put("/partitions/default/queues/root.no/usagepriority", "{\"priority\": 1}"));
    }

    @Test
    void classes_changed_hold() {
        assertThat(ok(client.get("/partitions/default/classes")).at("/0/percents/land"))
                .isNotEmpty();
        String classes = "/partitions/default/classes/root.shared";
        Reply changed = ok(client.put(
                classes,
                "{\"percents\": {\"land\": 70, \"diff\": 30}, \"rebalanceThreshold\": 20,"
                        + " \"rebalanceMinimumDuration\": \"5m\"}"));
        assertThat(changed.at("/percents/land")).isEqualTo("70");
        assertThat(changed.at("/rebalanceMinimumDuration")).isEqualTo("5m");
        expect(422, "invalid", client.put(classes, "{\"rebalanceMinimumDuration\": \"soon\"}"));
        expect(422, "invalid", client.put(classes, "{\"percents\": {\"nobody\": 1}}"));
        expect(422, "invalid", client.put("/partitions/default/classes/root.lab", "{\"rebalanceThreshold\": 1}"));
        expect(422, "invalid", client.put("/partitions/default/classes/root.lab", "{}"));
        expect(404, "not-found", client.put("/partitions/default/classes/root.no", "{}"));
        String requestors = "/partitions/default/requestors";
        ok(client.put(requestors, "{\"requestors\": {\"root.shared.land\": \"land.*\"}}"));
        assertThat(ok(client.get(requestors))
                        .json()
                        .at("/requestors")
                        .get("root.shared.land")
                        .asString())
                .isEqualTo("land.*");
        expect(422, "invalid", client.put(requestors, "{\"requestors\": {\"root.shared.land\": \"(\"}}"));
        expect(404, "not-found", client.put("/partitions/none/requestors", "{\"requestors\": {}}"));
        ok(client.put(requestors, "{\"requestors\": {}}"));
    }

    @Test
    void node_registeredAndLed_tells() {
        String node =
                "{\"name\": \"n/1\", \"capacity\": {\"vcore\": \"2\", \"slots\": \"1\"}, \"labels\": {\"a\": \"b\"}}";
        expect(201, "", client.post(NODES, node));
        expect(409, "duplicate", client.post(NODES, node));
        expect(422, "invalid", client.post(NODES, "{\"name\": \"n2\", \"capacity\": {\"vcore\": \"much\"}}"));
        expect(422, "invalid", client.post(NODES, "{\"capacity\": {\"vcore\": \"1\"}}"));
        expect(422, "too-much", client.post(NODES, kinds("n3")));
        expect(404, "not-found", client.post("/partitions/none/nodes", node));
        String path = NODES + "/n%2F1";
        assertThat(ok(client.get(path)).at("/name")).isEqualTo("n/1");
        assertThat(ok(client.put(path, "{\"capacity\": {\"vcore\": \"3\"}}")).at("/capacity/vcore"))
                .isEqualTo("3000");
        expect(422, "invalid", client.put(path, "{\"name\": \"other\", \"capacity\": {}}"));
        expect(422, "too-much", client.put(path, kinds("n/1")));
        for (String word : new String[] {"offline", "reinstate", "suspend", "ready", "lost", "ready", "flaky"}) {
            ok(client.post(path + "/" + word, ""));
            expect(404, "not-found", client.post(NODES + "/none/" + word, ""));
        }
        ok(client.post(path + "/flaky", ""));
        assertThat(ok(client.get(NODES + "?state=FLAKY")).at("/0/name")).isEqualTo("n/1");
        expect(404, "not-found", client.put(NODES + "/none", "{\"capacity\": {}}"));
        expect(422, "invalid", client.get(NODES + "?state=happy"));
        expect(204, "", client.delete(path));
        expect(404, "not-found", client.delete(path));
    }

    /** A node with more kinds of resources than there may be. */
    private static String kinds(String name) {
        StringBuilder capacity = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            capacity.append(i == 0 ? "" : ", ").append("\"kind").append(i).append("\": \"1\"");
        }
        return "{\"name\": \"" + name + "\", \"capacity\": {" + capacity + "}}";
    }

    @Test
    void reports_ofAnAgent_areTaken() {
        expect(
                201,
                "",
                client.post(
                        NODES, "{\"name\": \"far\", \"capacity\": {\"slots\": \"1\"}, \"labels\": {\"far\": \"y\"}}"));
        expect(
                201,
                "",
                client.post(
                        APPLICATIONS,
                        "{\"id\": \"agent\", \"queue\": \"root.sandbox\", \"sealed\": true, \"tasks\": [{\"id\": \"t\","
                                + " \"labels\": {\"far\": \"y\"}}]}"));
        await().atMost(Duration.ofSeconds(10))
                .until(() ->
                        client.get(APPLICATIONS + "/agent/tasks/t").at("/state").equals("starting"));
        String reports = "/partitions/default/reports";
        assertThat(ok(client.post(reports, report("started"))).at("/taken")).isEqualTo("1");
        assertThat(ok(client.post(reports, report("succeeded"))).at("/taken")).isEqualTo("1");
        assertThat(ok(client.post(reports, report("failed"))).json().at("/refused"))
                .hasSize(1);
        assertThat(ok(client.post(reports, report("lost"))).json().at("/refused"))
                .hasSize(1);
        expect(422, "invalid", client.post(reports, report("danced")));
        expect(422, "invalid", client.post(reports, report("started").replace(": 1", ": 0")));
        expect(404, "not-found", client.post("/partitions/none/reports", report("started")));
        expect(400, "malformed", client.post(reports, "{}"));
        expect(400, "malformed", client.post(reports, "{\"reports\": [null]}"));
        Reply missing =
                expect(400, "malformed", client.post(reports, report("started").replace("\"task\"", "\"detail\"")));
        assertThat(missing.at("/detail")).contains("reports[0].task is missing");
        expect(204, "", client.delete(NODES + "/far"));
    }

    private static String report(String what) {
        return "{\"reports\": [{\"application\": \"agent\", \"task\": \"t\", \"attempt\": 1, \"what\": \"" + what
                + "\"}]}";
    }

    @Test
    void configuration_changed_isKeptWithItsHistory() {
        String with = QUEUES.replace("- name: sandbox", "- name: sandbox\n          - name: extra");
        Reply check = ok(client.send("POST", "/configuration/validate", with, Client.YAML));
        assertThat(check.at("/changes/0")).contains("root.extra is new");
        long before = ok(client.get("/configuration")).json().get("revision").asLong();
        Reply applied = ok(client.send("PUT", "/configuration?note=more", with, Client.YAML, "Sluice-User", "ada"));
        assertThat(applied.json().get("revision").asLong()).isGreaterThan(before);
        assertThat(applied.at("/by")).isEqualTo("ada");
        long revision = applied.json().get("revision").asLong();
        assertThat(ok(client.get("/configuration/history?limit=1")).at("/next")).isNotEmpty();
        assertThat(ok(client.get("/configuration/history/" + revision)).at("/text"))
                .contains("extra");
        assertThat(ok(client.post("/configuration/rollback", "{\"revision\": " + before + "}"))
                        .at("/text"))
                .doesNotContain("extra");
        expect(404, "not-found", client.post("/configuration/rollback", "{\"revision\": 4000}"));
        expect(400, "malformed", client.post("/configuration/rollback", "{\"note\": \"x\"}"));
        expect(404, "not-found", client.get("/configuration/history/4000"));
        expect(422, "invalid", client.get("/configuration/history/last"));
        expect(422, "invalid", client.get("/configuration/history?before=0"));
        String extra = QUEUES + "  - name: spare\n    queues: [{name: root, queues: [{name: one}]}]\n";
        ok(client.send("PUT", "/configuration", extra, Client.YAML));
        expect(201, "", client.post("/partitions/spare/nodes", "{\"name\": \"s\", \"capacity\": {\"slots\": \"1\"}}"));
        expect(409, "conflict", client.post("/configuration/rollback", "{\"revision\": " + before + "}"));
        expect(204, "", client.delete("/partitions/spare/nodes/s"));
        ok(client.send("PUT", "/configuration", QUEUES, Client.YAML));
        for (String[] each : new String[][] {{"POST", "/configuration/validate"}, {"PUT", "/configuration"}}) {
            Reply wrong =
                    expect(422, "invalid", client.send(each[0], each[1], QUEUES.replace("60", "sixty"), Client.YAML));
            assertThat(wrong.at("/places/0/line")).isEqualTo("11");
            String gone = QUEUES.replace("name: default", "name: other");
            expect(409, "conflict", client.send(each[0], each[1], gone, Client.YAML));
            StringBuilder kinds = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                kinds.append(i == 0 ? "" : ", ").append("kind").append(i).append(": 1");
            }
            String many =
                    QUEUES.replace("- name: sandbox", "- name: sandbox\n            resources: {max: {" + kinds + "}}");
            expect(422, "too-much", client.send(each[0], each[1], many, Client.YAML));
        }
    }

    @Test
    void events_listed_pageByPage() {
        expect(201, "", client.post(APPLICATIONS, waiting("event-maker", 1)));
        Reply page = ok(client.get("/events?limit=2"));
        assertThat(page.at("/items/0/sequence")).isEqualTo("1");
        assertThat(ok(client.get("/events?limit=1&after=" + page.at("/next"))).at("/items/0/sequence"))
                .isEqualTo("3");
        assertThat(ok(client.get("/events?last=3")).json().get("items")).hasSizeGreaterThanOrEqualTo(3);
        expect(422, "invalid", client.get("/events?limit=5000"));
        expect(422, "invalid", client.get("/events?after=x"));
        expect(422, "invalid", client.get("/events/stream?after=999999999"));
        expect(422, "invalid", client.send("GET", "/events/stream", "", "", "Last-Event-ID", "x"));
        assertThat(client.send("HEAD", "/events/stream", "", "").status()).isEqualTo(200);
    }

    @Test
    void bodies_ofEveryRouteThatTakesOne_areChecked() {
        String large = "[\"" + "x".repeat((int) DaemonSettings.BODY_MAX_DEFAULT) + "\"]";
        for (String each : client.contract().operations()) {
            if (!client.contract().takesBody(each)) {
                continue;
            }
            String method = each.substring(0, each.indexOf(' '));
            String path = each.substring(each.indexOf(' ') + 1)
                    .substring("/api/v1".length())
                    .replace("{partition}", "default")
                    .replaceAll("\\{[a-z]+}", "x");
            expect(415, "media-type", client.send(method, path, "a=b", "application/x-www-form-urlencoded"));
            expect(415, "media-type", client.send(method, path, "<a/>", "application/xml"));
            expect(413, "too-large", client.send(method, path, large, Client.JSON));
            expect(400, "malformed", client.send(method, path, NOT_UTF_8, Client.JSON));
        }
    }
}
