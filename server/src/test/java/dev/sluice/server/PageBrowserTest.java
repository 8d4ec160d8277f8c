package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pages in a real browser, on a server that runs real processes and requires tokens. */
final class PageBrowserTest extends BrowserFixture {

    /** How long after a change open pages show it at the latest. */
    private static final Duration DELAY_MAX = Duration.ofSeconds(2);

    @Test
    void application_thatWaits_startsAfterTheQuotaIsRaisedAndIsCancelled() {
        Chromium.Tab page = signedIn();
        submit("first", "sleep 600");
        submit("second", "while :; do echo tick; sleep 0.05; done");
        page.open(address(UI + "/applications/second"));
        page.awaitText("queue root.sandbox is at its maximum");
        daemon.sampleWaits();
        Chromium.Tab task = browser.tab().open(address(UI + "/applications/second/tasks/t"));
        task.awaitText("has no log on this server");
        task.evaluate("window.same = true");

        Chromium.Tab editor = browser.tab().open(address("/ui/configuration"));
        editor.type("#text", QUEUES.replace("10m", "ten"));
        editor.awaitText("line 8, column");
        editor.type("#text", QUEUES.replace("10m", "20m"));
        editor.awaitText("queue root.sandbox changes");
        editor.click("#b-plan");
        editor.awaitText("What would happen");
        assertThat(editor.evaluate("document.querySelector('#result .tag.warn').closest('tr').innerText")
                        .asString())
                .startsWith("second");
        editor.click("#b-apply");
        editor.awaitText("is in effect");

        page.show().awaitText("Running");
        task.show().awaitTrue("document.querySelector('pre.log')?.innerText.split('tick').length > 50 && window.same");
        task.awaitTrue("document.querySelector('pre.log').scrollTop > 0");
        daemon.sampleWaits();
        page.open(address(UI + "/applications/second"));
        page.awaitTrue(
                "document.querySelector('#past tbody').innerText.includes('queue root.sandbox is at its maximum')");
        assertThat(page.evaluate("document.querySelector('.timeline title').textContent")
                        .asString())
                .matches("t waited: queue root.sandbox is at its maximum: .* UTC to .* UTC, .*");
        page.click("#b-cancel");
        page.awaitTrue("document.querySelector('.state').innerText === 'Failed'");
        assertThat(page.complaints()).isEmpty();
        assertThat(task.complaints()).isEmpty();
        assertThat(editor.complaints()).isEmpty();
    }

    @Test
    void page_open_showsChangesWithoutReload() {
        Chromium.Tab page = signedIn();
        page.open(address(UI + "/applications"));
        page.awaitText("No application matches");
        page.evaluate("window.asOf = document.querySelector('#live .asof').innerText; window.same = true");
        List<Duration> delays = new ArrayList<>();
        do { // the best of some tries, since other programs may use the machine
            String id = "new" + delays.size();
            long began = System.nanoTime();
            submit(id, "sleep 600");
            page.awaitTrue("document.getElementById('a-" + id + "') !== null && window.same");
            delays.add(Duration.ofNanos(System.nanoTime() - began));
        } while (Collections.min(delays).compareTo(DELAY_MAX) >= 0 && delays.size() < 5);
        page.awaitTrue("document.querySelector('#live .asof').innerText !== window.asOf && window.same");
        assertThat(Collections.min(delays)).as("delays: " + delays).isLessThan(DELAY_MAX);
        assertThat(page.complaints()).isEmpty();
    }

    /** Browsers open at most six connections to a server, and the event stream of a page is one. */
    @Test
    void pages_inManyTabs_openAndShowChangesWhenSeen() {
        Chromium.Tab first = signedIn();
        first.withoutPolling().open(address(UI + "/applications"));
        first.awaitText("No application matches");
        first.evaluate("window.same = true");
        for (int tab = 0; tab < 7; tab++) {
            browser.tab().show().open(address(UI + "/queues"));
        }
        assertThat(first.evaluate("document.hidden").asBoolean()).isTrue();
        submit("new", "sleep 600");
        first.show();
        first.awaitTrue("document.getElementById('a-new') !== null && window.same");
        submit("newer", "sleep 600");
        first.awaitTrue("document.getElementById('a-newer') !== null && window.same");
        assertThat(first.complaints()).isEmpty();
    }

    @Test
    void everyPage_hostileText_runsNothing() {
        String hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>' onfocus='alert(3)' autofocus='";
        String segment = TestHttpClient.encoded(hostile);
        Chromium.Tab page = signedIn();
        send(
                201,
                "POST",
                "/partitions/default/applications",
                "{\"id\": \"" + hostile + "\", \"name\": \"" + hostile
                        + "\", \"queue\": \"root.sandbox\", \"tags\": {\"" + hostile + "\": \"" + hostile
                        + "\"}, \"tasks\": [{\"id\": \"" + hostile
                        + "\", \"resources\": {\"vcore\": \"10m\"}, \"command\": \"echo \\\"" + hostile
                        + "\\\"; exit 1\"}, {\"id\": \"waits\", \"nodeSelector\": {\"" + hostile + "\": \"" + hostile
                        + "\"}}]}");
        send(
                201,
                "POST",
                "/partitions/default/nodes",
                "{\"name\": \"" + hostile + "\", \"capacity\": {\"vcore\": \"1m\"}, \"labels\": {\"" + hostile
                        + "\": \"" + hostile + "\"}}");
        page.open(address(UI + "/applications/" + segment));
        page.awaitText("failed");
        for (String path : List.of(
                "/ui",
                "/ui/details",
                UI + "/queues?q=" + segment,
                UI + "/queues/root.sandbox",
                UI + "/applications",
                UI + "/applications?user=" + segment,
                UI + "/applications/" + segment,
                UI + "/applications/" + segment + "/tasks/" + segment,
                UI + "/applications/" + segment + "/tasks/" + segment + "/search?find=" + segment,
                UI + "/applications/" + segment + "/tasks/waits",
                UI + "/finished?name=" + segment,
                UI + "/nodes",
                UI + "/nodes/" + segment,
                UI + "/drain?node=" + segment,
                UI + "/usage?by=application",
                UI + "/reports")) {
            page.open(address(path));
            page.awaitTrue("document.body.innerText.length > 100");
            assertThat(page.evaluate("document.querySelectorAll('img, main script, [onfocus]').length")
                            .asInt())
                    .as(path)
                    .isZero();
        }
        page.open(address(UI + "/applications/" + segment + "/tasks/" + segment));
        page.awaitText("<script>alert(2)</script>");
        assertThat(page.dialogs()).isEmpty();
        assertThat(page.complaints()).isEmpty();
    }

    @Test
    void server_restarted_asksToSignInAndShowsSamePage() throws Exception {
        Chromium.Tab page = signedIn();
        page.withoutPolling().open(address(UI + "/nodes?q=here"));
        restart(settings(), page);
        page.awaitTrue("location.pathname === '/ui/sign-in'");
        page.type("#token", token());
        page.click("form.signin button");
        page.awaitTrue("location.pathname + location.search === '" + UI + "/nodes?q=here'");
        page.awaitText("Nodes of partition default");
    }

    @Test
    void insecureServer_restarted_openPageGoesOn() throws Exception {
        daemon.close();
        DaemonSettings insecure = settingsWithoutSignIn();
        daemon = TestDaemon.start(insecure);
        Chromium.Tab page = browser.tab().withoutPolling().open(address(UI + "/applications"));
        page.awaitText("No application matches");
        page.evaluate("window.same = true");
        restart(insecure, page);
        page.awaitTrue("document.getElementById('offline').hidden");
        submit("later", "sleep 600");
        page.awaitTrue("document.getElementById('a-later') !== null && window.same");
    }

    /** Restarts the server on its port, when an open page has noticed that it is gone. */
    private void restart(DaemonSettings settings, Chromium.Tab page) throws Exception {
        int port = daemon.port();
        daemon.close();
        page.awaitText("The server does not answer.");
        daemon = TestDaemon.start(TestDaemon.onPort(settings, port));
    }

    @Test
    void everyPage_lightAndDark_isAccessibleAndQuiet() {
        Chromium.Tab page = browser.tab().open(address("/ui/sign-in"));
        assertThat(page.axe()).as("sign-in").isEmpty();
        page = signedIn();
        submit("ran", "echo one");
        submit("runs", "echo two; sleep 600");
        submit("waits", "sleep 600");
        page.open(address(UI + "/applications/runs"));
        page.awaitText("Running");
        for (boolean dark : List.of(false, true)) {
            page.dark(dark);
            for (String path : List.of(
                    "/ui",
                    UI + "/queues",
                    UI + "/queues/root.sandbox",
                    UI + "/applications?sort=newest",
                    UI + "/applications/waits",
                    UI + "/applications/runs",
                    UI + "/applications/runs/tasks/t",
                    UI + "/applications/runs/tasks/t/search?find=two",
                    UI + "/finished",
                    UI + "/nodes",
                    UI + "/nodes/here",
                    UI + "/drain?node=here",
                    UI + "/usage",
                    UI + "/reports",
                    "/ui/configuration",
                    "/ui/nowhere")) {
                page.open(address(path));
                assertThat(page.axe()).as(path + (dark ? " dark" : " light")).isEmpty();
            }
            page.open(address("/ui/configuration"));
            page.type("#text", QUEUES.replace("10m", "30m"));
            page.awaitText("queue root.sandbox changes");
            page.click("#b-plan");
            page.awaitText("What would happen");
            assertThat(page.axe()).as("plan " + dark).isEmpty();
        }
        assertThat(page.complaints())
                .filteredOn(complaint -> !complaint.contains("nowhere"))
                .isEmpty();
    }
}
