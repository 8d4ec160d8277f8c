package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.testing.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Owners, admins of queues and others: what they may do, and which rule a refusal names. */
final class AccessTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    private static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    queues:
                      - name: lab
                        submitacl: ada dev
                        adminacl: max
                        queues: [{name: gpu}, {name: night, submitacl: eve}]
                      - {name: office, submitacl: "*"}
                      - name: closed
            """;

    private final MemoryStore store = new MemoryStore();

    @TempDir
    private Path folder;

    private TestDaemon daemon;

    @BeforeEach
    void start() throws Exception {
        daemon = TestDaemon.withAuthenticator(store, TestDaemon.settings(folder), new TestCallers());
        assertThat(daemon.client()
                        .send("PUT", "/configuration", QUEUES, TestHttpClient.YAML, TestCallers.header("root:admin"))
                        .status())
                .isEqualTo(200);
    }

    @AfterEach
    void end() {
        daemon.close();
    }

    private Reply send(String caller, String method, String path, String body) {
        return daemon.client()
                .send(
                        method,
                        path,
                        body,
                        body.isEmpty() ? "" : TestHttpClient.JSON,
                        TestCallers.header(caller.contains(":") ? caller : caller + ":submitter"));
    }

    private Reply submit(String caller, String id, String queue, String more) {
        return send(
                caller,
                "POST",
                APPLICATIONS,
                "{\"id\": \"" + id + "\", \"queue\": \"" + queue + "\"" + more
                        + ", \"tasks\": [{\"id\": \"t\", \"nodeSelector\": {\"never\": \"here\"}}]}");
    }

    private static void accepted(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isIn(200, 201, 204);
    }

    private static void refused(String detail, Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(403);
        assertThat(reply.at("/detail")).isEqualTo(detail);
    }

    @Test
    void submission_toQueue_needsSubmitOrAdminAcl() {
        accepted(submit("ada", "a1", "root.lab.gpu", ""));
        accepted(submit("bob:submitter:dev", "a2", "root.lab.gpu", ""));
        accepted(submit("max", "a3", "root.lab.gpu", ""));
        accepted(submit("root:admin", "a4", "root.closed", ""));
        accepted(submit("eve", "a5", "root.lab.night", ""));
        refused(
                "user eve (groups ops) may not submit to queue root.lab.gpu: submitacl and adminacl of root.lab do not"
                        + " allow it",
                submit("eve:submitter:ops", "a6", "root.lab.gpu", ""));
        refused(
                "user bob may not submit to queue root.lab.night: submitacl of root.lab.night, submitacl and adminacl of"
                        + " root.lab do not allow it",
                submit("bob", "a7", "root.lab.night", ""));
        refused(
                "user max may not submit to queue root.closed: neither it nor a queue above it has a submitacl or"
                        + " adminacl, but other queues have",
                submit("max:operator", "a8", "root.closed", ""));
        assertThat(send("ada", "GET", APPLICATIONS + "/a6", "").status()).isEqualTo(404);
    }

    @Test
    void submission_placedByRule_isCheckedForThatQueue() {
        accepted(daemon.client()
                .send(
                        "PUT",
                        "/configuration",
                        QUEUES.replace(
                                "    queues:\n      - name: root",
                                "    placementrules: [{name: fixed, value: root.lab.gpu}]\n    queues:\n      - name:"
                                        + " root"),
                        TestHttpClient.YAML,
                        TestCallers.header("root:admin")));
        refused(
                "user eve may not submit to queue root.lab.gpu: submitacl and adminacl of root.lab do not allow it",
                submit("eve", "a1", "root.office", ""));
        accepted(submit("ada", "a2", "root.closed", ""));
    }

    @Test
    void submission_forOthers_needsAdmin() {
        accepted(submit("root:admin", "a1", "root.office", ", \"user\": \"ada\", \"groups\": [\"dev\"]"));
        refused(
                "user eve may not submit as user ada: only the role admin may submit for others; remove user from the"
                        + " application",
                submit("eve:operator", "a2", "root.office", ", \"user\": \"ada\""));
        refused(
                "user eve may not submit with groups dev: the user is a member of ops; remove groups, the server knows"
                        + " them",
                submit("eve:submitter:ops", "a3", "root.office", ", \"groups\": [\"dev\"]"));
        accepted(submit("eve:submitter:ops", "a4", "root.office", ""));
        assertThat(send("eve", "GET", APPLICATIONS + "/a4", "").at("/user")).isEqualTo("eve");
    }

    @Test
    void submission_withSomeOfOnesGroups_isRefused() {
        refused(
                "user eve may not submit with groups dev: the user is a member of dev, ops; remove groups, the server"
                        + " knows them",
                submit("eve:submitter:dev,ops", "a1", "root.office", ", \"groups\": [\"dev\"]"));
        accepted(submit("eve:submitter:dev,ops", "a2", "root.office", ", \"groups\": [\"ops\", \"dev\"]"));
    }

    @Test
    void agent_mayNotSubmit() {
        assertThat(submit("node1:agent", "a1", "root.office", "").status()).isEqualTo(403);
    }

    @Test
    void id_ofEarlierApplicationOfAnother_cannotBeTakenWhileItsLogsAreKept() throws Exception {
        store.appendHistory(List.of(new FinishedApplication(
                1,
                "default",
                "a1",
                "a",
                "root",
                "ada",
                ApplicationState.COMPLETED,
                "",
                Instant.EPOCH,
                Instant.EPOCH,
                "{}")));
        accepted(submit("eve", "a1", "root.office", ""));
        accepted(send("eve", "POST", APPLICATIONS + "/a1/cancel", ""));
        accepted(send("eve", "DELETE", APPLICATIONS + "/a1", ""));
        assertThat(store.finished(FinishedQuery.latest("default", "a1")))
                .as("what ada had under this id")
                .hasSize(1);

        Files.createDirectories(folder.resolve("logs/default/a1"));

        String refusal = "application a1 was one of user ada, whose logs are kept; choose another id";
        for (String caller : List.of("eve", "root:admin")) {
            Reply reply = submit(caller, "a1", "root.office", "");
            assertThat(reply.status()).isEqualTo(409);
            assertThat(reply.at("/detail")).isEqualTo(refusal);
        }
        Reply file = send(
                "eve",
                "POST",
                "/submissions",
                "{\"applications\": [{\"id\": \"a1\", \"queue\": \"root.office\", \"tasks\": [{\"id\": \"t\"}]}]}");
        assertThat(file.at("/accepted")).isEqualTo("0");
        assertThat(file.at("/results/0/problem/detail")).isEqualTo(refusal);
        accepted(submit("ada", "a1", "root.office", ""));
    }

    @Test
    void idempotencyKey_ofAnother_isNoneOfOnes() {
        for (String caller : List.of("ada", "eve")) {
            String[] headers = {"Authorization", "Bearer " + caller + ":submitter", "Idempotency-Key", "k"};
            accepted(daemon.client()
                    .send(
                            "POST",
                            APPLICATIONS,
                            "{\"id\": \"of-" + caller + "\", \"queue\": \"root.office\", \"tasks\": [{\"id\": \"t\"}]}",
                            TestHttpClient.JSON,
                            headers));
            assertThat(send(caller, "GET", APPLICATIONS + "/of-" + caller, "").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void application_ofAnother_isSeenButNotChanged() {
        accepted(submit("ada", "a1", "root.lab.gpu", ""));
        accepted(send("eve:viewer", "GET", APPLICATIONS + "/a1", ""));
        refused(
                "cancelling application a1 requires its user ada, an admin of queue root.lab.gpu (adminacl) or"
                        + " the role operator, but user eve has the role submitter",
                send("eve", "POST", APPLICATIONS + "/a1/cancel", ""));
        refused(
                "reading logs of application a1 requires its user ada, an admin of queue root.lab.gpu (adminacl) or the role"
                        + " operator, but user eve has the role viewer",
                send("eve:viewer", "GET", APPLICATIONS + "/a1/tasks/t/log", ""));
        refused(
                "adding tasks to application a1 requires its user ada or the role admin, but user max has the role"
                        + " submitter",
                send("max", "POST", APPLICATIONS + "/a1/tasks", "{\"tasks\": [{\"id\": \"u\"}]}"));
        accepted(send("max", "POST", APPLICATIONS + "/a1/hold", ""));
        accepted(send("max", "POST", APPLICATIONS + "/a1/cancel", ""));
    }

    @Test
    void applications_cancelledTogether_areThoseOfCaller() {
        accepted(submit("ada", "a1", "root.lab.gpu", ""));
        accepted(submit("eve", "e1", "root.office", ""));
        accepted(submit("ada", "a2", "root.office", ""));
        Reply reply = send("max", "POST", APPLICATIONS + "/cancel", "{\"all\": true}");
        assertThat(reply.at("/cancelled")).isEqualTo("1");
        assertThat(send("eve", "POST", APPLICATIONS + "/cancel", "{\"all\": true}")
                        .at("/cancelled"))
                .isEqualTo("1");
        assertThat(send("ada", "GET", APPLICATIONS + "/a2", "").at("/state")).isEqualTo("Accepted");
    }

    @Test
    void application_movedOrRetried_needsAclOfTarget() {
        accepted(submit("ada", "a1", "root.office", ""));
        refused(
                "user ada may not submit to queue root.closed: neither it nor a queue above it has a submitacl or"
                        + " adminacl, but other queues have",
                send("ada", "PATCH", APPLICATIONS + "/a1", "{\"queue\": \"root.closed\"}"));
        accepted(send("ada", "PATCH", APPLICATIONS + "/a1", "{\"queue\": \"lab.gpu\"}"));
        accepted(send("ada", "POST", APPLICATIONS + "/a1/cancel", ""));
        accepted(daemon.client()
                .send(
                        "PUT",
                        "/configuration",
                        QUEUES.replace("submitacl: ada dev", "submitacl: bob"),
                        TestHttpClient.YAML,
                        TestCallers.header("root:admin")));
        refused(
                "user ada may not submit to queue root.lab.gpu: submitacl and adminacl of root.lab do not allow it",
                send("ada", "POST", APPLICATIONS + "/a1/retry", ""));
        accepted(send("max", "POST", APPLICATIONS + "/a1/retry", ""));
    }
}
