package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server shared by all tests of a class, and helpers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RoutesFixture {

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

    static final String NOT_UTF_8 = TestHttpClient.ONE_WRONG_BYTE;
    static final String APPLICATIONS = "/partitions/default/applications";
    static final String NODES = "/partitions/default/nodes";

    TestHttpClient client;

    /**
     * Starts a server with this data folder, the partition {@code default} and a node of four slots; returns its port.
     */
    protected abstract int startServer(Path folder) throws Exception;

    /** Stops the server. */
    protected abstract void stopServer() throws Exception;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        client = new TestHttpClient(startServer(folder));
    }

    /** Restores the initial configuration, nodes and throttle and cancels applications: tests are independent. */
    @BeforeEach
    void reset() {
        for (JsonNode partition : ok(client.get("/partitions")).json()) {
            String path = "/partitions/" + partition.get("name").asString();
            ok(client.post(path + "/applications/cancel", "{\"all\": true}"));
            for (JsonNode node : ok(client.get(path + "/nodes")).json()) {
                if (!node.get("local").asBoolean()) {
                    String name = TestHttpClient.encoded(node.get("name").asString());
                    expect(204, "", client.delete(path + "/nodes/" + name));
                }
            }
        }
        ok(client.put("/partitions/default/throttle", "{\"tasksMax\": -1}"));
        ok(client.send("PUT", "/configuration", QUEUES, TestHttpClient.YAML));
    }

    static Reply expect(int status, String problem, Reply reply) {
        assertThat(reply.status() + " " + reply.problem()).as(reply.text()).isEqualTo(status + " " + problem);
        return reply;
    }

    static Reply ok(Reply reply) {
        return expect(200, "", reply);
    }

    /** Returns an application with one task that runs this shell command. */
    static String application(String id, String command) {
        return "{\"id\": \"" + id + "\", \"queue\": \"root.sandbox\", \"sealed\": true, \"tasks\": [{\"id\": \"t\","
                + " \"resources\": {\"vcore\": \"10m\"}, \"command\": \"" + command + "\"}]}";
    }

    /** Returns an application whose tasks require a label that no node has. */
    static String waiting(String id, int tasks) {
        return "{\"id\": \"" + id + "\", \"queue\": \"root.sandbox\", \"tasks\": [{\"id\": \"t\", \"count\": " + tasks
                + ", \"nodeSelector\": {\"never\": \"here\"}}]}";
    }

    static String tooMany() {
        StringBuilder tasks = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            tasks.append(i == 0 ? "" : ", ")
                    .append("{\"id\": \"m")
                    .append(i)
                    .append("\", \"count\": 10000000, \"nodeSelector\": {\"a\": \"b\"}}");
        }
        return "{\"tasks\": [" + tasks + "]}";
    }
}
