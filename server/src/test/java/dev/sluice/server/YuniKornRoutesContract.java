package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Contract tests of the reads that YuniKorn's web interface, dashboards and scripts make. */
abstract class YuniKornRoutesContract extends PartitionRoutesContract {

    private static final String ROOT = "//ws/v1";
    private static final String PARTITION = ROOT + "/partition/default";

    @Test
    void clustersAndPartitions_areListed() {
        expect(
                201,
                "",
                client.post(NODES, "{\"name\": \"big\", \"capacity\": {\"vcore\": \"8\", \"licences\": \"16\"}}"));

        JsonNode cluster = ok(client.get(ROOT + "/clusters")).json().get(0);
        assertThat(cluster.at("/partition").asString()).isEqualTo("default");
        assertThat(cluster.at("/totalNodes").asInt()).isPositive();
        assertThat(cluster.at("/totalContainers").asInt())
                .isEqualTo(cluster.at("/pendingContainers").asInt()
                        + cluster.at("/runningContainers").asInt());
        JsonNode partition = ok(client.get(ROOT + "/partitions")).json().get(0);
        assertThat(partition.at("/name").asString()).isEqualTo("default");
        assertThat(partition.at("/nodeSortingPolicy/type").asString()).isEqualTo("fair");
        assertThat(partition.at("/capacity/capacity/licences").asLong()).isEqualTo(16);
        assertThat(partition.at("/applications/total").asInt())
                .isEqualTo(ok(client.get(APPLICATIONS)).json().get("items").size());
    }

    @Test
    void queues_areATree() {
        JsonNode root = ok(client.get(PARTITION + "/queues")).json();
        assertThat(root.at("/queuename").asString()).isEqualTo("root");
        assertThat(root.get("isLeaf").asBoolean()).isFalse();
        assertThat(root.at("/children/1/queuename").asString()).isEqualTo("root.shared");
        assertThat(root.at("/children/1/children/0/queuename").asString()).isEqualTo("root.shared.land");
        assertThat(root.at("/children/1/children/0/parent").asString()).isEqualTo("root.shared");
        assertThat(root.at("/children/1/childrenNames/1").asString()).isEqualTo("root.shared.diff");

        Reply queue = ok(client.get(PARTITION + "/queue/root.sandbox"));
        assertThat(queue.json().get("properties").get("application.sort.policy").asString())
                .isEqualTo("fifo");
        assertThat(queue.json().get("isLeaf").asBoolean()).isTrue();
        expect(404, "not-found", client.get(PARTITION + "/queue/root.none"));
        expect(404, "not-found", client.get(ROOT + "/partition/none/queues"));
    }

    @Test
    void application_hasRequestsAndAllocations() {
        ok(client.send("PUT", "/configuration", LIMITED, TestHttpClient.YAML));
        expect(201, "", client.post(APPLICATIONS, """
                {"id": "yuni", "user": "ada", "groups": ["lab"], "queue": "root.sandbox", "tags": {"namespace": "dev"},
                 "tasks": [{"id": "web-0.1b4e28ba", "command": "sleep 600"},
                           {"id": "later", "count": 2, "command": "sleep 600", "resources": {"vcore": "900"}}]}"""));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !ok(client.get(PARTITION + "/application/yuni"))
                        .json()
                        .get("allocations")
                        .isEmpty());

        JsonNode application = ok(client.get(PARTITION + "/queue/root.sandbox/application/yuni"))
                .json();
        assertThat(application.at("/queueName").asString()).isEqualTo("root.sandbox");
        assertThat(application.at("/user").asString()).isEqualTo("ada");
        assertThat(application.at("/pendingResource/vcore").asLong()).isEqualTo(1_800_000);
        assertThat(application.at("/requests/0/pendingCount").asInt()).isEqualTo(2);
        JsonNode allocation = application.at("/allocations/0");
        assertThat(allocation.at("/allocationKey").asString()).isEqualTo("web-0.1b4e28ba");
        assertThat(allocation
                        .get("allocationTags")
                        .get("kubernetes.io/meta/podName")
                        .asString())
                .isEqualTo("web-0");
        assertThat(application
                        .at("/requests/0/allocationTags")
                        .get("kubernetes.io/meta/podName")
                        .asString())
                .isEqualTo("later");
        assertThat(allocation.at("/uuid").asString())
                .isEqualTo(allocation.at("/allocationID").asString())
                .isNotEmpty();
        assertThat(allocation.at("/queueName").asString()).isEqualTo("root.sandbox");
        assertThat(ok(client.get(ROOT + "/clusters"))
                        .json()
                        .at("/0/runningContainers")
                        .asInt())
                .isPositive();
        assertThat(allocation
                        .get("allocationTags")
                        .get("kubernetes.io/meta/namespace")
                        .asString())
                .isEqualTo("dev");
        assertThat(allocation.at("/allocationTime").asLong()
                        - allocation.at("/requestTime").asLong())
                .isEqualTo(allocation.at("/allocationDelay").asLong())
                .isNotNegative();

        for (String list : new String[] {
            "/applications/active",
            "/applications/active?status=" + application.at("/applicationState").asString(),
            "/queue/root.sandbox/applications",
            "/queue/root.sandbox/applications/active"
        }) {
            assertThat(ok(client.get(PARTITION + list)).text()).as(list).contains("\"yuni\"");
        }
        for (String list : new String[] {
            "/applications/completed",
            "/applications/rejected",
            "/applications/active?status=Failing",
            "/queue/root.lab.a/applications",
            "/queue/root.sandbox/applications/completed"
        }) {
            assertThat(ok(client.get(PARTITION + list)).text()).as(list).doesNotContain("\"yuni\"");
        }
        usageOfAda();
        ok(client.post(APPLICATIONS + "/yuni/cancel", ""));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ok(client.get(PARTITION + "/applications/completed"))
                        .text()
                        .contains("\"yuni\""));
    }

    private static final String LIMITED = QUEUES.replace(
            "- name: sandbox",
            "- name: sandbox\n            limits: [{users: [ada], maxresources: {vcore: 10}}, {groups: [lab],"
                    + " maxapplications: 5}]");

    private void usageOfAda() {
        JsonNode user = ok(client.get(PARTITION + "/usage/user/ada")).json();
        assertThat(user.at("/queues/queuePath").asString()).isEqualTo("root");
        JsonNode sandbox = user.at("/queues/children/0");
        assertThat(sandbox.at("/queuePath").asString()).isEqualTo("root.sandbox");
        assertThat(sandbox.at("/runningApplications/0").asString()).isEqualTo("yuni");
        assertThat(sandbox.at("/maxResources/vcore").asLong()).isEqualTo(10_000);
        assertThat(ok(client.get(PARTITION + "/usage/users")).at("/0/userName")).isEqualTo("ada");
        JsonNode group = ok(client.get(PARTITION + "/usage/group/lab")).json();
        assertThat(group.at("/applications/0").asString()).isEqualTo("yuni");
        assertThat(group.at("/queues/children/0/maxApplications").asInt()).isEqualTo(5);
        assertThat(ok(client.get(PARTITION + "/usage/groups")).at("/0/groupName"))
                .isEqualTo("lab");
    }

    @Test
    void nodes_haveAvailableResources() {
        expect(
                201,
                "",
                client.post(
                        NODES,
                        "{\"name\": \"racked\", \"capacity\": {\"vcore\": \"8\"}, \"labels\": {\"rack\": \"r7\"}}"));

        JsonNode node = ok(client.get(PARTITION + "/node/racked")).json();
        assertThat(node.at("/rackName").asString()).isEqualTo("r7");
        assertThat(node.at("/available/vcore").asLong()).isEqualTo(8000);
        assertThat(node.at("/utilized/vcore").asLong()).isZero();
        assertThat(node.get("schedulable").asBoolean()).isTrue();
        assertThat(ok(client.get(PARTITION + "/nodes")).text()).contains("\"racked\"");
        JsonNode types =
                ok(client.get(ROOT + "/scheduler/node-utilizations")).json().at("/0/utilizations");
        for (JsonNode type : types) {
            if (type.get("type").asString().equals("vcore")) {
                assertThat(type.at("/utilization/0/bucketName").asString()).isEqualTo("0-10%");
                assertThat(type.at("/utilization/0/nodeNames").toString()).contains("racked");
            }
        }
        assertThat(types).isNotEmpty();
        expect(404, "not-found", client.get(PARTITION + "/node/none"));
    }

    @Test
    void configuration_isReadAndValidated() {
        assertThat(ok(client.get(ROOT + "/config")).text()).contains("name: sandbox");
        Reply allowed = ok(client.send("POST", ROOT + "/validate-conf", QUEUES, TestHttpClient.YAML));
        assertThat(allowed.json().get("allowed").asBoolean()).as(allowed.text()).isTrue();
        Reply refused =
                ok(client.send("POST", ROOT + "/validate-conf", QUEUES + "  - wrong_text\n", TestHttpClient.YAML));
        assertThat(refused.json().get("allowed").asBoolean()).isFalse();
        assertThat(refused.at("/reason")).contains("body:");
    }

    @Test
    void healthAndEvents_areRead() {
        assertThat(ok(client.get(ROOT + "/scheduler/healthcheck"))
                        .json()
                        .get("Healthy")
                        .asBoolean())
                .isTrue();
        expect(201, "", client.post(APPLICATIONS, waiting("yuni-events", 1)));
        JsonNode page = ok(client.get(ROOT + "/events/batch?count=10000")).json();
        assertThat(page.at("/HighestID").asLong()).isPositive();
        boolean found = false;
        for (JsonNode event : page.at("/EventRecords")) {
            found |= event.at("/objectID").asString().equals("yuni-events")
                    && event.at("/type").asInt() == 2
                    && event.at("/eventChangeType").asInt() == 2
                    && event.at("/eventChangeDetail").asInt() == 203;
        }
        assertThat(found).as(page.toString()).isTrue();
        long highest = page.at("/HighestID").asLong();
        assertThat(ok(client.get(ROOT + "/events/batch?start=" + highest))
                        .json()
                        .at("/EventRecords"))
                .hasSizeGreaterThanOrEqualTo(1);
        expect(422, "invalid", client.get(ROOT + "/events/batch?count=0"));
    }

    /** The events of the stream are those of the pages, and come while it is open. */
    @Test
    void eventStream_hasOneRecordPerLine() throws Exception {
        expect(201, "", client.post(APPLICATIONS, waiting("yuni-before", 1)));
        try (LineReader reader = new LineReader(client.address("/ws/v1/events/stream?count=10000"))) {
            reader.next("yuni-before");
            expect(201, "", client.post(APPLICATIONS, waiting("yuni-after", 1)));
            JsonNode record = reader.next("yuni-after");
            assertThat(reader.type()).startsWith("application/x-ndjson");
            assertThat(record.at("/type").asInt()).isEqualTo(2);
            assertThat(record.at("/eventChangeDetail").asInt()).isEqualTo(203);
            assertThat(ok(client.get(ROOT + "/events/batch")).text()).contains(record.toString());
        }
        try (LineReader reader = new LineReader(client.address("/ws/v1/events/stream"))) {
            assertThat(reader.line()).isEmpty(); // it has started
            expect(201, "", client.post(APPLICATIONS, waiting("yuni-last", 1)));
            assertThat(reader.line()).contains("yuni-last");
        }
        expect(422, "invalid", client.get(ROOT + "/events/stream?count=10001"));
        assertThat(client.send("HEAD", ROOT + "/events/stream", "", "").status())
                .isEqualTo(200);
    }

    @Test
    void placementRules_areListed() {
        ok(client.send(
                "PUT",
                "/configuration",
                QUEUES.replace("    queues:\n      - name: root\n", """
                    placementrules:
                      - {name: tag, value: namespace, create: true, parent: {name: user},
                         filter: {type: deny, users: [ada, bob], groups: ["lab.*"]}}
                      - {name: fixed, value: root.sandbox}
                    queues:
                      - name: root
                """),
                TestHttpClient.YAML));
        assertThat(ok(client.get(PARTITION + "/placementrules")).text()).isEqualTo("""
                [{"name":"tag","parameters":{"tagName":"namespace","create":"true"},\
                "filter":{"type":"deny","userList":["ada","bob"],"groupExp":"lab.*"},\
                "parentRule":{"name":"user","parameters":{"create":"false"}}},\
                {"name":"fixed","parameters":{"queue":"root.sandbox","create":"false"}}]""");
        ok(client.send("PUT", "/configuration", QUEUES, TestHttpClient.YAML));
        assertThat(ok(client.get(PARTITION + "/placementrules")).text())
                .isEqualTo("[{\"name\":\"provided\",\"parameters\":{\"create\":\"false\"}}]");
    }

    @Test
    void history_hasNumbersSinceTheStart() {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !ok(client.get(ROOT + "/history/apps")).json().isEmpty());
        assertThat(ok(client.get(ROOT + "/history/apps"))
                        .json()
                        .at("/0/totalApplications")
                        .asString())
                .matches("[0-9]+");
        JsonNode containers = ok(client.get(ROOT + "/history/containers")).json();
        assertThat(containers.at("/0/totalContainers").asString()).matches("[0-9]+");
        assertThat(containers.at("/0/timestamp").asLong()).isPositive();
    }

    @Test
    void unknownNames_areNotFound() {
        for (String path : new String[] {
            "/partition/none/applications/active",
            "/partition/none/queue/root/applications",
            "/partition/none/queue/root/applications/active",
            "/partition/none/nodes",
            "/partition/none/placementrules",
            "/partition/none/usage/users",
            "/partition/none/usage/groups",
            "/partition/default/usage/user/nobody",
            "/partition/default/usage/group/nobody",
            "/partition/default/application/nobody",
            "/partition/default/queue/root.sandbox/application/nobody"
        }) {
            expect(404, "not-found", client.get(ROOT + path));
        }
        for (String path : new String[] {"/applications/some", "/queue/root.sandbox/applications/some"}) {
            expect(422, "invalid", client.get(PARTITION + path));
        }
    }
}
