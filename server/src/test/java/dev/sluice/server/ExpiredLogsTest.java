package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.runtime.host.HostLimits;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.testing.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs are removed with the history of their applications. */
final class ExpiredLogsTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    @TempDir
    private Path folder;

    @Test
    void logs_ofExpiredHistory_areRemovedUnlessTheIdIsActive() throws Exception {
        Retention none = new Retention(Duration.ZERO, Duration.ZERO, Duration.ofDays(1), 1);
        HostLimits forgetful = new HostLimits(100, 100, 0, Duration.ofSeconds(1));
        try (TestDaemon daemon =
                TestDaemon.start(DaemonSettings.in(folder).withRetention(none).withLimits(forgetful))) {
            TestHttpClient client = daemon.client();
            submit(client, "a");
            cancel(client, "a");
            submit(client, "b");
            cancel(client, "b");
            submit(client, "b");
            for (String id : List.of("a", "b")) {
                Files.createDirectories(log(id).getParent());
                Files.writeString(log(id), "x");
                Files.setLastModifiedTime(log(id), FileTime.from(Instant.EPOCH));
                Path folder = Files.createDirectory(log(id).resolveSibling("made-by-task"));
                Files.writeString(folder.resolve("file"), "x");
                Files.setLastModifiedTime(folder, FileTime.from(Instant.EPOCH));
            }
            assertThat(ended(client)).isEqualTo(2);

            daemon.requestCheckpoint().get();

            Awaitility.await().until(() -> ended(client) == 0);
            assertThat(log("a").getParent()).doesNotExist();
            assertThat(log("b")).exists();
        }
    }

    @Test
    void logs_ofForgottenApplication_areRemoved() throws Exception {
        try (TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder))) {
            TestHttpClient client = daemon.client();
            for (String id : List.of("a", "other")) {
                submit(client, id);
                Files.createDirectories(log(id).getParent());
                Files.writeString(log(id), "x");
                Files.setLastModifiedTime(log(id), FileTime.from(Instant.EPOCH));
            }
            assertThat(client.delete(APPLICATIONS + "/a").status()).isEqualTo(409);
            assertThat(log("a")).exists();
            cancel(client, "a");

            assertThat(client.delete(APPLICATIONS + "/a").status()).isEqualTo(204);

            assertThat(log("a").getParent()).doesNotExist();
            assertThat(log("other")).exists();
        }
    }

    @Test
    void history_whoseLogsCannotBeRemoved_isKept() throws Exception {
        MemoryStore store = new MemoryStore();
        for (int i = 1; i <= 3; i++) {
            store.appendHistory(List.of(new FinishedApplication(
                    i,
                    "default",
                    "a" + i,
                    "a",
                    "root",
                    "bob",
                    ApplicationState.COMPLETED,
                    "",
                    Instant.EPOCH,
                    Instant.EPOCH,
                    "{}")));
        }
        List<String> removed = new ArrayList<>();
        ExpiredLogs logs = new ExpiredLogs(store, (partition, application, before) -> {
            removed.add(application);
            if (application.equals("a2")) {
                throw new IOException("cannot remove t.log");
            }
        });
        try (TestDaemon daemon = TestDaemon.withQueries(DaemonSettings.in(folder), host -> {
            logs.follow(host);
            return new IncrementalQueryRunner(host);
        })) {
            assertThatThrownBy(() -> logs.remove(Instant.EPOCH.plusSeconds(1)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("cannot remove t.log");
            assertThat(removed).containsExactly("a3", "a2", "a1");
            assertThat(daemon.port()).isPositive();
        }
    }

    private static void submit(TestHttpClient client, String id) throws Exception {
        Reply reply = client.post(APPLICATIONS, "{\"id\": \"" + id + "\", \"tasks\": [{\"id\": \"t\"}]}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private static void cancel(TestHttpClient client, String id) throws Exception {
        Reply reply = client.post(APPLICATIONS + "/" + id + "/cancel", "");
        assertThat(reply.status()).as(reply.text()).isLessThan(300);
    }

    private static int ended(TestHttpClient client) throws Exception {
        return client.get("/history/applications").json().at("/items").size();
    }

    private Path log(String application) {
        return folder.resolve("logs/default/" + application + "/t.log");
    }
}
