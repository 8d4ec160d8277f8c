package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.runtime.testing.MemoryStore.Fault;
import dev.sluice.runtime.testing.MemoryStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages while the server cannot write its journal. */
final class PageStalledTest {

    private static final String STALLED = "The server is stalled: cannot write the journal, nothing is acknowledged";
    private static final String UI = "/ui/partitions/default";

    private final MemoryStore store = new MemoryStore();
    private TestDaemon daemon;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.on(store, TestDaemon.settings(folder), InstantSource.system());
    }

    @AfterEach
    void end() {
        daemon.close();
    }

    /** Makes the journal fail; returns the answer to the submission of an application, which waits for it. */
    private CompletableFuture<Reply> stall(String id) {
        String application = RoutesFixture.waiting(id, 1).replace("root.sandbox", "root.default");
        store.fail(Operation.APPEND, Fault.FULL);
        CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(
                () -> daemon.client().post("/partitions/default/applications", application));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> daemon.client().get("/health").at("/status").equals("stalled"));
        return waiting;
    }

    /** No page was opened before, so no answers are kept: as if all of them had expired. */
    @Test
    void overview_journalStalled_saysSoAndWhatToDo() {
        CompletableFuture<Reply> waiting = stall("first");
        PageClient browser = new PageClient(daemon.port());

        Reply overview = browser.get("/ui");
        assertThat(overview.status()).as(overview.text()).isEqualTo(200);
        assertThat(HtmlCheck.problems(overview.text())).isEmpty();
        assertThat(overview.text())
                .contains(STALLED, "Free disk space", "<dt>status</dt><dd>stalled</dd>")
                .doesNotContain("Partition default");
        Reply nodes = browser.get(UI + "/nodes");
        assertThat(nodes.status()).isEqualTo(503);
        assertThat(nodes.text()).contains("the journal cannot be written");

        store.heal();
        assertThat(waiting.join().status()).isEqualTo(201);
        assertThat(browser.get("/ui").text()).contains("Partition default").doesNotContain("stalled");
    }

    @Test
    @Tag("slow")
    void openPage_journalStalled_saysSoUntilItIsWritable(@TempDir Path profile) throws Exception {
        Path program = Chromium.program().orElse(null);
        assumeTrue(program != null, "Chromium is missing");
        try (Chromium browser = Chromium.start(program, profile)) {
            CompletableFuture<Reply> waiting = stall("first");
            Chromium.Tab overview = browser.tab().open(address("/ui"));
            overview.awaitText(STALLED);
            store.heal();
            assertThat(waiting.join().status()).isEqualTo(201);
            overview.awaitText("Partition default");
            overview.awaitText("Used on average in the last hour");

            Chromium.Tab page = browser.tab().open(address(UI + "/applications/first"));
            page.awaitText("Why does it wait?");
            CompletableFuture<Reply> second = stall("second");
            page.evaluate("htmx.trigger('#live', 'sse:change')"); // instead of waiting for the next update
            page.awaitText("The server answered with error 503; reload the page to see why.");
            store.heal();
            assertThat(second.join().status()).isEqualTo(201);
            page.awaitTrue("document.getElementById('offline').hidden");
        }
    }

    private String address(String path) {
        return "http://127.0.0.1:" + daemon.port() + path;
    }
}
