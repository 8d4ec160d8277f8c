package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.journal.AuditLog.AuditEntry;
import dev.sluice.runtime.journal.AuditLog.AuditQuery;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.http.Authenticator;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuditTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    private final MemoryStore store = new MemoryStore();

    private static Reply send(TestDaemon daemon, String caller, String method, String path, String body) {
        return daemon.client()
                .send(
                        method,
                        path,
                        body,
                        body.isEmpty() ? "" : TestHttpClient.JSON,
                        caller.isEmpty() ? new String[0] : TestCallers.header(caller));
    }

    private List<AuditEntry> entries() throws Exception {
        return store.audit().find(new AuditQuery(null, null, null, Long.MAX_VALUE, 1000));
    }

    private static String application(String id) {
        return "{\"id\": \"" + id + "\", \"tasks\": [{\"id\": \"t\", \"labels\": {\"never\": \"here\"}}]}";
    }

    @Test
    void audit_hasChangesAndRefusals(@TempDir Path folder) throws Exception {
        try (TestDaemon daemon = TestDaemon.withAuthenticator(store, TestDaemon.settings(folder), new TestCallers())) {
            send(daemon, "ada:submitter", "POST", APPLICATIONS, application("a1"));
            send(daemon, "ada:submitter", "GET", APPLICATIONS, "");
            send(daemon, "eve:submitter", "POST", APPLICATIONS + "/a1/cancel", "");
            send(daemon, "eve:viewer", "GET", APPLICATIONS + "/a1/tasks/t/log", "");
            send(daemon, "", "GET", APPLICATIONS, "");
            send(
                    daemon,
                    "ada:submitter",
                    "POST",
                    "/submissions",
                    "{\"applications\": ["
                            + application("a2").replace("{\"id\": \"a2\"", "{\"id\": \"a2\", \"user\": \"max\"")
                            + "]}");
        }
        assertThat(entries().stream()
                        .map(entry -> entry.user() + " " + entry.source() + " " + entry.route() + " " + entry.target()
                                + " " + entry.status() + " " + entry.detail().replaceAll("(refused:|requires).*", "$1"))
                        .toList())
                .containsExactly(
                        "ada token submitFile /api/v1/submissions 200 a2 refused:",
                        " none listApplications /api/v1/partitions/default/applications 401 GET"
                                + " /api/v1/partitions/{partition}/applications requires",
                        "eve token readLog /api/v1/partitions/default/applications/a1/tasks/t/log 403 readLog of"
                                + " application a1 requires",
                        "eve token cancelApplication /api/v1/partitions/default/applications/a1/cancel 403"
                                + " cancelApplication of application a1 requires",
                        "ada token submitApplication /api/v1/partitions/default/applications 201 a1");
        assertThat(entries()).allMatch(entry -> entry.address().equals("127.0.0.1"));
    }

    @Test
    void refusals_many_areBounded(@TempDir Path folder) throws Exception {
        try (TestDaemon daemon = TestDaemon.withAuthenticator(store, TestDaemon.settings(folder), new TestCallers())) {
            for (int i = 0; i < 50; i++) {
                send(daemon, "eve:viewer", "POST", APPLICATIONS + "/a/cancel", "");
            }
            send(daemon, "ada:viewer", "POST", APPLICATIONS + "/a/cancel", "");
        }
        assertThat(entries()).hasSizeBetween(21, 41); // the requests may span two minutes
        assertThat(entries()).anyMatch(entry -> entry.detail().endsWith("are not recorded)"));
        assertThat(entries().get(0).user()).isEqualTo("ada");
    }

    @Test
    void audit_isListedInPagesForAdmins(@TempDir Path folder) throws Exception {
        store.audit()
                .append(List.of(
                        new AuditEntry(1, Instant.EPOCH, "ada", "token", "", "r", "/1", 200, ""),
                        new AuditEntry(2, Instant.EPOCH, "eve", "token", "", "r", "/2", 200, ""),
                        new AuditEntry(3, Instant.EPOCH, "ada", "token", "", "r", "/3", 200, "")));
        try (TestDaemon daemon = TestDaemon.withAuthenticator(store, TestDaemon.settings(folder), new TestCallers())) {
            Reply page = send(daemon, "root:admin", "GET", "/audit?user=ada&limit=1", "");
            assertThat(page.at("/items/0/target")).isEqualTo("/3");
            Reply next = send(daemon, "root:admin", "GET", "/audit?user=ada&limit=1&before=" + page.at("/next"), "");
            assertThat(next.at("/items/0/target")).isEqualTo("/1");
            assertThat(next.json().has("next")).isFalse();
            assertThat(send(daemon, "max:operator", "GET", "/audit", "").status())
                    .isEqualTo(403);
        }
    }

    @Test
    void unverifiedCaller_isNotRecorded(@TempDir Path folder) throws Exception {
        try (TestDaemon daemon =
                TestDaemon.withAuthenticator(store, TestDaemon.settings(folder), Authenticator.UNVERIFIED)) {
            send(daemon, "", "POST", APPLICATIONS, application("a1"));
        }
        assertThat(entries()).isEmpty();
    }
}
