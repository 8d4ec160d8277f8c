package dev.sluice.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every page of a realistic cluster in a real browser, in light and dark colours and in every width, and compared with
 * its picture. With {@code -Dsluice.write=true} the pictures are taken anew, and with {@code -Dsluice.pictures=folder}
 * a picture of every page in every width and both colours is stored there, to be looked at.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PagePicturesTest {

    private static final String UI = "/ui/partitions/default";

    /** Pictures of pages that guides show. */
    private static final Path IMAGES = Path.of("..", "docs", "images");

    /** Pictures of the other pages. */
    private static final Path PICTURES = Path.of("src", "test", "pictures");

    /** The pages that guides show. */
    private static final Set<String> GUIDE =
            Set.of("overview", "queues", "queue", "application", "gang", "task", "nodes", "usage", "what-if", "report");

    /** The height of pictures, in pixels; what is below is not compared. */
    private static final int HEIGHT_MAX = 860;

    /** The width of a line of text, in pixels, where the pictures were taken. */
    private static final int TEXT_WIDTH = 1165;

    /** The fraction of squares that may differ: times and figures change. */
    private static final double DIFFERENCE_MAX = 0.08;

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
    private Chromium.Tab page;

    @BeforeAll
    void start(@TempDir Path folder, @TempDir Path profile) throws Exception {
        Path program = Chromium.program().orElse(null);
        assumeTrue(program != null, "Chromium is missing");
        ResearchCluster.writeHistory(folder, Instant.now());
        daemon = TestDaemon.start(TestDaemon.withLabels(TestDaemon.settings(folder), Map.of("kind", "service")));
        ResearchCluster.fill(daemon.client());
        browser = Chromium.start(program, profile);
        page = browser.tab().withoutPolling();
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

    private static void store(Path file, byte[] picture) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, picture);
    }

    @Test
    void everyPage_telephoneAndLaptop_isAccessible() {
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
    void everyPage_looksLikeItsPicture() throws IOException {
        assumeSameFonts();
        List<String> changed = new ArrayList<>();
        for (String name : PAGES.keySet()) {
            open(name);
            compare(name, changed);
        }
        openWhatIf();
        compare("what-if", changed);
        page.open(address(UI + "/reports"));
        page.click("#b-simulate");
        page.awaitText("ready");
        compare("report", changed);
        assertThat(changed).isEmpty();
    }

    /** Requires that text is as wide as on the machine that took the pictures. */
    private void assumeSameFonts() {
        open("missing");
        int width = page.evaluate("""
                (() => {
                    const canvas = document.createElement('canvas').getContext('2d');
                    canvas.font = '100px system-ui, sans-serif';
                    return Math.round(canvas.measureText('Waiting for its first task').width);
                })()
                """).asInt();
        assumeTrue(width == TEXT_WIDTH, "the fonts are not those of the pictures: a line is " + width + " px wide");
    }

    /** Opens a page in the window of its picture. */
    private void open(String name) {
        page.width(1280);
        page.dark(false);
        page.open(address(requireNonNull(PAGES.get(name))));
        page.awaitTrue("document.querySelector('#details > p') === null");
    }

    private void openWhatIf() {
        open("configuration");
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
    }

    private static Path picture(String name) {
        return (GUIDE.contains(name) ? IMAGES : PICTURES).resolve("page-" + name + ".png");
    }

    /** Compares what is shown with the picture of the page, or takes the picture. */
    private void compare(String name, List<String> changed) throws IOException {
        Path stored = picture(name);
        byte[] shown = page.picture(HEIGHT_MAX);
        if (Boolean.getBoolean(GeneratedSections.WRITE)) {
            store(stored, shown);
            return;
        }
        assertThat(stored).exists();
        double difference = Pictures.difference(Files.readAllBytes(stored), shown);
        if (difference > DIFFERENCE_MAX) {
            Path looked = Path.of("target", "pictures", "page-" + name + ".png");
            store(looked, shown);
            changed.add("%s differs from %s in %.0f %% of its squares; it looks like %s"
                    .formatted(name, stored, 100 * difference, looked));
        }
    }

    /** What people would notice: the comparison must find it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a section is missing    | document.querySelector('main section, main .tiles, main table').remove()
            everything moves down   | document.querySelector('main').style.paddingTop = '20px'
            the styles are missing  | document.querySelector('link[rel=stylesheet]').remove()
            the colours are swapped | document.documentElement.style.filter = 'invert(1)'
            the text is larger      | document.body.style.fontSize = '18px'
            """)
    void changedPage_differsFromItsPicture(String change, String script) throws IOException {
        assumeSameFonts();
        for (String name : List.of("overview", "application", "nodes")) {
            open(name);
            page.evaluate(script + "; true");
            assertThat(Pictures.difference(Files.readAllBytes(picture(name)), page.picture(HEIGHT_MAX)))
                    .as(change + ", " + name)
                    .isGreaterThan(DIFFERENCE_MAX);
        }
    }

    @Test
    void everyPage_everyWidth_fitsTheWindow() throws IOException {
        String pictures = System.getProperty("sluice.pictures", "");
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
                        String name = each.getKey() + "-" + width + (dark ? "-dark" : "");
                        store(Path.of(pictures, name + ".png"), page.picture(0));
                    }
                    page.dark(false);
                }
            }
        }
    }
}
