package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.runtime.machine.Accounts;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.SystemAccounts;
import dev.sluice.runtime.testing.SystemUser;
import dev.sluice.server.access.AccessSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As which users a server that verifies its callers runs tasks. */
@SuppressWarnings("try") // the servers are only used through their client
final class TaskUsersTest {

    @TempDir
    Path folder;

    private TestHttpClient client = new TestHttpClient(0);

    private TestDaemon start(boolean insecure, Accounts accounts) throws Exception {
        return start(insecure, accounts, DaemonSettings.TaskFiles.withSiblingFolders(folder.resolve("data")));
    }

    private TestDaemon start(boolean insecure, Accounts accounts, DaemonSettings.TaskFiles files) throws Exception {
        DaemonSettings settings = TestDaemon.settings(folder.resolve("data"))
                .withFiles(files)
                .withAccess(new AccessSettings(insecure, null));
        DaemonSettings.LocalNode node = Objects.requireNonNull(settings.node());
        TestDaemon server = TestDaemon.start(settings.withNode(new DaemonSettings.LocalNode(
                node.partition(),
                node.name(),
                node.capacity(),
                node.labels(),
                Confinement.NONE.withAccounts(accounts))));
        client = server.client();
        return server;
    }

    private String token(String creator, String user, String role) {
        return RoutesFixture.expect(
                        201,
                        "",
                        as(creator, "POST", "/tokens", "{\"user\": \"%s\", \"role\": \"%s\"}".formatted(user, role)))
                .at("/token");
    }

    private Reply as(String token, String method, String path, String body) {
        String type = body.isEmpty() ? "" : TestHttpClient.JSON;
        return token.isEmpty()
                ? client.send(method, path, body, type)
                : client.send(method, path, body, type, "Authorization", "Bearer " + token);
    }

    /** Creates the first token with a server that does not verify its callers. */
    private String admin() throws Exception {
        try (TestDaemon unused = start(true, Accounts.SHARED)) {
            return token("", "root", "admin");
        }
    }

    private String endOf(String token, String id, String state) {
        String path = "/partitions/default/applications/" + id;
        await().atMost(Duration.ofSeconds(30))
                .until(() -> as(token, "GET", path, "").at("/state").equals(state));
        return as(token, "GET", path + "/tasks/t/log", "").text();
    }

    private static String job(String id, String command) {
        return "{\"id\": \"%s\", \"sealed\": true, \"tasks\": [{\"id\": \"t\", \"command\": \"%s\"}]}"
                .formatted(id, command);
    }

    @Test
    @Tag("slow")
    void tasks_ofVerifiedUser_runAsUserAndCannotReadServer() throws Exception {
        try (SystemUser alice = SystemUser.create()) {
            SystemUser.open(folder);
            String admin = admin();
            try (TestDaemon unused = start(false, SystemAccounts.find(false))) {
                String token = token(admin, alice.name(), "submitter");
                String path = "/partitions/default/applications";
                RoutesFixture.expect(
                        201,
                        "",
                        as(
                                token,
                                "POST",
                                path,
                                job(
                                        "own",
                                        "id -un; touch $SLUICE_RUN_DIRECTORY/file && stat -c %U"
                                                + " $SLUICE_RUN_DIRECTORY/file; ls "
                                                + folder.resolve("data") + " 2>/dev/null; kill -0 "
                                                + ProcessHandle.current().pid() + " 2>/dev/null || echo denied")));
                assertThat(endOf(token, "own", "Completed"))
                        .contains(alice.name() + "\\n" + alice.name() + "\\ndenied\\n");
                assertThat(RoutesFixture.expect(403, "forbidden", as(admin, "POST", path, job("root", "true")))
                                .text())
                        .contains("tasks do not run as root: submit as another user");
            }
            assertThat(Files.getOwner(folder.resolve("data/logs")).getName()).isEqualTo("root");
        }
    }

    /** The owner of a link can change its target while the server runs. */
    @Test
    void workFolder_behindLink_isUsedByItsRealPath() throws Exception {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        DaemonSettings.TaskFiles files = DaemonSettings.TaskFiles.withSiblingFolders(folder.resolve("data"));
        DaemonSettings.TaskFiles linked =
                new DaemonSettings.TaskFiles(link.resolve("work"), files.logMax(), files.adopt());
        try (TestDaemon unused = start(true, Accounts.SHARED, linked)) {
            String job = job("linked", "echo $SLUICE_SCRATCH; echo $SLUICE_RUN_DIRECTORY");
            RoutesFixture.expect(201, "", as("", "POST", "/partitions/default/applications", job));
            String own = real.toRealPath() + "/work/";
            assertThat(endOf("", "linked", "Completed")).containsPattern(own + "[^/]+/[0-9].*" + own);
        }
        Files.delete(link);
        Files.createSymbolicLink(link, folder.resolve("data"));
        assertThatThrownBy(() -> start(true, Accounts.SHARED, linked))
                .hasMessageContaining(
                        "is in the data folder " + folder.resolve("data").toRealPath());
    }

    @Test
    @Tag("slow")
    void server_ofOrdinaryUser_refusesTasksOfOthers() throws Exception {
        String admin = admin();
        try (TestDaemon unused = start(false, Accounts.only("svc"))) {
            String path = "/partitions/default/applications";
            String svc = token(admin, "svc", "submitter");
            String bob = token(admin, "bob", "submitter");
            RoutesFixture.expect(201, "", as(svc, "POST", path, job("own", "echo $((6 * 7))")));
            assertThat(endOf(svc, "own", "Completed")).contains("42");
            assertThat(RoutesFixture.expect(403, "forbidden", as(bob, "POST", path, job("other", "true")))
                            .text())
                    .contains("tasks of user bob do not run here: the server runs as svc")
                    .contains("--shared-account");
            RoutesFixture.expect(404, "not-found", as(bob, "GET", path + "/other", ""));
            assertThat(RoutesFixture.ok(as(bob, "POST", "/submissions", "{\"tasks\": [{\"id\": \"t\"}]}"))
                            .at("/results/0/problem/detail"))
                    .startsWith("tasks of user bob do not run here");
        }
    }
}
