package dev.sluice.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.server.access.AccessSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A server that runs real processes and requires tokens, and a browser. */
@Tag("slow")
abstract class BrowserFixture {

    static final String UI = "/ui/partitions/default";

    /** A queue in which one task of 10m can run. */
    static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    queues:
                      - name: sandbox
                        submitacl: "*"
                        resources: {max: {vcore: 10m}}
            """;

    @TempDir
    private Path folder;

    TestDaemon daemon;
    Chromium browser;
    private String token = "";

    @BeforeEach
    void start(@TempDir Path profile) throws Exception {
        Path program = Chromium.program().orElse(null);
        assumeTrue(program != null, "Chromium is missing");
        try (TestDaemon open = TestDaemon.start(settingsWithoutSignIn())) {
            RoutesFixture.ok(open.client().send("PUT", "/configuration", QUEUES, TestHttpClient.YAML));
            token = RoutesFixture.expect(
                            201,
                            "",
                            open.client()
                                    .post("/tokens", "{\"user\": \"ada\", \"role\": \"admin\", \"expires\": \"1d\"}"))
                    .at("/token");
        }
        daemon = TestDaemon.start(settings());
        browser = Chromium.start(program, profile);
    }

    @AfterEach
    void end() {
        if (browser != null) {
            browser.close();
        }
        if (daemon != null) {
            daemon.close();
        }
    }

    DaemonSettings settings() {
        return settingsWithoutSignIn().withAccess(new AccessSettings(false, null));
    }

    DaemonSettings settingsWithoutSignIn() {
        return TestDaemon.settings(folder);
    }

    String token() {
        return token;
    }

    String address(String path) {
        return "http://127.0.0.1:" + daemon.port() + path;
    }

    /** Opens the overview, signed in as an admin. */
    Chromium.Tab signedIn() {
        Chromium.Tab tab = browser.tab().open(address("/ui"));
        tab.type("#token", token);
        tab.click("form.signin button");
        tab.awaitText("Needs attention");
        tab.awaitText("in the last hour");
        return tab;
    }

    /** Submits an application of one task t to root.sandbox. */
    void submit(String id, String command) {
        send(201, "POST", "/partitions/default/applications", RoutesFixture.application(id, command));
    }

    /** Sends a document, which may be empty, as an admin, and requires an answer with this status. */
    Reply send(int status, String method, String path, String document) {
        return RoutesFixture.expect(
                status,
                "",
                daemon.client()
                        .send(
                                method,
                                path,
                                document,
                                document.isEmpty() ? "" : TestHttpClient.JSON,
                                "Authorization",
                                "Bearer " + token));
    }
}
