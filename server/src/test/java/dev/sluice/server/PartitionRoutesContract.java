package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.command.Command;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract tests of the routes of partitions, queues, nodes and configurations. */
abstract class PartitionRoutesContract extends ApplicationRoutesContract {

    @Test
    void partition_throttled_hasLimit() {
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
    void queues_haveSharesAndAcceptUsagePriorities() {
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
    void limits_reached_areShownWithUsage() {
        String limited = QUEUES.replace(
                "- name: sandbox",
                "- name: sandbox\n            limits: [{users: [ada], maxapplications: 1, maxresources: {vcore: 1}}]");
        ok(client.send("PUT", "/configuration", limited, TestHttpClient.YAML));
        for (String id : List.of("first", "second")) {
            String task =
                    application(id, "sleep 600").replace("{\"id\": \"" + id, "{\"user\": \"ada\", \"id\": \"" + id);
            expect(201, "", client.post(APPLICATIONS, task));
        }
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ok(client.get(APPLICATIONS + "/second/why"))
                        .at("/reasons/0/code")
                        .equals("user-limit"));
        Reply why = ok(client.get(APPLICATIONS + "/second/why"));
        assertThat(why.at("/reasons/0/limit/name")).isEqualTo("ada");
        assertThat(why.at("/reasons/0/limit/used")).isEqualTo("1");
        assertThat(why.json().at("/reasons/0/limit").has("resource")).isFalse();
        Reply queue = ok(client.get("/partitions/default/queues/root.sandbox"));
        assertThat(queue.at("/limits/0/allocated/vcore")).isEqualTo("10");
        assertThat(queue.at("/limits/0/maxApplications")).isEqualTo("1");
        assertThat(ok(client.get("/partitions/default/queues/root")).json().has("limits"))
                .isFalse();
    }

    @Test
    void classes_changed_areCurrent() {
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
        ok(client.put(requestors, "{\"requestors\": {\"root.shared.land\": \"lan\"}}"));
        assertThat(ok(client.get(requestors))
                        .json()
                        .at("/requestors")
                        .get("root.shared.land")
                        .asString())
                .as("an expression without special characters")
                .isEqualTo("lan");
        expect(422, "invalid", client.put(requestors, "{\"requestors\": {\"root.shared.land\": \"(\"}}"));
        expect(404, "not-found", client.put("/partitions/none/requestors", "{\"requestors\": {}}"));
        ok(client.put(requestors, "{\"requestors\": {}}"));
    }

    @Test
    void loadSetting_alone_keepsOthers() {
        String classes = "/partitions/default/classes/root.shared";
        ok(client.put(
                classes,
                "{\"percents\": {\"land\": 60, \"diff\": 40}, \"rebalanceThreshold\": 10,"
                        + " \"rebalanceMinimumDuration\": \"3m\"}"));
        for (String setting : new String[] {
            "{\"percents\": {\"land\": 60}}", "{\"rebalanceThreshold\": 10}", "{\"rebalanceMinimumDuration\": \"3m\"}"
        }) {
            Reply set = ok(client.put(classes, setting));
            assertThat(set.at("/percents/land") + " " + set.at("/percents/diff"))
                    .isEqualTo("60 40");
            assertThat(set.at("/rebalanceThreshold")).isEqualTo("10");
            assertThat(set.at("/rebalanceMinimumDuration")).isEqualTo("3m");
            assertThat(set.json().at("/warnings")).isEmpty();
        }
    }

    @Test
    void percent_notWholeNumber_isMalformedAndChangesNothing() {
        String classes = "/partitions/default/classes/root.shared";
        ok(client.put(classes, "{\"percents\": {\"land\": 60, \"diff\": 40}}"));
        for (String percent : new String[] {"33.3", "\"33.3\"", "33.0"}) {
            Reply reply = client.put(classes, "{\"percents\": {\n  \"land\": " + percent + "}}");
            expect(400, "malformed", reply);
            assertThat(reply.at("/detail"))
                    .isEqualTo("line 2, column 11: percents.land must be a whole number, not "
                            + percent.replace("\"", ""));
        }
        expect(400, "malformed", client.put(classes, "{\"rebalanceThreshold\": 0.5}"));
        assertThat(ok(client.get("/partitions/default/classes")).at("/0/percents/land"))
                .isEqualTo("60");
    }

    @Test
    void percents_notAddingTo100_warn() {
        String classes = "/partitions/default/classes/root.shared";
        assertThat(ok(client.put(classes, "{\"percents\": {\"land\": 60, \"diff\": 30}}"))
                        .at("/warnings/0"))
                .isEqualTo("the load percentages below root.shared add up to 90, not to 100: they are scaled");
        assertThat(ok(client.put(classes, "{\"percents\": {\"land\": 0, \"diff\": 0}}"))
                        .at("/warnings/0"))
                .isEqualTo("all load classes below root.shared are at 0 %: none is ever served");
        assertThat(ok(client.get("/partitions/default/classes")).at("/0/warnings/0"))
                .startsWith("all load classes");
    }

    @Test
    void node_registered_canBeOperated() {
        String node =
                "{\"name\": \"n/1\", \"capacity\": {\"vcore\": \"2\", \"slots\": \"1\"}, \"labels\": {\"a\": \"b\"}}";
        expect(201, "", client.post(NODES, node));
        expect(409, "duplicate", client.post(NODES, node));
        expect(422, "invalid", client.post(NODES, "{\"name\": \"n2\", \"capacity\": {\"vcore\": \"much\"}}"));
        expect(422, "invalid", client.post(NODES, "{\"name\": \"n2\", \"capacity\": {\"\": \"1\"}}"));
        expect(422, "invalid", client.post(NODES, "{\"capacity\": {\"vcore\": \"1\"}}"));
        expect(422, "too-much", client.post(NODES, kinds("n3")));
        expect(404, "not-found", client.post("/partitions/none/nodes", node));
        String path = NODES + "/n%2F1";
        assertThat(ok(client.get(path)).at("/name")).isEqualTo("n/1");
        assertThat(ok(client.get(path + "/fits")).json()).isEmpty();
        expect(404, "not-found", client.get(NODES + "/none/fits"));
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

    /** Taints of a node stay when an update does not name them. A task shows its constraints as they were submitted. */
    @Test
    void node_tainted_keepsTasksAway() {
        String taint = "{\"key\": \"gpu\", \"value\": \"yes\", \"effect\": \"%s\"}";
        String node = "{\"name\": \"tainted\", \"capacity\": {\"slots\": \"1\"}, \"labels\": {\"only\": \"here\"},"
                + " \"taints\": [%s]}";
        String path = NODES + "/tainted";
        expect(422, "invalid", client.post(NODES, node.formatted(taint.formatted("Never"))));
        expect(
                422,
                "invalid",
                client.post(NODES, node.formatted(taint.formatted("NoExecute") + ", " + taint.formatted("NoExecute"))));
        expect(404, "not-found", client.get(path));
        expect(201, "", client.post(NODES, node.formatted(taint.formatted("NoSchedule"))));
        assertThat(ok(client.get(path)).at("/taints/0/effect")).isEqualTo("NoSchedule");
        assertThat(ok(client.put(path, "{\"capacity\": {\"slots\": \"1\"}, \"labels\": {\"only\": \"here\"}}"))
                        .at("/taints/0/value"))
                .isEqualTo("yes");
        String affinity = "{\"nodeAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\":"
                + " {\"nodeSelectorTerms\": [{\"matchExpressions\": [{\"key\": \"only\", \"operator\": \"Exists\"}]}]}}}";
        String task = "{\"id\": \"%s\", \"queue\": \"root.sandbox\", \"sealed\": true, \"tasks\": [{\"id\": \"t\","
                + " \"resources\": {\"vcore\": \"0\"}, \"affinity\": " + affinity + "%s}]}";
        expect(201, "", client.post(APPLICATIONS, task.formatted("intolerant", "")));
        await().atMost(Duration.ofSeconds(10))
                .until(() -> String.valueOf(
                                client.get(APPLICATIONS + "/intolerant/why").json())
                        .contains("1 has untolerated taint gpu=yes"));
        expect(
                201,
                "",
                client.post(
                        APPLICATIONS,
                        task.formatted(
                                "tolerant",
                                ", \"tolerations\": [{\"key\": \"gpu\", \"operator\": \"Exists\","
                                        + " \"effect\": \"NoExecute\", \"tolerationSeconds\": 60},"
                                        + " {\"key\": \"gpu\", \"value\": \"yes\"}]")));
        await().atMost(Duration.ofSeconds(10))
                .until(() -> client.get(APPLICATIONS + "/tolerant/tasks/t")
                        .at("/state")
                        .equals("starting"));
        Reply view = ok(client.get(APPLICATIONS + "/tolerant"));
        assertThat(view.at("/groupsOfTasks/0/tolerations/0/tolerationSeconds")).isEqualTo("60");
        assertThat(view.at("/groupsOfTasks/0/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                        + "/nodeSelectorTerms/0/matchExpressions/0/operator"))
                .isEqualTo("Exists");
        String change = path + "/taint";
        String added = "{\"add\": [{\"key\": \"gpu\", \"value\": \"no\", \"effect\": \"%s\"}]}";
        assertThat(ok(client.post(change, added.formatted("NoSchedule"))).at("/taints/0/value"))
                .as("replaced: the same key and effect")
                .isEqualTo("no");
        assertThat(ok(client.post(change, added.formatted("PreferNoSchedule")))
                        .json()
                        .at("/taints"))
                .hasSize(2);
        expect(422, "invalid", client.post(change, added.formatted("Never")));
        expect(404, "not-found", client.post(change, "{\"remove\": [{\"key\": \"none\"}]}"));
        expect(404, "not-found", client.post(NODES + "/none/taint", "{}"));
        String tooMany = IntStream.rangeClosed(0, Command.TaintNode.TAINTS_MAX)
                .mapToObj(i -> "{\"key\": \"k" + i + "\", \"effect\": \"NoSchedule\"}")
                .collect(Collectors.joining(", "));
        expect(422, "too-much", client.post(change, "{\"add\": [" + tooMany + "]}"));
        assertThat(ok(client.post(change, "{\"remove\": [{\"key\": \"gpu\", \"effect\": \"NoSchedule\"}]}"))
                        .json()
                        .at("/taints"))
                .hasSize(1);
        assertThat(ok(client.put(path, "{\"capacity\": {\"slots\": \"1\"}, \"taints\": []}"))
                        .json()
                        .at("/taints"))
                .isEmpty();
        expect(204, "", client.delete(path));
        ok(client.post(APPLICATIONS + "/tolerant/cancel", "{}"));
        ok(client.post(APPLICATIONS + "/intolerant/cancel", "{}"));
    }

    /** Returns a node with more resource types than allowed. */
    private static String kinds(String name) {
        StringBuilder capacity = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            capacity.append(i == 0 ? "" : ", ").append("\"kind").append(i).append("\": \"1\"");
        }
        return "{\"name\": \"" + name + "\", \"capacity\": {" + capacity + "}}";
    }

    @Test
    void reports_ofAgent_areAccepted() {
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
                                + " \"resources\": {\"vcore\": \"0\"}, \"nodeSelector\": {\"far\": \"y\"}}]}"));
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
        return "{\"reports\": [{\"application\": \"agent\", \"task\": \"t\", \"attempt\": 1, \"status\": \"" + what
                + "\"}]}";
    }

    @Test
    void configuration_withSettingsWithoutEffect_warns() {
        String with = QUEUES.replace(
                "- name: sandbox", "- name: sandbox\n            properties: {quota.preemption.delay: 5s}");
        Reply applied = ok(client.send("PUT", "/configuration", with, TestHttpClient.YAML));
        assertThat(applied.at("/warnings/0/message"))
                .isEqualTo("quota.preemption.delay has no effect: quotapreemptionenabled of the partition is not true");
        assertThat(applied.json().at("/warnings")).hasSize(1);
        assertThat(ok(client.get("/configuration")).json().has("warnings")).isFalse();
    }

    @Test
    void audit_ofUnverifiedCallers_isEmpty() {
        assertThat(ok(client.get("/audit?user=ada")).json().get("items")).isEmpty();
        expect(422, "invalid", client.get("/audit?from=yesterday"));
    }

    @Test
    void node_withTask_listsIt() {
        expect(201, "", client.post(APPLICATIONS, application("on-node", "sleep 60")));
        client.awaitState("on-node", "Running");
        String node = ok(client.get(APPLICATIONS + "/on-node/tasks/t")).at("/node");
        assertThat(ok(client.get(NODES + "/" + node + "/tasks")).json()).anySatisfy(task -> {
            assertThat(task.get("application").asString()).isEqualTo("on-node");
            assertThat(task.get("queue").asString()).isEqualTo("root.sandbox");
            assertThat(task.at("/resources/vcore").asString()).isEqualTo("10");
        });
        expect(404, "not-found", client.get(NODES + "/none/tasks"));
    }

    @Test
    void configuration_changed_isInHistory() {
        String with = QUEUES.replace("- name: sandbox", "- name: sandbox\n          - name: extra");
        Reply check = ok(client.send("POST", "/configuration/validate", with, TestHttpClient.YAML));
        assertThat(check.at("/changes/0")).contains("root.extra is added");
        long before = ok(client.get("/configuration")).json().get("revision").asLong();
        Reply applied =
                ok(client.send("PUT", "/configuration?note=more", with, TestHttpClient.YAML, "Sluice-User", "ada"));
        assertThat(applied.json().get("revision").asLong()).isGreaterThan(before);
        assertThat(applied.at("/actor")).isEqualTo("ada");
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
        ok(client.send("PUT", "/configuration", extra, TestHttpClient.YAML));
        expect(201, "", client.post("/partitions/spare/nodes", "{\"name\": \"s\", \"capacity\": {\"slots\": \"1\"}}"));
        expect(409, "conflict", client.post("/configuration/rollback", "{\"revision\": " + before + "}"));
        expect(204, "", client.delete("/partitions/spare/nodes/s"));
        ok(client.send("PUT", "/configuration", QUEUES, TestHttpClient.YAML));
        for (String[] each : new String[][] {
            {"POST", "/configuration/validate"}, {"POST", "/configuration/plan"}, {"PUT", "/configuration"}
        }) {
            Reply wrong = expect(
                    422, "invalid", client.send(each[0], each[1], QUEUES.replace("60", "sixty"), TestHttpClient.YAML));
            assertThat(wrong.at("/locations/0/line")).isEqualTo("11");
            String gone = QUEUES.replace("name: default", "name: other");
            expect(409, "conflict", client.send(each[0], each[1], gone, TestHttpClient.YAML));
            StringBuilder kinds = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                kinds.append(i == 0 ? "" : ", ").append("kind").append(i).append(": 1");
            }
            String many =
                    QUEUES.replace("- name: sandbox", "- name: sandbox\n            resources: {max: {" + kinds + "}}");
            expect(422, "too-much", client.send(each[0], each[1], many, TestHttpClient.YAML));
        }
    }

    @Test
    void configuration_basedOnOlderRevision_conflicts() {
        long current = ok(client.get("/configuration")).json().get("revision").asLong();
        String more = QUEUES.replace("{name: b}", "{name: b}, {name: c}");
        Reply applied = ok(client.send("PUT", "/configuration?basis=" + current, more, TestHttpClient.YAML));
        assertThat(applied.json().get("revision").asLong()).isEqualTo(current + 1);
        Reply refused = expect(
                409, "conflict", client.send("PUT", "/configuration?basis=" + current, QUEUES, TestHttpClient.YAML));
        assertThat(refused.at("/detail")).contains("revision " + (current + 1), "based on revision " + current);
        expect(422, "invalid", client.send("PUT", "/configuration?basis=first", QUEUES, TestHttpClient.YAML));
    }

    @Test
    void plan_ofConfiguration_showsWhatChanges() {
        String closed = QUEUES.replace("- name: sandbox", "- {name: sandbox, resources: {max: {gpu: 1}}}");
        ok(client.send("PUT", "/configuration", closed, TestHttpClient.YAML));
        expect(201, "", client.post(NODES, "{\"name\": \"roomy\", \"capacity\": {\"gpu\": \"3\"}}"));
        String task = "{\"id\": \"t\", \"count\": 3, \"resources\": {\"gpu\": \"1\"}}";
        expect(
                201,
                "",
                client.post(
                        APPLICATIONS, "{\"id\": \"asks\", \"queue\": \"root.sandbox\", \"tasks\": [" + task + "]}"));
        await().untilAsserted(
                        () -> assertThat(ok(client.get(APPLICATIONS + "/asks")).at("/tasks/allocated"))
                                .isEqualTo("1"));

        Reply plan = ok(client.send("POST", "/configuration/plan", QUEUES, TestHttpClient.YAML));
        assertThat(plan.at("/changed/starting")).isEqualTo("2");
        assertThat(plan.at("/unchanged/starting")).isEqualTo("0");
        assertThat(plan.at("/affected")).isEqualTo("1");
        assertThat(plan.at("/applications/0/application")).isEqualTo("asks");
        assertThat(plan.at("/applications/0/queue")).isEqualTo("root.sandbox");
        assertThat(plan.at("/applications/0/changed/waiting")).isEqualTo("0");
        assertThat(plan.at("/applications/0/unchanged/waiting")).isEqualTo("2");
        assertThat(ok(client.get(APPLICATIONS + "/asks")).at("/tasks/allocated"))
                .as("nothing is changed")
                .isEqualTo("1");

        Reply same = ok(client.send("POST", "/configuration/plan", closed, TestHttpClient.YAML));
        assertThat(same.at("/affected")).isEqualTo("0");
        assertThat(same.at("/applications/0/waiting/0/code")).isEqualTo("quota");
    }

    @Test
    void plan_withoutNodes_showsWhatWaits() {
        expect(201, "", client.post(NODES, "{\"name\": \"only\", \"capacity\": {\"gpu\": \"1\"}}"));
        String task = "{\"id\": \"t\", \"resources\": {\"gpu\": \"1\"}}";
        expect(
                201,
                "",
                client.post(
                        APPLICATIONS, "{\"id\": \"needs\", \"queue\": \"root.sandbox\", \"tasks\": [" + task + "]}"));
        await().untilAsserted(() ->
                assertThat(ok(client.get(NODES + "/only")).at("/tasks")).isEqualTo("1"));
        String path = "/partitions/default/plan";
        Reply plan = ok(client.post(path, "{\"without\": [\"only\"]}"));
        assertThat(plan.at("/changed/waiting")).isEqualTo("1");
        assertThat(plan.at("/unchanged/waiting")).isEqualTo("0");
        assertThat(plan.at("/applications/0/application")).isEqualTo("needs");
        assertThat(plan.at("/applications/0/waiting/0/never")).isEqualTo("true");
        assertThat(ok(client.get(NODES + "/only")).at("/tasks")).isEqualTo("1");
        expect(404, "not-found", client.post(path, "{\"without\": [\"none\"]}"));
        expect(404, "not-found", client.post("/partitions/none/plan", "{\"without\": [\"only\"]}"));
        expect(422, "invalid", client.post(path, "{\"without\": []}"));
    }
}
