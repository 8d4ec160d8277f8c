package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Contract tests of the routes of applications and tasks, including every problem type they declare. */
abstract class ApplicationRoutesContract extends RoutesFixture {

    @Test
    void application_submitted_runsAndHasLog() {
        Reply reply = client.post(APPLICATIONS, application("hello", "echo hello; echo märz"));
        assertThat(expect(201, "", reply).at("/queue")).isEqualTo("root.sandbox");
        client.awaitState("hello", "Completed");
        Reply log = ok(client.get(APPLICATIONS + "/hello/tasks/t/log"));
        assertThat(log.at("/text")).isEqualTo("hello\nmärz\n");
        assertThat(log.json().at("/complete").asBoolean()).isTrue();
        assertThat(ok(client.get(APPLICATIONS + "/hello/tasks/t/log?offset=-3")).at("/text"))
                .isEqualTo("rz\n");
        assertThat(ok(client.get(APPLICATIONS + "/hello/tasks/t/why")).at("/summary"))
                .isEqualTo("the task has ended");
        assertThat(ok(client.get(APPLICATIONS + "/hello")).at("/tasks/succeeded"))
                .isEqualTo("1");
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/cancel", ""));
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/seal", ""));
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/hold", ""));
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/release", ""));
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/tasks", "{\"tasks\": [{\"id\": \"u\"}]}"));
        expect(409, "conflict", client.post(APPLICATIONS + "/hello/tasks/t/stop", ""));
    }

    @Test
    void tasks_running_canBeSuspendedResumedAndSignalled() {
        String paused = APPLICATIONS + "/paused";
        expect(201, "", client.post(APPLICATIONS, application("paused", "sleep 1000")));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> client.get(paused + "/tasks/t").at("/state").equals("running"));

        assertThat(ok(client.post(paused + "/suspend", "{\"tasks\": [\"t\"]}")).at("/held"))
                .isEqualTo("false");
        Reply suspended = ok(client.post(paused + "/suspend", ""));
        assertThat(suspended.at("/held")).isEqualTo("true");
        assertThat(suspended.at("/tasks/suspended")).isEqualTo("1");
        assertThat(suspended.at("/allocated/vcore")).isEqualTo("10");
        assertThat(ok(client.get(paused + "/tasks?state=suspended")).at("/items/0/id"))
                .isEqualTo("t");
        assertThat(ok(client.get(paused + "/tasks/t/why")).at("/summary")).startsWith("suspended on ");
        Reply resumed = ok(client.post(paused + "/resume", "{\"tasks\": [\"t\"]}"));
        assertThat(resumed.at("/tasks/suspended")).isEmpty();
        assertThat(ok(client.post(paused + "/resume", "{}")).at("/held")).isEqualTo("false");
        expect(404, "not-found", client.post(paused + "/suspend", "{\"tasks\": [\"t\", \"u\"]}"));
        expect(404, "not-found", client.post(APPLICATIONS + "/none/resume", ""));
        expect(422, "invalid", client.post(paused + "/signal", "{\"signal\": \"STOP\"}"));
        expect(404, "not-found", client.post(APPLICATIONS + "/none/signal", "{\"signal\": \"TERM\"}"));
        assertThat(ok(client.post(paused + "/signal", "{\"signal\": \"SIGKILL\", \"tasks\": [\"t\"]}"))
                        .at("/tasks"))
                .isEqualTo("1");
        client.awaitState("paused", "Failed");
        assertThat(ok(client.get(paused + "/tasks/t")).at("/exitCode")).isEqualTo("137");
        expect(409, "conflict", client.post(paused + "/suspend", ""));
        expect(409, "conflict", client.post(paused + "/resume", ""));
        assertThat(ok(client.post(paused + "/signal", "{\"signal\": \"TERM\"}")).at("/tasks"))
                .isEqualTo("0");
    }

    @Test
    void application_ended_isInHistory() {
        expect(201, "", client.post(APPLICATIONS, application("over", "true")));
        client.awaitState("over", "Completed");
        Reply found = ok(client.get("/history/applications?id=over&queue=root&state=completed&limit=1"));
        assertThat(found.at("/items/0/id")).as(found.text()).isEqualTo("over");
        expect(422, "invalid", client.get("/history/applications?state=Running"));
        expect(422, "invalid", client.get("/history/applications?limit=0"));
        expect(422, "invalid", client.get("/history/applications?from=yesterday"));
        assertThat(ok(client.get(
                                "/history/applications?id=over&name=over&from=2026-01-01T00:00:00Z&to=9999-01-01T00:00:00Z"))
                        .at("/items/0/id"))
                .isEqualTo("over");
        assertThat(ok(client.get("/history/applications?id=over&from=9999-01-01T00:00:00Z"))
                        .text())
                .contains("[]");
        assertThat(ok(client.get("/history/applications?id=over&to=2026-01-01T00:00:00Z"))
                        .text())
                .contains("[]");
        assertThat(ok(client.get("/history/workload?id=over")).text())
                .contains("partitions:", "nodes:", "- id: over", "duration: ", "resources: {vcore: ");
        assertThat(ok(client.get("/history/workload?id=none")).text()).contains("applications: []");
        expect(422, "invalid", client.get("/history/workload?from=1"));
        expect(404, "not-found", client.get("/history/workload?partition=none"));
        Reply usage = ok(client.get("/history/usage?by=application,user,queue,node&from=2026-01-01T00:00:00Z"));
        assertThat(usage.json().at("/items/0/application").asString()).isEqualTo("over");
        assertThat(usage.json().at("/total/tasks").asInt()).isEqualTo(1);
        assertThat(usage.json().at("/total/resourceHours/vcore").asDouble()).isPositive();
        expect(422, "invalid", client.get("/history/usage?by=users"));
        expect(422, "invalid", client.get("/history/usage?by=user,user"));
        expect(422, "invalid", client.get("/history/usage?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z"));
        expect(404, "not-found", client.get("/history/usage?partition=none"));
    }

    @Test
    void application_updated_changesWhatIsPending() {
        ok(client.send(
                "POST",
                "/submissions?hold=true",
                "{id: change, queue: root.sandbox, tasks: [{id: t, count: 2}, {id: u}]}",
                TestHttpClient.YAML));
        String path = APPLICATIONS + "/change";
        Reply changed = ok(client.send(
                "PATCH",
                path,
                "{\"queue\": \"shared.land\", \"task\": \"t\", \"priority\": 3, \"timeout\": \"2h\","
                        + " \"resources\": {\"cpu\": \"999\"}}",
                TestHttpClient.JSON));
        assertThat(changed.at("/application/queue")).isEqualTo("root.shared.land");
        assertThat(changed.at("/warnings/0/message")).contains("no node is large enough for the 999 of vcore");
        JsonNode groups = ok(client.get(path)).json().at("/groupsOfTasks");
        assertThat(groups.at("/0/priority").asInt()).isEqualTo(3);
        assertThat(groups.at("/0/resources/vcore").asLong()).isEqualTo(999_000);
        assertThat(groups.at("/1/priority").asInt()).isZero();
        assertThat(ok(client.get("/events?type=application.updated&limit=1000")).text())
                .contains("\"newQueue\":\"root.shared.land\"", "\"timeout\":\"2h\"");
        String large = "{\"resources\": {\"vcore\": \"999\"}}";
        assertThat(expect(422, "invalid", client.send("PATCH", path + "?strict=true", large, TestHttpClient.JSON))
                        .at("/detail"))
                .startsWith("nothing changed because of warnings (strict)");
        for (String wrong : List.of(
                "{}",
                "{\"queue\": \"root.none\"}",
                "{\"timeout\": \"0s\"}",
                "{\"timeout\": \"soon\"}",
                "{\"resources\": {\"vcore\": \"many\"}}",
                "{\"resources\": {\"slots\": \"2\"}}")) {
            expect(422, "invalid", client.send("PATCH", path, wrong, TestHttpClient.JSON));
        }
        String tooMuch = "{\"resources\": {\"vcore\": \"4000T\"}}";
        expect(422, "too-much", client.send("PATCH", path, tooMuch, TestHttpClient.JSON));
        String other = "{\"task\": \"none\", \"priority\": 1}";
        expect(404, "not-found", client.send("PATCH", path, other, TestHttpClient.JSON));
        ok(client.post(path + "/cancel", ""));
        expect(409, "conflict", client.send("PATCH", path, "{\"priority\": 1}", TestHttpClient.JSON));
    }

    @Test
    void application_open_acceptsTasksSealAndCancel() {
        expect(201, "", client.send("POST", APPLICATIONS, "id: open\nqueue: root.sandbox", TestHttpClient.YAML));
        Reply added = ok(client.send(
                "POST",
                APPLICATIONS + "/open/tasks",
                "tasks: [{id: t, count: 3, labels: {a: b}}]",
                TestHttpClient.YAML));
        assertThat(added.at("/tasks/total")).isEqualTo("3");
        expect(409, "duplicate", client.post(APPLICATIONS + "/open/tasks", "{\"tasks\": [{\"id\": \"t-1\"}]}"));
        expect(422, "invalid", client.post(APPLICATIONS + "/open/tasks", "{\"tasks\": [{\"id\": 1, \"x\": 2}]}"));
        expect(422, "too-much", client.post(APPLICATIONS + "/open/tasks", tooMany()));
        assertThat(ok(client.get(APPLICATIONS + "/open/why")).at("/summary")).startsWith("3 tasks wait");
        assertThat(ok(client.get(APPLICATIONS + "/open/tasks/t-0/why")).at("/state"))
                .isEqualTo("pending");
        assertThat(ok(client.post(APPLICATIONS + "/open/hold", "")).at("/held")).isEqualTo("true");
        assertThat(ok(client.get(APPLICATIONS + "/open/why")).at("/reasons/0/code"))
                .isEqualTo("held");
        assertThat(ok(client.post(APPLICATIONS + "/open/release", "")).at("/held"))
                .isEqualTo("false");
        ok(client.send(
                "POST",
                "/submissions?notBefore=2100-01-01T00:00:00Z",
                "{id: late, queue: root.sandbox, tasks: [{id: t}]}",
                TestHttpClient.YAML));
        assertThat(ok(client.get(APPLICATIONS + "/late")).at("/notBefore")).isEqualTo("2100-01-01T00:00:00Z");
        expect(
                422,
                "invalid",
                client.send("POST", "/submissions?notBefore=soon", "{tasks: [{id: t}]}", TestHttpClient.YAML));
        ok(client.send(
                "POST",
                "/submissions?after=open:ended,late",
                "{id: then, queue: root.sandbox, tasks: [{id: t}]}",
                TestHttpClient.YAML));
        assertThat(ok(client.get(APPLICATIONS + "/then")).at("/after/open")).isEqualTo("ended");
        assertThat(ok(client.get(APPLICATIONS + "/then")).at("/after/late")).isEqualTo("succeeded");
        assertThat(ok(client.send("POST", "/submissions?after=gone", "{id: no, tasks: [{id: t}]}", TestHttpClient.YAML))
                        .at("/results/0/problem/detail"))
                .contains("application gone not found");
        expect(
                422,
                "invalid",
                client.send("POST", "/submissions?after=:ended", "{tasks: [{id: t}]}", TestHttpClient.YAML));
        ok(client.send(
                "POST",
                "/submissions?hold=true",
                "{id: kept, queue: root.sandbox, tasks: [{id: t}]}",
                TestHttpClient.YAML));
        assertThat(ok(client.get(APPLICATIONS + "/kept")).at("/held")).isEqualTo("true");
        expect(204, "", client.post(APPLICATIONS + "/open/tasks/t-0/stop", ""));
        assertThat(ok(client.post(APPLICATIONS + "/open/seal", "")).at("/sealed"))
                .isEqualTo("true");
        Reply cancelled = ok(client.send(
                "POST",
                APPLICATIONS + "/open/cancel",
                "{\"reason\": \"enough\"}",
                TestHttpClient.JSON,
                "Sluice-User",
                "eve"));
        assertThat(cancelled.at("/reason")).contains("enough");
        assertThat(ok(client.post(APPLICATIONS + "/open/retry", "")).at("/state"))
                .isEqualTo("Accepted");
        expect(409, "conflict", client.post(APPLICATIONS + "/open/retry", "{\"all\": true}"));
        expect(404, "not-found", client.post(APPLICATIONS + "/none/retry", ""));
        ok(client.post(APPLICATIONS + "/open/cancel", ""));
    }

    @Test
    void retry_beyondAdmissionLimit_isRefused() {
        for (String id : new String[] {"retried", "other"}) {
            expect(201, "", client.post(APPLICATIONS, waiting(id, 1)));
            ok(client.post(APPLICATIONS + "/" + id + "/cancel", ""));
        }
        String limit = QUEUES.replaceFirst(
                "( *)- name: root\n", "$0$1  properties: {admission.maxapplicationsperuser: \"1\"}\n");
        ok(client.send("PUT", "/configuration", limit, TestHttpClient.YAML));
        ok(client.post(APPLICATIONS + "/retried/retry", ""));
        expect(422, "too-much", client.post(APPLICATIONS + "/other/retry", ""));
    }

    @Test
    void submission_invalid_isRefusedWithLocations() {
        Reply typo = expect(
                422,
                "invalid",
                client.send("POST", APPLICATIONS, "id: x\ntasks:\n- {id: t, comand: a}", TestHttpClient.YAML));
        assertThat(typo.at("/locations/0/line")).isEqualTo("3");
        assertThat(typo.at("/locations/0/column")).isEqualTo("11");
        Reply json = expect(422, "invalid", client.post(APPLICATIONS, "{\"id\": \"x\",\n  \"queue\": [1"));
        assertThat(json.at("/locations/0/line")).isNotEqualTo("0");
        expect(404, "not-found", client.post("/partitions/none/applications", waiting("x", 1)));
        expect(404, "not-found", client.post(APPLICATIONS + "/none/hold", ""));
        expect(404, "not-found", client.post(APPLICATIONS + "/none/release", ""));
        expect(201, "", client.post(APPLICATIONS, waiting("twice", 1)));
        expect(409, "duplicate", client.post(APPLICATIONS, waiting("twice", 1)));
        for (String tag : new String[] {"v1", "v2"}) {
            String body = "{\"id\": \"" + tag + "\", \"queue\": \"root.sandbox\", \"basis\": \"b\", \"tag\": \"" + tag
                    + "\"}";
            expect(201, "", client.post(APPLICATIONS, body));
        }
        String superseded = "{\"id\": \"v3\", \"queue\": \"root.sandbox\", \"basis\": \"b\", \"tag\": \"v1\"}";
        expect(409, "conflict", client.post(APPLICATIONS, superseded));
        expect(
                201,
                "",
                client.send("POST", APPLICATIONS, waiting("keyed", 1), TestHttpClient.JSON, "Idempotency-Key", "k"));
        expect(
                409,
                "key-reused",
                client.send("POST", APPLICATIONS, waiting("other", 1), TestHttpClient.JSON, "Idempotency-Key", "k"));
        expect(
                422,
                "too-much",
                client.post(
                        APPLICATIONS,
                        "{\"id\": \"huge\", \"queue\": \"root.sandbox\", "
                                + tooMany().substring(1)));
    }

    @Test
    void submission_dryRun_answersWhatWouldHappenAndSubmitsNothing() {
        String jobs = "{\"id\": \"dry\", \"queue\": \"root.sandbox\", \"tasks\": [{\"id\": \"t\", \"command\": \"ls\"},"
                + " {\"id\": \"big\", \"command\": \"ls\", \"resources\": {\"vcore\": 99999}}]}";

        Reply one = ok(client.post(APPLICATIONS + "?dryRun=true", jobs));
        assertThat(one.text()).contains("\"never\":true");
        assertThat(one.at("/warnings/0/message")).startsWith("no node");
        Reply file = ok(client.post("/submissions?dryRun=true", jobs));
        assertThat(file.text()).contains("\"never\":true");
        assertThat(file.at("/warnings/0/line")).isEqualTo("1");
        Reply strict = expect(422, "invalid", client.post(APPLICATIONS + "?strict=true", jobs));
        assertThat(strict.at("/detail")).startsWith("nothing submitted because of warnings (strict): no node");
        expect(404, "not-found", client.get(APPLICATIONS + "/dry"));
        expect(404, "not-found", client.post("/partitions/none/applications?dryRun=true", jobs));
        Reply again = ok(client.post("/submissions?dryRun=true", waiting("fresh", 1)));
        assertThat(again.at("/accepted")).isEqualTo("1");
    }

    /** The copy is made from a snapshot, which has neither ended applications nor numbers. */
    @Test
    void submission_dryRun_knowsEndedApplicationsAndNumbers() {
        String numbered = waiting("?", 1).replace("\"id\": \"?\"", "\"name\": \"dry-night\"");
        for (String id : List.of("dry-night-1", "dry-night-2")) {
            assertThat(expect(201, "", client.post(APPLICATIONS, numbered)).at("/id"))
                    .isEqualTo(id);
            ok(client.post(APPLICATIONS + "/" + id + "/cancel", ""));
        }
        expect(204, "", client.delete(APPLICATIONS + "/dry-night-1"));

        assertThat(ok(client.post(APPLICATIONS + "?dryRun=true", numbered)).at("/id"))
                .isEqualTo("dry-night-3");
        String two = "{\"applications\": [" + numbered + ", " + numbered + "]}";
        assertThat(ok(client.post("/submissions?dryRun=true", two)).at("/results/1/id"))
                .isEqualTo("dry-night-4");
        expect(409, "duplicate", client.post(APPLICATIONS + "?dryRun=true", waiting("dry-night-2", 1)));
        for (String after : List.of("dry-night", "dry-night-2")) {
            String path = "/submissions?dryRun=true&after=" + after;
            Reply ended = ok(client.post(path + ":ended", waiting("dry-after", 1)));
            assertThat(ended.at("/results/0/state")).as(ended.text()).isEqualTo("Accepted");
            Reply failed = ok(client.post(path, waiting("dry-after", 1)));
            assertThat(failed.at("/results/0/state")).as(failed.text()).isEqualTo("Failed");
        }
        Reply unknown = ok(client.post("/submissions?dryRun=true&after=dry-night-1", waiting("dry-after", 1)));
        assertThat(unknown.at("/results/0/problem/detail")).contains("application dry-night-1 not found");
        assertThat(expect(201, "", client.post(APPLICATIONS, numbered)).at("/id"))
                .isEqualTo("dry-night-3");
    }

    @Test
    void submission_matchingNoPlacementRule_isRejected() {
        String nowhere = "{\"queue\": \"root.nowhere\"}";
        Reply unknown = expect(422, "invalid", client.post(APPLICATIONS, nowhere));
        assertThat(unknown.at("/locations/0/path")).isEqualTo("queue");
        ok(client.put("/partitions/default/requestors", "{\"requestors\": {\"root.shared.land\": \"land.*\"}}"));
        Reply rejected = expect(200, "", client.post(APPLICATIONS, nowhere));
        assertThat(rejected.at("/accepted")).isEqualTo("false");
        assertThat(rejected.at("/state")).isEqualTo("Rejected");
        assertThat(rejected.at("/reason")).contains("queue root.nowhere not found");
        Reply file = ok(client.send(
                "POST", "/submissions", "applications: [{id: lost, queue: root.nowhere}]", TestHttpClient.YAML));
        assertThat(file.at("/accepted")).isEqualTo("0");
        assertThat(file.at("/refused")).isEqualTo("1");
        assertThat(file.at("/results/0/accepted")).isEqualTo("false");
    }

    @Test
    void jobFile_submitted_hasResultPerApplication() {
        String file = """
                applications:
                - {id: f-1, queue: root.sandbox, tasks: [{id: t, command: 'true'}]}
                - {id: f-2, queue: root.sandbox, tasks: [{id: t, command: 'true'}]}
                """;
        Reply first = ok(client.send("POST", "/submissions?file=jobs.yaml", file, TestHttpClient.YAML));
        assertThat(first.at("/accepted")).isEqualTo("2");
        Reply again = ok(client.send("POST", "/submissions", file, TestHttpClient.YAML));
        assertThat(again.at("/refused")).isEqualTo("2");
        assertThat(again.at("/results/1/problem/type")).endsWith("duplicate");
        Reply wrong =
                expect(422, "invalid", client.send("POST", "/submissions", "applications: [{", TestHttpClient.YAML));
        assertThat(wrong.json().at("/locations/0/line").asInt()).isPositive();
        String other = file.replace("f-", "g-");
        ok(client.send("POST", "/submissions", other, TestHttpClient.YAML, "Idempotency-Key", "files"));
        Reply reused = client.send("POST", "/submissions", file, TestHttpClient.YAML, "Idempotency-Key", "files");
        expect(409, "key-reused", reused);
    }

    @Test
    void jobFile_withoutId_isNumbered() {
        String file = "queue: root.sandbox\ntasks: [{id: t, labels: {no: node}}]\n";
        String path = "/submissions?file=d/numbered.yaml";

        Reply first = ok(client.send("POST", path, file, TestHttpClient.YAML, "Idempotency-Key", "numbered"));
        Reply same = ok(client.send("POST", path, file, TestHttpClient.YAML, "Idempotency-Key", "numbered"));
        Reply next = ok(client.send("POST", path, file, TestHttpClient.YAML));
        Reply named = ok(client.send("POST", path + "&name=other", file, TestHttpClient.YAML));
        Reply given = ok(client.send("POST", path + "&id=given&name=other", file, TestHttpClient.YAML));

        assertThat(first.at("/results/0/id")).isEqualTo("numbered-1");
        assertThat(same.at("/results/0/id")).isEqualTo("numbered-1");
        assertThat(next.at("/results/0/id")).isEqualTo("numbered-2");
        assertThat(named.at("/results/0/id")).isEqualTo("other-1");
        assertThat(given.at("/results/0/id")).isEqualTo("given");
        assertThat(ok(client.get(APPLICATIONS + "/given")).at("/name")).isEqualTo("other");
        String body = "{\"name\": \"other\", \"queue\": \"root.sandbox\"}";
        assertThat(expect(201, "", client.post(APPLICATIONS, body)).at("/id")).isEqualTo("other-2");
        for (String id : List.of("numbered-1", "numbered-2", "other-1", "given", "other-2")) {
            ok(client.post(APPLICATIONS + "/" + id + "/cancel", ""));
        }
        String two = "applications: [{id: a1, tasks: [{id: t}]}, {id: a2, tasks: [{id: t}]}]";
        assertThat(expect(422, "invalid", client.send("POST", "/submissions?id=x", two, TestHttpClient.YAML))
                        .at("/detail"))
                .isEqualTo("an id or name cannot be given for a file with 2 applications: write the ids and names into"
                        + " the file");
        expect(422, "invalid", client.send("POST", "/submissions?name=" + "x".repeat(257), file, TestHttpClient.YAML));
    }

    @Test
    void jobFile_repeatedWithRelativeStartTime_isSubmittedOnce() {
        String file = "id: relative\nqueue: root.sandbox\ntasks: [{id: t}]\n";
        String path = "/submissions?notBefore=%2B2h";

        Reply first = ok(client.send("POST", path, file, TestHttpClient.YAML, "Idempotency-Key", "relative"));
        Reply again = ok(client.send("POST", path, file, TestHttpClient.YAML, "Idempotency-Key", "relative"));

        assertThat(again.text()).isEqualTo(first.text());
        String other = "/submissions?notBefore=%2B3h";
        expect(409, "key-reused", client.send("POST", other, file, TestHttpClient.YAML, "Idempotency-Key", "relative"));
        ok(client.post("/submissions?notBefore=2100-01-01T02:00", waiting("in-utc", 1)));
        assertThat(ok(client.get(APPLICATIONS + "/in-utc")).at("/notBefore")).isEqualTo("2100-01-01T02:00:00Z");
    }

    @Test
    void endedApplication_forgotten_isInNeitherListNorHistory() {
        String path = APPLICATIONS + "/forgotten";
        expect(201, "", client.post(APPLICATIONS, waiting("forgotten", 1)));
        assertThat(expect(409, "conflict", client.delete(path)).at("/detail"))
                .contains("only ended applications can be forgotten");
        ok(client.post(path + "/cancel", ""));
        ok(client.get(path));

        expect(204, "", client.delete(path));

        expect(404, "not-found", client.get(path));
        expect(404, "not-found", client.delete(path));
        expect(201, "", client.post(APPLICATIONS, waiting("forgotten", 1)));
        ok(client.post(path + "/cancel", ""));
    }

    /** The node with the label is registered after all submissions, so one cycle places all of them. */
    @Test
    void jobFile_submitted_startsInFileOrder() {
        String application = "- {id: %s, queue: root.sandbox, tasks: [{id: t, labels: {order: file}}]}\n";
        List<String> ids = List.of("o-z", "o-10", "o-2", "o-a");
        StringBuilder file = new StringBuilder("applications:\n");
        ids.forEach(id -> file.append(application.formatted(id)));
        ok(client.send("POST", "/submissions", file.toString(), TestHttpClient.YAML));
        String node = "{\"name\": \"ordered\", \"capacity\": {\"vcore\": \"16\"}, \"labels\": {\"order\": \"file\"}}";
        expect(201, "", client.post(NODES, node));
        client.awaitState("o-a", "Running");
        List<String> placed = new ArrayList<>();
        for (JsonNode event : ok(client.get("/events?last=100")).json().at("/items")) {
            String id = event.at("/data/application").asString("");
            if (event.at("/type").asString().equals("task.placed") && id.startsWith("o-")) {
                placed.add(id);
            }
        }
        assertThat(placed).isEqualTo(ids);
        ids.forEach(id -> ok(client.post(APPLICATIONS + "/" + id + "/cancel", "")));
        expect(204, "", client.delete(NODES + "/ordered"));
    }

    @Test
    void jobFile_withIneffectiveKeys_isAcceptedWithWarnings() {
        String file = "seed: 1\ntasks: [{id: t, command: 'true'}]\nid: warned\nqueue: root.sandbox\n";
        Reply reply = ok(client.send("POST", "/submissions?file=jobs.yaml", file, TestHttpClient.YAML));
        assertThat(reply.at("/accepted")).isEqualTo("1");
        assertThat(reply.json().at("/warnings")).hasSize(1);
        assertThat(reply.at("/warnings/0/message")).isEqualTo("seed has no effect here: the server has its own");
        assertThat(reply.at("/warnings/0/line")).isEqualTo("1");
        assertThat(reply.at("/warnings/0/path")).isEqualTo("seed");
        String fine = "id: fine\nqueue: root.sandbox\ntasks: [{id: t, command: 'true'}]\n";
        Reply without = ok(client.send("POST", "/submissions", fine, TestHttpClient.YAML));
        assertThat(without.json().has("warnings")).isFalse();
    }

    @Test
    void jobFile_unknownPartition_isRefused() {
        String file = "tasks: [{id: t, command: 'true'}]\nid: elsewhere\n";
        Reply refused = client.send("POST", "/submissions?partition=nowhere", file, TestHttpClient.YAML);
        expect(404, "not-found", refused);
        assertThat(refused.at("/detail")).isEqualTo("partition nowhere not found");
        Reply known = ok(client.send("POST", "/submissions?partition=default", file, TestHttpClient.YAML));
        assertThat(known.at("/results/0/partition")).isEqualTo("default");
    }

    @Test
    void applications_listed_areFilteredAndPaged() {
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
        expect(404, "not-found", client.get(APPLICATIONS + "?user=lister&queue=root.sand"));
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
    void applications_cancelledByFilter_areCountedOnce() {
        for (int i = 0; i < 5; i++) {
            String body =
                    waiting("many-" + i, 1).replace("{\"id\": \"many", "{\"user\": \"m" + i % 2 + "\", \"id\": \"many");
            expect(201, "", client.post(APPLICATIONS, body));
        }
        String cancel = APPLICATIONS + "/cancel";
        Reply first = ok(client.post(cancel, "{\"user\": \"m0\", \"queue\": \"root\", \"reason\": \"wrong input\"}"));
        assertThat(first.at("/cancelled")).isEqualTo("3");
        assertThat(first.at("/complete")).isEqualTo("true");
        assertThat(ok(client.get(APPLICATIONS + "/many-2")).at("/reason")).contains("wrong input");
        assertThat(ok(client.get(APPLICATIONS + "/many-1")).at("/state")).isEqualTo("Accepted");
        assertThat(ok(client.post(cancel, "{\"user\": \"m0\"}")).at("/cancelled"))
                .isEqualTo("0");
        assertThat(ok(client.post(cancel, "{\"user\": \"m1\", \"state\": \"Running\"}"))
                        .at("/cancelled"))
                .isEqualTo("0");
        assertThat(ok(client.post(cancel, "{\"user\": \"m1\", \"state\": \"active\"}"))
                        .at("/cancelled"))
                .isEqualTo("2");
        expect(422, "invalid", client.post(cancel, "{}"));
        expect(422, "invalid", client.post(cancel, "{\"all\": true, \"user\": \"m1\"}"));
        expect(422, "invalid", client.post(cancel, "{\"state\": \"happy\"}"));
        expect(404, "not-found", client.post("/partitions/none/applications/cancel", "{\"all\": true}"));
        expect(201, "", client.post(APPLICATIONS, waiting("cancel", 1)));
        assertThat(ok(client.get(cancel)).at("/id")).isEqualTo("cancel");
    }

    @Test
    void tasks_listed_areFilteredAndPaged() {
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
    void submission_retriedAfterQueueRemoval_getsSameAnswer() {
        String withQueue = QUEUES.replace("- name: sandbox", "- name: sandbox\n          - name: brief");
        ok(client.send("PUT", "/configuration", withQueue, TestHttpClient.YAML));
        String one = "{\"id\": \"brief-1\", \"queue\": \"root.brief\"}";
        String file = "queue: root.brief\nid: brief-2\ntasks: [{id: t, labels: {never: here}}]";
        Reply first = client.send("POST", APPLICATIONS, one, TestHttpClient.JSON, "Idempotency-Key", "brief");
        Reply firstOfFile =
                ok(client.send("POST", "/submissions", file, TestHttpClient.YAML, "Idempotency-Key", "briefs"));
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        ok(client.post(APPLICATIONS + "/brief-1/cancel", ""));
        ok(client.post(APPLICATIONS + "/brief-2/cancel", ""));
        ok(client.send("PUT", "/configuration", QUEUES, TestHttpClient.YAML));

        Reply again = client.send("POST", APPLICATIONS, one, TestHttpClient.JSON, "Idempotency-Key", "brief");
        Reply againOfFile = client.send("POST", "/submissions", file, TestHttpClient.YAML, "Idempotency-Key", "briefs");

        assertThat(again.status() + again.text()).isEqualTo("201" + first.text());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(againOfFile.text()).isEqualTo(firstOfFile.text());
        for (String path : List.of(APPLICATIONS, "/submissions")) {
            String body = path.equals(APPLICATIONS) ? one : file;
            String key = path.equals(APPLICATIONS) ? "brief" : "briefs";
            String type = path.equals(APPLICATIONS) ? TestHttpClient.JSON : TestHttpClient.YAML;
            Reply dry = client.send("POST", path + "?dryRun=true", body, type, "Idempotency-Key", key);
            expect(422, "invalid", dry);
        }
        expect(
                422,
                "invalid",
                client.send("POST", APPLICATIONS, one, TestHttpClient.JSON, "Idempotency-Key", "unknown"));
    }

    @Test
    void tasks_addedTwiceWithSameKey_areAddedOnce() {
        expect(201, "", client.post(APPLICATIONS, waiting("grows", 1)));
        String path = APPLICATIONS + "/grows/tasks";
        String tasks = "{\"tasks\": [{\"id\": \"u\", \"labels\": {\"never\": \"here\"}}]}";
        Reply first = ok(client.send("POST", path, tasks, TestHttpClient.JSON, "Idempotency-Key", "grow"));

        Reply again = ok(client.send("POST", path, tasks, TestHttpClient.JSON, "Idempotency-Key", "grow"));

        assertThat(again.text()).isEqualTo(first.text());
        expect(409, "duplicate", client.send("POST", path, tasks, TestHttpClient.JSON, "Idempotency-Key", "grow-2"));
        expect(
                409,
                "key-reused",
                client.send("POST", path, tasks + " ", TestHttpClient.JSON, "Idempotency-Key", "grow"));
    }
}
