package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.config.snapshot.WorkloadSubmission;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of an application that ended twice, since it was retried. */
final class RetriedApplicationTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    @TempDir
    private Path folder;

    private TestDaemon daemon;
    private TestHttpClient client;

    @BeforeEach
    void start() throws Exception {
        daemon = TestDaemon.start(DaemonSettings.in(folder));
        client = daemon.client();
    }

    @AfterEach
    void end() {
        daemon.close();
    }

    /** Runs an application of three tasks, one of which fails twice and succeeds in the retry; returns its id. */
    private String retried() {
        expect(
                201,
                client.post(
                        "/partitions/default/nodes",
                        "{\"name\": \"n\", \"capacity\": {\"vcore\": \"4\", \"slots\": \"4\"}}"));
        String id = expect(
                        201,
                        client.post(
                                APPLICATIONS,
                                "{\"name\": \"night\", \"sealed\": true, \"tasks\": [{\"id\": \"t\", \"count\": 2, \"retries\": 1},"
                                        + " {\"id\": \"u\"}]}"))
                .at("/id");
        report(id, "u", 1, "succeeded");
        report(id, "t-1", 1, "succeeded");
        report(id, "t-0", 1, "failed");
        report(id, "t-0", 2, "failed");
        client.awaitState(id, "Failed");
        expect(200, client.post(APPLICATIONS + "/" + id + "/retry", ""));
        int attempt = expect(200, client.get(APPLICATIONS + "/" + id + "/tasks/t-0"))
                .json()
                .get("attempt")
                .asInt();
        report(id, "t-0", attempt, "succeeded");
        client.awaitState(id, "Completed");
        return id;
    }

    @Test
    void retriedApplication_exported_isOneOfThreeTasks() {
        String id = retried();
        assertThat(expect(200, client.get("/history/applications?id=" + id))
                        .json()
                        .get("items"))
                .hasSize(2);

        for (String filter : List.of("", "?state=completed")) {
            Reply workload = expect(200, client.get("/history/workload" + filter));

            List<WorkloadSubmission> submissions = JobFileReader.readWorkload("w.yaml", workload.text())
                    .value()
                    .submissions();
            assertThat(submissions).as(workload.text()).singleElement().satisfies(submission -> {
                assertThat(submission.application().id()).isEqualTo(id);
                assertThat(submission.application().tasks().stream()
                                .mapToInt(task -> task.spec().size())
                                .sum())
                        .isEqualTo(3);
            });
        }
        assertThat(expect(200, client.get("/history/workload?state=failed")).text())
                .contains("applications: []");
    }

    /** Usage stays: forgetting an application does not change what was used. */
    @Test
    void retriedApplication_forgotten_isFoundNowhereAndItsNumberIsNotReused() throws Exception {
        String id = retried();
        Reply usage = expect(200, client.get("/history/usage?by=application"));
        assertThat(usage.at("/items/0/application")).isEqualTo("night");

        expect(204, client.delete(APPLICATIONS + "/" + id));

        assertForgotten(id);
        end();
        start();
        assertForgotten(id);
        assertThat(expect(200, client.get("/history/usage?by=application")).at("/total/runs"))
                .isEqualTo(usage.at("/total/runs"));
        String next = "{\"name\": \"night\", \"tasks\": [{\"id\": \"t\"}]}";
        assertThat(expect(201, client.post(APPLICATIONS, next)).at("/id")).isEqualTo("night-2");
    }

    private void assertForgotten(String id) {
        expect(404, client.get(APPLICATIONS + "/" + id));
        expect(404, client.get(APPLICATIONS + "/" + id + "/tasks"));
        for (String path : List.of(APPLICATIONS, "/history/applications", "/history/applications?id=" + id)) {
            assertThat(expect(200, client.get(path)).json().get("items"))
                    .as(path)
                    .isEmpty();
        }
        assertThat(expect(200, client.get("/history/workload")).text()).contains("applications: []");
    }

    private void report(String application, String task, int attempt, String status) {
        Reply reply = client.post(
                "/partitions/default/reports",
                "{\"reports\": [{\"application\": \"" + application + "\", \"task\": \"" + task + "\", \"attempt\": "
                        + attempt + ", \"status\": \"" + status + "\"}]}");
        assertThat(reply.json().get("refused").size()).as(reply.text()).isZero();
    }

    private static Reply expect(int status, Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        return reply;
    }
}
