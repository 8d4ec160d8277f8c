package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages over a real state, as whoever may do everything sees them. */
final class PageTest extends PageFixture {

    private static final String UI = "/ui/partitions/default";

    /** A name that would run a script if it were not escaped. */
    private static final String HOSTILE = "<script>alert(1)</script>\"'onload=x &amp;";

    private static final Pattern LINK = Pattern.compile("href=\"(/ui[^\"#]*)");

    private @Nullable PageClient browser;

    @BeforeEach
    void open() {
        browser = browser();
    }

    private Reply page(String path) {
        Reply page = Objects.requireNonNull(browser).get(path);
        assertThat(page.status()).as(path + "\n" + page.text()).isEqualTo(200);
        assertThat(HtmlCheck.problems(page.text()))
                .as(path + "\n" + page.text())
                .isEmpty();
        return page;
    }

    private Reply form(String path, Reply page) {
        return Objects.requireNonNull(browser).post(path, page, Map.of());
    }

    private void submit(String application) {
        expect(201, "", client.post(APPLICATIONS, application));
    }

    private static boolean isFile(String path) {
        return path.contains("/assets/") || path.endsWith("/download") || path.contains("/usage/table");
    }

    /** Returns the pages that links lead to, from the overview on. */
    private Set<String> reachable() {
        Set<String> found = new LinkedHashSet<>(List.of("/ui"));
        List<String> next = new ArrayList<>(found);
        while (!next.isEmpty()) {
            String path = next.remove(0);
            Matcher link = LINK.matcher(isFile(path) ? "" : page(path).text());
            while (link.find()) {
                String target = link.group(1).replace("&amp;", "&");
                if (found.add(target)) {
                    next.add(target);
                }
            }
        }
        return found;
    }

    @Test
    void root_leadsToOverview() {
        Reply reply = Objects.requireNonNull(browser).get("/");
        assertThat(reply.status()).isEqualTo(303);
        assertThat(reply.header("Location")).isEqualTo("/ui");
    }

    @Test
    void everyPage_hostileNames_isWellFormedAndEscaped() {
        String hostile = HOSTILE.replace("\"", "\\\"");
        submit("{\"id\": \"" + hostile + "\", \"name\": \"" + hostile + "\", \"user\": \"" + hostile
                + "\", \"queue\": \"root.sandbox\", \"tags\": {\"" + hostile + "\": \"" + hostile
                + "\"}, \"tasks\": [{\"id\": \"" + hostile + "\", \"nodeSelector\": {\"" + hostile + "\": \"" + hostile
                + "\"}}]}");
        expect(
                201,
                "",
                client.post(
                        NODES,
                        "{\"name\": \"" + hostile + "\", \"capacity\": {\"vcore\": \"1\"}, \"labels\": {\"" + hostile
                                + "\": \"" + hostile + "\"}}"));
        submit(application("done", "echo '<i>&'; exit 3"));
        client.awaitState("done", "Failed");

        Set<String> pages = reachable();

        assertThat(pages)
                .hasSizeGreaterThan(15)
                .contains(UI + "/queues/root.sandbox", UI + "/applications", UI + "/finished", UI + "/nodes")
                .anyMatch(path -> path.startsWith(UI + "/applications/%3Cscript"))
                .anyMatch(path -> path.startsWith(UI + "/nodes/%3Cscript"));
        for (String path : pages) {
            if (!isFile(path)) {
                assertThat(page(path).text()).as(path).doesNotContain("<script>alert");
            }
        }
    }

    @Test
    void overview_lostNode_needsAttention() {
        await().untilAsserted(() -> assertThat(page("/ui").text()).contains("Nothing: all nodes are ready"));
        expect(201, "", client.post(NODES, "{\"name\": \"gone\", \"capacity\": {\"vcore\": \"1\"}}"));
        ok(client.post(NODES + "/gone/lost", ""));
        expect(201, "", client.post(NODES, "{\"name\": \"big\", \"capacity\": {\"memory\": \"3Gi\"}}"));
        await().untilAsserted(() -> {
            assertThat(page("/ui").text())
                    .contains("<a href=\"" + UI + "/nodes/gone\">Node gone is lost</a>")
                    .contains("3 GiB");
        });
    }

    @Test
    void queueTree_searchedSortedAndCollapsed_showsThatPart() {
        String all = page(UI + "/queues").text();
        assertThat(all).contains(">sandbox</a>", ">land</a>", "Collapse root.shared");
        assertThat(page(UI + "/queues?q=LAN").text())
                .contains(">land</a>", ">shared</a>")
                .doesNotContain(">lab</a>");
        assertThat(page(UI + "/queues?toggle=root.shared").text())
                .contains(">shared</a>", "Expand root.shared")
                .doesNotContain(">land</a>");
        assertThat(page(UI + "/queues?q=nowhere").text()).contains("No queue has this name");
        String sorted = page(UI + "/queues?sort=name").text();
        assertThat(sorted.indexOf(">diff</a>")).isLessThan(sorted.indexOf(">land</a>"));
    }

    @Test
    void queuePage_ofEachPolicy_saysWhatItGets() {
        submit(waiting("queued", 3));
        submit(waiting("urgent", 3).replace("\"nodeSelector", "\"priority\": 5, \"nodeSelector"));
        assertThat(page(UI + "/queues/root.sandbox").text())
                .contains("share policy fair", "Sort policy fifo", ">queued</a>", "in submission order")
                .containsPattern(
                        "(?s)order in which they will be tried.*>urgent</a>.*>queued</a>.*in submission order");
        assertThat(page(UI + "/queues/root.shared.land").text())
                .contains("load class of 60 %")
                .contains("entitles it to 2 of 4 workers");
        assertThat(page(UI + "/queues/root.lab.a").text()).contains("share policy usage", "usage priority");
        assertThat(page(UI + "/queues/root.shared").text()).contains("Child queues", ">diff</a>");
    }

    @Test
    void applicationPage_waiting_saysWhyAndIsCancelled() {
        submit(waiting("waits", 2));
        Reply page = page(UI + "/applications/waits");
        assertThat(page.text())
                .contains("Why does it wait?", "cannot start until nodes or configuration change", ">Hold<", ">Cancel<")
                .doesNotContain(">Retry<", ">Release<");

        Reply held = form(UI + "/applications/waits/hold", page);
        assertThat(held.status()).as(held.text()).isEqualTo(303);
        assertThat(held.header("Location")).isEqualTo(UI + "/applications/waits");
        assertThat(page(UI + "/applications/waits").text())
                .contains(">held<", ">Release<")
                .doesNotContain(">Hold<");

        form(UI + "/applications/waits/release", page);
        form(UI + "/applications/waits/cancel", page);
        assertThat(page(UI + "/applications/waits").text()).contains(">Retry<").doesNotContain(">Cancel<");
        assertThat(client.get(APPLICATIONS + "/waits").at("/state")).isEqualTo("Failed");
        form(UI + "/applications/waits/retry", page);
        assertThat(client.get(APPLICATIONS + "/waits").at("/state")).isEqualTo("Accepted");
    }

    @Test
    void form_withoutTokenOfPage_changesNothing() {
        submit(waiting("kept", 1));
        Reply refused = form(
                UI + "/applications/kept/cancel", new Reply(200, page("/ui").headers(), ""));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text()).contains("the form is out of date", "<h1>");
        Reply crossSite = Objects.requireNonNull(browser)
                .post(
                        UI + "/applications/kept/cancel",
                        page(UI + "/applications/kept"),
                        Map.of(),
                        "Origin",
                        "http://evil.example");
        assertThat(crossSite.status()).isEqualTo(403);
        assertThat(client.get(APPLICATIONS + "/kept").at("/state")).isEqualTo("Accepted");
    }

    @Test
    void applicationList_filtered_showsMatchesAndNextPage() {
        submit(waiting("first", 1));
        submit(waiting("second", 1).replace("root.sandbox", "root.lab.a"));
        assertThat(page(UI + "/applications?queue=root.lab").text())
                .contains(">second</a>")
                .doesNotContain(">first</a>");
        assertThat(page(UI + "/applications?user=nobody-else").text()).contains("No application matches");
        assertThat(page(UI + "/applications?sort=newest").text())
                .contains("Applications, newest first")
                .containsPattern("(?s)>second</a>.*>first</a>");
        Reply wrong = Objects.requireNonNull(browser).get(UI + "/applications?state=asleep");
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.text()).contains("asleep", "To the overview");
    }

    @Test
    void taskPage_ended_showsLogAndTimes() {
        submit(application("logged", "echo one; echo two"));
        client.awaitState("logged", "Completed");
        String task = page(UI + "/applications/logged/tasks/t").text();
        assertThat(task).contains("one\ntwo", "end of the log", "succeeded").doesNotContain("hx-trigger=\"load");
        assertThat(page(UI + "/applications/logged").text()).contains("<svg viewBox=\"0 0 1000 18\"", "Exit code");
        assertThat(page(UI + "/applications/logged").text())
                .contains("Allocated and used", "What the latest 1 ended runs used")
                .containsPattern("of 0.01 cores \\([<0-9 ]+%\\)");
        assertThat(task)
                .containsPattern("<dt>processor time</dt><dd>[0-9.]+ s</dd>")
                .containsPattern("<dt>cores used on average</dt><dd>[0-9.]+ of 0.01 cores");
        assertThat(page(UI + "/finished?queue=root.sandbox").text()).contains(">logged</a>");
    }

    @Test
    void finished_filteredByIdAndDate_showsMatching() {
        submit(application("early", "true"));
        client.awaitState("early", "Completed");
        submit(application("late", "true"));
        client.awaitState("late", "Completed");
        String today = LocalDate.now(ZoneOffset.UTC).toString();
        assertThat(page(UI + "/finished?id=early&from=" + today).text())
                .contains(">early</a>", "value=\"" + today + "\"")
                .doesNotContain(">late</a>");
        assertThat(page(UI + "/finished?to=2026-01-01").text()).contains("No finished application matches");
        String before = client.get("/history/applications?id=late").at("/items/0/sequence");
        assertThat(page(UI + "/finished?before=" + before).text())
                .contains(">early</a>", ">Newest</a>")
                .doesNotContain(">late</a>");
        String first = client.get("/history/applications?id=early").at("/items/0/sequence");
        assertThat(page(UI + "/finished?sort=-submitted&before=" + first).text())
                .contains(
                        ">late</a>",
                        ">First</a>",
                        "Finished applications, first submitted first",
                        "<option value=\"-submitted\" selected>")
                .doesNotContain(">early</a>");
    }

    @Test
    void log_searched_showsLinesWithPositions() {
        submit(application("found", "echo one; echo TWO '<b>' two; echo three; printf 'no two at the end'"));
        client.awaitState("found", "Completed");
        String task = UI + "/applications/found/tasks/t";
        assertThat(page(task).text()).contains("action=\"" + task + "/search\"", "href=\"" + task + "/download\"");
        assertThat(page(task + "/search?find=two").text())
                .contains("2 lines contain it", "TWO &lt;b&gt; two", "no two at the end")
                .contains("href=\"" + task + "?offset=4\"", "href=\"" + task + "?offset=22\"")
                .doesNotContain("<code>three", "Search on");
        assertThat(page(task + "/search?find=" + "%3Cscript%3E").text()).contains("No line contains it.");
        assertThat(page(task + "?offset=22").text()).contains(">no two at the end");
    }

    @Test
    void log_withManyMatches_isSearchedInParts() {
        submit(application("many", "for i in $(seq 250); do echo line $i; done"));
        client.awaitState("many", "Completed");
        String first = page(UI + "/applications/many/tasks/t/search?find=line").text();
        assertThat(first).contains("200 lines contain it", "line 200<").doesNotContain("line 201<");
        Matcher next = Pattern.compile("rel=\"next\" href=\"([^\"]+)\"").matcher(first);
        assertThat(next.find()).isTrue();
        assertThat(page(next.group(1).replace("&amp;", "&")).text())
                .contains("50 lines contain it", "line 201<", "line 250<");
    }

    @Test
    void log_downloaded_isWholeText() {
        submit(application("large", "for i in $(seq 60000); do echo 'línea <'$i; done"));
        client.awaitState("large", "Completed");
        Reply file = Objects.requireNonNull(browser).get(UI + "/applications/large/tasks/t/download");
        assertThat(file.status()).isEqualTo(200);
        assertThat(file.type()).isEqualTo("text/plain; charset=utf-8");
        assertThat(file.header("Content-Disposition")).isEqualTo("attachment; filename=\"large-t.log\"");
        assertThat(file.text())
                .startsWith("línea <1\n")
                .endsWith("línea <60000\n")
                .hasLineCount(60_000);
        submit(waiting("nolog", 1));
        assertThat(Objects.requireNonNull(browser)
                        .get(UI + "/applications/nolog/tasks/t/download")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void taskPage_running_followsLog() {
        submit(application("runs", "echo one; sleep 60"));
        client.awaitState("runs", "Running");
        await().untilAsserted(
                        () -> assertThat(page(UI + "/applications/runs/tasks/t").text())
                                .contains("hx-get=\"" + UI + "/applications/runs/tasks/t/log?offset=4\""));
        Reply rest = Objects.requireNonNull(browser).get(UI + "/applications/runs/tasks/t/log?offset=2");
        assertThat(rest.text()).startsWith("e\n").contains("log?offset=4");
    }

    @Test
    void nodePage_drained_isOfflineUntilReinstated() {
        submit(application("here", "sleep 60"));
        client.awaitState("here", "Running");
        Reply page = page(UI + "/nodes/here");
        assertThat(page.text())
                .contains("Tasks on the node", ">Drain<", ">Free<", "/applications/here\"")
                .doesNotContain(">Waiting<");
        form(UI + "/nodes/here/offline", page);
        assertThat(page(UI + "/nodes/here").text()).contains("An operator took it offline", ">Reinstate<");
        form(UI + "/nodes/here/reinstate", page);
        assertThat(client.get(NODES + "/here").at("/state")).isEqualTo("ready");
    }

    @Test
    void nodeList_filtered_showsHeatMapOfResource() {
        await().untilAsserted(
                        () -> assertThat(page(UI + "/nodes?resource=slots").text())
                                .containsPattern("here: \\d of 4 slots")
                                .contains("Heat map of 1 nodes"));
        assertThat(page(UI + "/nodes?state=lost").text()).contains("No node matches");
    }

    @Test
    void unknown_isNotFoundAsPage() {
        for (String path : List.of(
                "/ui/nowhere",
                "/ui/nowhere/at/all",
                UI + "/applications/x/tasks/t/nowhere",
                UI + "/queues/root.no",
                "/ui/partitions/no/nodes",
                "/ui/assets/x")) {
            Reply reply = Objects.requireNonNull(browser).get(path);
            assertThat(reply.status()).as(path).isEqualTo(404);
            assertThat(reply.text()).as(path).contains("not found", "To the overview");
        }
    }

    @Test
    void assets_versioned_areKept() {
        Matcher style = Pattern.compile("/ui/assets/page\\.css\\?v=[0-9a-f]+")
                .matcher(page("/ui").text());
        assertThat(style.find()).isTrue();
        Reply kept = Objects.requireNonNull(browser).get(style.group());
        assertThat(kept.header("Cache-Control")).contains("immutable");
        assertThat(kept.header("Content-Type")).startsWith("text/css");
        assertThat(Objects.requireNonNull(browser)
                        .get("/ui/assets/page.css?v=0")
                        .header("Cache-Control"))
                .isEqualTo("no-cache");
    }

    @Test
    void changes_afterSubmission_areAnnounced() throws Exception {
        long last = ok(client.get("/health")).json().get("sequence").asLong();
        String request = "GET /ui/changes?after=" + last
                + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n";
        try (RawClient stream = new RawClient(port()).write(request)) {
            stream.readUntil(": still here");
            submit(waiting("announced", 1));
            stream.readUntil("event: change");
        }
    }
}
