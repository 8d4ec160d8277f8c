package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Contract tests of the routes of applications and tasks, including every problem type they declare. */
abstract class ApplicationRoutesContract extends SubmissionRoutesContract {

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
    void task_ended_showsWhatItUsed() {
        String path = APPLICATIONS + "/worked";
        expect(201, "", client.post(APPLICATIONS, application("worked", "true")));
        client.awaitState("worked", "Completed");
        JsonNode task = ok(client.get(path + "/tasks/t")).json();
        assertThat(task.get("cpuSeconds").asDouble()).isBetween(0.0, 60.0);
        assertThat(task.at("/resources/vcore").asInt()).isEqualTo(10);
        JsonNode used = ok(client.get(path + "/efficiency")).json();
        assertThat(used.at("/items/0/runs").asInt()).isEqualTo(1);
        assertThat(used.at("/items/0/cpuSeconds").asDouble())
                .isEqualTo(task.get("cpuSeconds").asDouble());
        expect(404, "not-found", client.get(APPLICATIONS + "/nothing/efficiency"));
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
    void gang_thatDoesNotFit_isShownWithTheMembersThatDo() {
        ok(client.send(
                "POST",
                "/submissions",
                "{id: gang, queue: root.sandbox, gang: {tasks: {t: 2}, style: hard, onloss: restart},"
                        + " tasks: [{id: t, count: 3, resources: {vcore: 1000}}]}",
                TestHttpClient.YAML));
        String path = APPLICATIONS + "/gang";
        Reply shown = ok(client.get(path));
        assertThat(shown.at("/gang/tasks/t")).as(shown.text()).isEqualTo("2");
        assertThat(shown.at("/gang/style")).isEqualTo("hard");
        assertThat(shown.at("/gang/timeout")).isEqualTo("15m");
        assertThat(shown.at("/gang/onLoss")).isEqualTo("restart");
        Reply why = ok(client.get(path + "/why"));
        assertThat(why.at("/reasons/0/code")).as(why.text()).isEqualTo("gang-incomplete");
        assertThat(why.at("/reasons/0/gang/fitting")).isEqualTo("0");
        assertThat(why.at("/reasons/0/gang/members")).isEqualTo("2");
        ok(client.post(path + "/cancel", ""));
        expect(
                422,
                "invalid",
                client.send(
                        "POST",
                        "/submissions",
                        "{queue: root.sandbox, name: g, gang: {tasks: {u: 1}}, tasks: [{id: t}]}",
                        TestHttpClient.YAML));
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
        // those of other tests have ended, too
        assertThat(usage.json().get("items").valueStream())
                .filteredOn(item -> item.get("application").asString().equals("over"))
                .singleElement()
                .satisfies(item -> assertThat(item.get("tasks").asInt()).isEqualTo(1));
        assertThat(usage.json().at("/total/tasks").asInt()).isPositive();
        assertThat(usage.json().at("/total/resourceHours/vcore").asDouble()).isPositive();
        expect(422, "invalid", client.get("/history/usage?by=users"));
        expect(422, "invalid", client.get("/history/usage?by=user,user"));
        expect(422, "invalid", client.get("/history/usage?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z"));
        expect(404, "not-found", client.get("/history/usage?partition=none"));
        Reply steps = ok(client.get("/history/usage/steps?step=1m&queue=root"));
        assertThat(steps.json().get("items")).hasSize(24);
        assertThat(steps.json().get("items").valueStream())
                .anySatisfy(step ->
                        assertThat(step.at("/resourceHours/vcore").asDouble()).isPositive());
        assertThat(ok(client.get("/history/usage/steps?queue=root.none"))
                        .json()
                        .get("items")
                        .valueStream())
                .allSatisfy(step -> assertThat(step.get("runHours").asDouble()).isZero());
        expect(422, "invalid", client.get("/history/usage/steps?step=1"));
        expect(422, "invalid", client.get("/history/usage/steps?step=0s"));
        expect(422, "invalid", client.get("/history/usage/steps?step=1s&from=2026-01-01T00:00:00Z"));
        expect(422, "invalid", client.get("/history/usage/steps?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z"));
        expect(404, "not-found", client.get("/history/usage/steps?partition=none"));
        assertThat(ok(client.get("/history/demand/steps?queue=root")).json().get("items"))
                .isNotEmpty();
        expect(422, "invalid", client.get("/history/demand/steps?step=0s"));
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
                "tasks: [{id: t, count: 3, nodeSelector: {a: b}}]",
                TestHttpClient.YAML));
        assertThat(added.at("/tasks/total")).isEqualTo("3");
        expect(409, "duplicate", client.post(APPLICATIONS + "/open/tasks", "{\"tasks\": [{\"id\": \"t-1\"}]}"));
        expect(422, "invalid", client.post(APPLICATIONS + "/open/tasks", "{\"tasks\": [{\"id\": 1, \"x\": 2}]}"));
        expect(422, "too-much", client.post(APPLICATIONS + "/open/tasks", tooMany()));
        assertThat(ok(client.get(APPLICATIONS + "/open/why")).at("/summary")).startsWith("3 tasks wait");
        assertThat(ok(client.get(APPLICATIONS + "/open/waits")).at("/application"))
                .isEqualTo("open");
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
    void applications_sorted_areInThatOrder() {
        expect(201, "", client.post(APPLICATIONS, waiting("sort-one", 1)));
        expect(201, "", client.post(APPLICATIONS, waiting("sort-three", 3)));
        String urgent = waiting("sort-urgent", 2).replace("\"nodeSelector", "\"priority\": 5, \"nodeSelector");
        expect(201, "", client.post(APPLICATIONS, urgent));
        ok(client.post(APPLICATIONS + "/sort-one/hold", ""));
        String path = APPLICATIONS + "?queue=root.sandbox&state=active&sort=";
        assertThat(ids(path + "pending")).startsWith("sort-three", "sort-urgent", "sort-one");
        assertThat(ids(path + "newest")).startsWith("sort-urgent", "sort-three", "sort-one");
        assertThat(ids(path + "changed&limit=1")).hasSize(1);
        assertThat(ids(path + "tried")).containsExactly("sort-urgent", "sort-three");
        assertThat(ids(path + "tried&limit=1")).containsExactly("sort-urgent");
        expect(422, "invalid", client.get(path + "size"));
        expect(422, "invalid", client.get(path + "newest&after=sort-one"));
        expect(422, "invalid", client.get(APPLICATIONS + "?queue=root&sort=tried"));
        expect(422, "invalid", client.get(APPLICATIONS + "?sort=tried"));
        expect(404, "not-found", client.get(APPLICATIONS + "?queue=root.none&sort=tried"));
    }

    private List<String> ids(String path) {
        return ok(client.get(path))
                .json()
                .get("items")
                .valueStream()
                .map(each -> each.get("id").asString())
                .toList();
    }
}
