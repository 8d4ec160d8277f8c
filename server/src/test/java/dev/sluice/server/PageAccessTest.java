package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.route.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which pages and forms each role may use, for one's own application, one in a queue that one administers, and
 * another's. The queue {@code root.lab} has {@code adminacl: max}.
 */
final class PageAccessTest {

    private static final String UI = "/ui/partitions/default";

    private static final String QUEUES = """
            partitions: [{name: default, queues: [{name: root, queues: [
              {name: lab, submitacl: "*", adminacl: max}]}]}]
            """;

    /** Pages that need the role viewer. */
    private static final List<String> PAGES = List.of(
            "/ui",
            "/ui/details",
            UI + "/queues",
            UI + "/queues/root.lab",
            UI + "/applications",
            UI + "/finished",
            UI + "/applications/a0",
            UI + "/applications/a0/tasks/t",
            UI + "/nodes",
            UI + "/nodes/here",
            UI + "/usage",
            UI + "/usage/table",
            UI + "/reports",
            "/ui/configuration");

    private TestDaemon daemon;
    private int count;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.withAuthenticator(new MemoryStore(), TestDaemon.settings(folder), new TestCallers());
        assertThat(daemon.client()
                        .send("PUT", "/configuration", QUEUES, TestHttpClient.YAML, TestCallers.header("root:admin"))
                        .status())
                .isEqualTo(200);
        assertThat(submit()).isEqualTo("a0");
    }

    @AfterEach
    void end() {
        daemon.close();
    }

    private PageClient browser(String user, Role role) {
        return new PageClient("127.0.0.1", daemon.port(), TestCallers.header(user + ":" + role.wireName()));
    }

    /** Submits an application of ada; returns its id. */
    private String submit() {
        String id = "a" + count++;
        String body = "{\"id\": \"" + id + "\", \"queue\": \"root.lab\", \"tasks\": [{\"id\": \"t\", \"nodeSelector\":"
                + " {\"never\": \"here\"}}]}";
        assertThat(daemon.client()
                        .send(
                                "POST",
                                "/partitions/default/applications",
                                body,
                                TestHttpClient.JSON,
                                TestCallers.header("ada:submitter"))
                        .status())
                .isEqualTo(201);
        return id;
    }

    @Test
    void page_everyRole_needsViewer() {
        for (String path : PAGES) {
            for (Role role : Role.values()) {
                Reply reply = browser("eve", role).get(path);
                assertThat(reply.status())
                        .as(path + " as " + role.wireName() + "\n" + reply.text())
                        .isEqualTo(role.includes(Role.VIEWER) ? 200 : 403);
            }
        }
        Reply none = new PageClient(daemon.port()).get("/ui/changes");
        assertThat(none.header("Location")).startsWith("/ui/sign-in");
    }

    @Test
    void form_everyRoleAndRelation_isPermittedAsInApi() {
        List<String> wrong = new ArrayList<>();
        for (String user : List.of("ada", "max", "eve")) {
            for (Role role : Role.values()) {
                String id = submit();
                Reply page = browser(user, role).get(UI + "/applications/" + id);
                boolean expected =
                        role.includes(Role.SUBMITTER) && (!user.equals("eve") || role.compareTo(Role.OPERATOR) >= 0);
                Reply cancelled = browser(user, role).post(UI + "/applications/" + id + "/cancel", known(), Map.of());
                if (page.text().contains(">Cancel<") != expected || (cancelled.status() == 303) != expected) {
                    wrong.add(user + " as " + role.wireName() + ": " + cancelled.status());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Returns a page with the token of forms, which is the same for all callers without a session. */
    private Reply known() {
        return browser("ada", Role.SUBMITTER).get(UI + "/applications/a0");
    }

    @Test
    void nodeForm_needsOperator() {
        Reply shown = browser("root", Role.OPERATOR).get(UI + "/nodes/here");
        for (Role role : Role.values()) {
            boolean expected = role.includes(Role.OPERATOR);
            Reply reply = browser("eve", role).post(UI + "/nodes/here/offline", shown, Map.of());
            assertThat(reply.status()).as(role.wireName()).isEqualTo(expected ? 303 : 403);
            if (role.includes(Role.VIEWER)) {
                assertThat(browser("eve", role).get(UI + "/nodes/here").text().contains("<button id=\"b-"))
                        .as(role.wireName())
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void log_ofAnother_isNotShown() {
        String own = browser("ada", Role.SUBMITTER)
                .get(UI + "/applications/a0/tasks/t")
                .text();
        assertThat(own).contains("has no log on this server");
        Reply others = browser("eve", Role.SUBMITTER).get(UI + "/applications/a0/tasks/t");
        assertThat(others.text())
                .contains("reading logs of application a0 requires its user ada, an admin of queue root.lab");
        for (String part : List.of("log", "search?find=x", "download")) {
            assertThat(browser("eve", Role.SUBMITTER)
                            .get(UI + "/applications/a0/tasks/t/" + part)
                            .status())
                    .as(part)
                    .isEqualTo(403);
        }
    }

    @Test
    void configurationForms_needTheRolesOfTheApi() {
        Reply shown = browser("root", Role.ADMIN).get("/ui/configuration");
        Map<String, Role> needed = Map.of("check", Role.VIEWER, "plan", Role.OPERATOR, "apply", Role.ADMIN);
        for (Role role : Role.values()) {
            String page = browser("eve", role).get("/ui/configuration").text();
            needed.forEach((form, least) -> {
                String path = "/ui/configuration/" + form;
                Reply reply = browser("eve", role).post(path, shown, Map.of("text", QUEUES));
                boolean expected = role.includes(least);
                assertThat(reply.status() != 403)
                        .as(form + " as " + role.wireName())
                        .isEqualTo(expected);
                assertThat(page.contains("id=\"b-" + form + "\""))
                        .as(form + " shown to " + role.wireName())
                        .isEqualTo(expected);
            });
        }
    }

    @Test
    void reports_areSeenByViewersAndStartedByAdmins() {
        for (Role role : Role.values()) {
            boolean starts = role.includes(Role.ADMIN);
            PageClient browser = browser("eve", role);
            assertThat(browser.post(UI + "/reports", known(), Map.of("text", "not a configuration"))
                            .status())
                    .as("start as " + role.wireName())
                    .isEqualTo(starts ? 422 : 403);
            assertThat(browser.post(UI + "/reports/cancel", known(), Map.of()).status())
                    .as("cancel as " + role.wireName())
                    .isEqualTo(starts ? 303 : 403);
            assertThat(browser.get(UI + "/reports/1").status())
                    .as("unknown report as " + role.wireName())
                    .isEqualTo(role.includes(Role.VIEWER) ? 404 : 403);
            String page = browser.get(UI + "/reports").text();
            assertThat(page.contains("id=\"b-simulate\"")).as(role.wireName()).isEqualTo(starts);
            assertThat(page.contains("An admin can start one on this page"))
                    .as(role.wireName())
                    .isEqualTo(role.includes(Role.VIEWER) && !starts);
        }
    }

    @Test
    void drain_needsOperator() {
        for (Role role : Role.values()) {
            boolean expected = role.includes(Role.OPERATOR);
            PageClient browser = browser("eve", role);
            assertThat(browser.get(UI + "/drain?node=here").status())
                    .as(role.wireName())
                    .isEqualTo(expected ? 200 : 403);
            assertThat(browser.post(UI + "/drain/plan", known(), Map.of("nodes", "here"))
                            .status())
                    .as(role.wireName())
                    .isEqualTo(expected ? 200 : 403);
            assertThat(browser.get(UI + "/nodes").text().contains(UI + "/drain"))
                    .as(role.wireName())
                    .isEqualTo(expected);
        }
    }
}
