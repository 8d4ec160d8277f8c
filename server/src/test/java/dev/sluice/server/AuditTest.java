package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.journal.AuditLog.AuditEntry;
import dev.sluice.runtime.journal.AuditLog.AuditQuery;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.http.Authenticator;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.nio.file.Path;
import java.time.Duration;
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
        return "{\"id\": \"" + id + "\", \"tasks\": [{\"id\": \"t\", \"nodeSelector\": {\"never\": \"here\"}}]}";
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
                        " none listApplications /api/v1/partitions/default/applications 401 reading"
                                + " applications requires",
                        "eve token readLog /api/v1/partitions/default/applications/a1/tasks/t/log 403 reading logs"
                                + " of application a1 requires",
                        "eve token cancelApplication /api/v1/partitions/default/applications/a1/cancel 403"
                                + " cancelling application a1 requires",
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
    void requests_thatFailOrAreTried_areBounded(@TempDir Path folder) throws Exception {
        try (TestDaemon daemon = TestDaemon.withAuthenticator(store, TestDaemon.settings(folder), new TestCallers())) {
            for (int i = 0; i < 50; i++) {
                send(daemon, "eve:submitter", "POST", APPLICATIONS + "/none/cancel", "");
                send(daemon, "max:submitter", "POST", APPLICATIONS + "?dryRun=true", application("a" + i));
                send(daemon, "ada:submitter", "POST", APPLICATIONS, application("a" + i));
            }
        }
        for (String bounded : List.of("eve", "max")) {
            assertThat(entries())
                    .as(bounded)
                    .filteredOn(entry -> entry.user().equals(bounded))
                    .hasSizeBetween(20, 41); // the requests may span two minutes
        }
        assertThat(entries())
                .filteredOn(entry -> entry.user().equals("ada"))
                .as("changes")
                .hasSize(50);
    }

    @Test
    void requestsBeyondRateLimit_areRecordedAndBounded(@TempDir Path folder) throws Exception {
        Authenticator limited = credentials -> {
            throw ProblemException.retry(ProblemKind.BUSY, "too many requests", Duration.ofSeconds(1), null);
        };
        try (TestDaemon daemon = TestDaemon.withAuthenticator(store, TestDaemon.settings(folder), limited)) {
            for (int i = 0; i < 50; i++) {
                RawClient.ask(
                        daemon.port(),
                        "POST /api/v1" + APPLICATIONS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                                + "Connection: close\r\n\r\n");
            }
        }
        assertThat(entries()).hasSizeBetween(20, 40).allMatch(entry -> entry.status() == 429);
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
