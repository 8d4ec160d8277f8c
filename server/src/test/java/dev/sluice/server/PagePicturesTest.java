package dev.sluice.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every page of a realistic cluster in a real browser, in light and dark colours and in every width. With
 * {@code -Dsluice.write=true} the pictures of the guides are taken anew, and with {@code -Dsluice.pictures=folder} a
 * picture of every page in every width and both colours is stored there, to be looked at.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PagePicturesTest {

    private static final String UI = "/ui/partitions/default";
    private static final Path IMAGES = Path.of("..", "docs", "images");

    /** The widths of a telephone, a tablet, a laptop and a large screen. */
    private static final List<Integer> WIDTHS = List.of(360, 768, 1280, 2560);

    private static final Map<String, String> PAGES = new LinkedHashMap<>();

    static {
        PAGES.put("overview", "/ui");
        PAGES.put("queues", UI + "/queues");
        PAGES.put("queue", UI + "/queues/root.physics.detector?period=week");
        PAGES.put("queue-load", UI + "/queues/root.tests.review");
        PAGES.put("queue-parent", UI + "/queues/root.learning");
        PAGES.put("applications", UI + "/applications");
        PAGES.put("waiting", UI + "/applications/huge");
        PAGES.put("gang", UI + "/applications/train-language");
        PAGES.put("application", UI + "/applications/nightly-report");
        PAGES.put("task", UI + "/applications/nightly-report/tasks/fit");
        PAGES.put("search", UI + "/applications/nightly-report/tasks/fit/search?find=chi2");
        PAGES.put("finished", UI + "/finished");
        PAGES.put("nodes", UI + "/nodes?resource=vcore");
        PAGES.put("node", UI + "/nodes/gpu-01");
        PAGES.put("drain", UI + "/drain?node=gpu-01");
        PAGES.put("usage", UI + "/usage?period=week&by=queue");
        PAGES.put("configuration", "/ui/configuration");
        PAGES.put("reports", UI + "/reports");
        PAGES.put("missing", "/ui/nowhere");
    }

    private TestDaemon daemon;
    private Chromium browser;

    @BeforeAll
    void start(@TempDir Path folder, @TempDir Path profile) throws Exception {
        Path program = Chromium.program().orElse(null);
        assumeTrue(program != null, "Chromium is missing");
        ResearchCluster.writeHistory(folder, Instant.now());
        daemon = TestDaemon.start(TestDaemon.withLabels(TestDaemon.settings(folder), Map.of("kind", "service")));
        ResearchCluster.fill(daemon.client());
        browser = Chromium.start(program, profile);
    }

    @AfterAll
    void end() {
        if (browser != null) {
            browser.close();
        }
        if (daemon != null) {
            daemon.close();
        }
    }

    private String address(String path) {
        return "http://127.0.0.1:" + daemon.port() + path;
    }

    private static void store(Path folder, String name, byte[] picture) throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve(name + ".png"), picture);
    }

    @Test
    void everyPage_telephoneAndLaptop_isAccessible() {
        Chromium.Tab page = browser.tab();
        for (var each : PAGES.entrySet()) {
            page.open(address(each.getValue()));
            for (int width : List.of(360, 1280)) {
                page.width(width);
                for (boolean dark : List.of(false, true)) {
                    page.dark(dark);
                    assertThat(page.axe())
                            .as(each.getKey() + ", " + width + (dark ? ", dark" : ", light"))
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void guide_hasPictureOfEachPage() throws IOException {
        Chromium.Tab page = browser.tab();
        page.width(1280);
        for (String name : List.of("overview", "queues", "queue", "application", "gang", "task", "nodes", "usage")) {
            page.open(address(requireNonNull(PAGES.get(name))));
            page.awaitTrue("document.querySelector('#details > p') === null");
            guide(page, name);
        }
        page.open(address("/ui/configuration"));
        page.type(
                "#text",
                ResearchCluster.QUEUES
                        .replace("{gpu: 96, vcore: 200}", "{gpu: 112, vcore: 200}")
                        .replace("max: {vcore: 900}", "max: {vcore: 1200}"));
        page.awaitText("queue root.physics changes");
        page.click("#b-plan");
        page.awaitText("What would happen");
        page.evaluate("document.getElementById('text').rows = 6; document.activeElement.blur();"
                + " document.querySelector('.diff').style.maxHeight = '9rem'");
        guide(page, "what-if");
        page.open(address(UI + "/reports"));
        page.click("#b-simulate");
        page.awaitText("ready");
        guide(page, "reports");
    }

    /** Takes the picture of a guide, or requires that it exists. */
    private static void guide(Chromium.Tab page, String name) throws IOException {
        byte[] picture = page.picture(860);
        if (Boolean.getBoolean(GeneratedSections.WRITE)) {
            store(IMAGES, "page-" + name, picture);
        }
        assertThat(IMAGES.resolve("page-" + name + ".png")).exists();
    }

    @Test
    void everyPage_everyWidth_fitsTheWindow() throws IOException {
        String pictures = System.getProperty("sluice.pictures", "");
        Chromium.Tab page = browser.tab();
        for (var each : PAGES.entrySet()) {
            page.open(address(each.getValue()));
            page.awaitTrue("document.querySelector('#details > p') === null");
            for (int width : WIDTHS) {
                page.width(width);
                assertThat(page.evaluate("document.documentElement.scrollWidth").asInt())
                        .as("width of " + each.getKey() + " in a window of " + width)
                        .isLessThanOrEqualTo(width);
                if (!pictures.isEmpty()) {
                    for (boolean dark : List.of(false, true)) {
                        page.dark(dark);
                        store(Path.of(pictures), each.getKey() + "-" + width + (dark ? "-dark" : ""), page.picture(0));
                    }
                    page.dark(false);
                }
            }
        }
    }
}
