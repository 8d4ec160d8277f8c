package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ProgramTest;
import dev.sluice.server.testing.RestartableDatabase;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with its journal in PostgreSQL, which is restarted under load and loses nothing. */
@Timeout(600)
@ProgramTest
final class PostgresServerTest {

    @TempDir
    Path folder;

    @Test
    @Tag("long")
    void server_databaseRestartedUnderLoad_losesNothing() throws Exception {
        Path data = folder.resolve("data");
        TaskRunLog runLog = new TaskRunLog(folder.resolve("witness"));
        AtomicReference<@Nullable RetryingTestClient> client = new AtomicReference<>();
        try (RestartableDatabase database = new RestartableDatabase(folder.resolve("database"));
                Load load = new Load(4, 2, runLog, client::get)) {
            String[] arguments = {
                "--database-url",
                database.address(),
                "--slots",
                "6",
                "--checkpoint-events",
                "100",
                "--retain-ended",
                "100000"
            };
            try (ServerProcess server = ServerProcess.start(data, arguments)) {
                client.set(new RetryingTestClient(server.port()));
                for (String signal : new String[] {"INT", "QUIT", "INT"}) {
                    Thread.sleep(1_500);
                    database.restart(signal);
                    RetryingTestClient asking = new RetryingTestClient(server.port());
                    Awaitility.await("it goes on")
                            .atMost(60, TimeUnit.SECONDS)
                            .until(() -> asking.get("/ready").status() == 200);
                }
                Thread.sleep(1_000);
                try (ServerProcess second = ServerProcess.begin(folder.resolve("second"), arguments)) {
                    assertThat(second.exitCode()).as(second.err()).isEqualTo(2);
                    assertThat(second.err()).contains("another").doesNotContain("\tat ");
                }
                assertThat(new RetryingTestClient(server.port()).get("/ready").status())
                        .isEqualTo(200);
                client.set(null);
                server.kill();
            }
            try (ServerProcess server = ServerProcess.start(data, arguments)) {
                RetryingTestClient last = new RetryingTestClient(server.port());
                client.set(last);
                load.finish();
                GracefulEndTest.awaitNothingActive(last);
                for (String id : load.acknowledged.keySet()) {
                    assertThat(last.get("/partitions/default/applications/" + id)
                                    .json()
                                    .at("/tasks/allocated")
                                    .asInt(-1))
                            .as("application %s", id)
                            .isZero();
                }
                client.set(null);
                server.terminate();
                assertThat(server.exitCode()).as(server.err()).isZero();
            }
            assertThat(load.faults).isEmpty();
            assertThat(load.acknowledged).isNotEmpty();
            runLog.checkRunsOnce(load.cancelled);
            for (Set<String> applications : runLog.applications().values()) {
                assertThat(applications).hasSize(1);
            }
            System.out.println("postgresql: " + load.requests + " requests, " + load.repeated + " of them again; "
                    + load.acknowledged.size() + " applications");
        }
    }

    @Test
    @Tag("slow")
    void standby_otherServerKilled_continues() throws Exception {
        try (RestartableDatabase database = new RestartableDatabase(folder.resolve("database"))) {
            String[] arguments = {"--no-node", "--database-url", database.address(), "--standby"};
            try (ServerProcess first = ServerProcess.start(folder.resolve("first"), arguments);
                    ServerProcess second = ServerProcess.begin(folder.resolve("second"), arguments)) {
                String body = "{id: held, tasks: [{id: t, resources: {vcore: 1}}]}";
                assertThat(new RetryingTestClient(first.port())
                                .post("/partitions/default/applications", body)
                                .status())
                        .isEqualTo(201);
                Awaitility.await()
                        .atMost(60, TimeUnit.SECONDS)
                        .until(() -> second.err().contains("on standby, port "));
                RetryingTestClient waiting = new RetryingTestClient(second.standbyPort());
                assertThat(waiting.get("/health").json().get("status").asString())
                        .isEqualTo("standby");
                assertThat(waiting.get("/partitions").text()).contains("is in use by \\\"sluice " + first.pid() + "@");

                first.kill();
                RetryingTestClient client = new RetryingTestClient(second.awaitReady());
                assertThat(client.get("/partitions/default/applications/held").status())
                        .isEqualTo(200);
                second.terminate();
                assertThat(second.exitCode()).as(second.err()).isZero();
            }
        }
    }
}
