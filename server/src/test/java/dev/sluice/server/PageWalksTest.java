package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What an operator and a planner do on the page, from the first click to the last. */
final class PageWalksTest extends BrowserFixture {

    private static final String NODES = "/partitions/default/nodes";

    private static void answered(Chromium.Tab page) {
        assertThat(page.complaints()).isEmpty();
        assertThat(page.axe()).isEmpty();
    }

    /** Follows the link with this text. */
    private static void follow(Chromium.Tab page, String text) {
        page.awaitText(text);
        page.evaluate("[...document.querySelectorAll('a')].find(a => a.innerText === '" + text
                + "').setAttribute('data-test', 'next')");
        page.click("a[data-test=next]");
        page.awaitTrue("document.querySelector('a[data-test=next]') === null && document.readyState === 'complete'");
    }

    @Test
    void operator_nodeLost_asksDrainsAndReinstates() {
        send(201, "POST", NODES, "{\"name\": \"spare\", \"capacity\": {\"vcore\": \"10m\"}}");
        submit("report", "sleep 600");
        submit("second", "sleep 600");
        Chromium.Tab page = signedIn();
        page.awaitText("all nodes are ready");

        send(200, "POST", NODES + "/spare/lost", "");
        follow(page, "Node spare is lost");
        page.awaitText("Node spare");
        follow(page, "All nodes");
        follow(page, "here");
        page.awaitText("report");
        page.awaitTrue("document.getElementById('f-second-t') !== null");
        assertThat(send(200, "GET", NODES + "/here/fits", "").text())
                .contains("\"application\":\"second\"", "\"fits\":1");
        follow(page, "What would happen without it?");
        page.awaitText("1 task is allocated on 1 node.");
        page.click("#b-plan");
        page.awaitText("What would happen");
        assertThat(page.evaluate("document.getElementById('result').innerText").asString())
                .contains("report");
        page.click("#b-drain");
        page.awaitText("offline");
        follow(page, "here");
        page.awaitText("Nothing starts on a node that is not ready.");
        assertThat(page.dialogs()).containsExactly("Drain these nodes?");

        page.click("#b-reinstate");
        page.awaitTrue("document.getElementById('f-second-t') !== null");
        answered(page);
    }

    @Test
    void planner_pastWork_isComparedAndApplied() {
        submit("past", "true");
        Chromium.Tab page = signedIn();
        page.open(address(UI + "/applications/past"));
        page.awaitText("Completed");

        follow(page, "Reports");
        page.type("#text", QUEUES.replace("10m", "20m"));
        page.click("#b-simulate");
        page.awaitText("ready");
        String report = page.evaluate("document.querySelector('table a').href").asString();
        Chromium.Tab result = browser.tab().open(report);
        result.awaitText("default, the last");
        assertThat(result.axe()).isEmpty();

        follow(page, "Configuration");
        page.type("#text", QUEUES.replace("10m", "20m"));
        page.awaitText("queue root.sandbox changes");
        page.click("#b-apply");
        page.awaitText("is in effect");
        follow(page, "Usage");
        page.awaitText("Usage by queue");
        page.awaitText("root.sandbox");
        answered(page);
    }

    @Test
    void hostileText_inPlansReportsAndUsage_runsNothing() {
        String hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>' onfocus='alert(3)' autofocus='";
        String task = "{\"id\": \"" + hostile + "\", \"resources\": {\"vcore\": \"10m\"}, \"command\": \"sleep ";
        String application = "{\"name\": \"" + hostile + "\", \"queue\": \"root.sandbox\", \"sealed\": true, ";
        send(201, "POST", "/partitions/default/applications", application + "\"tasks\": [" + task + "0\"}]}");
        send(
                201,
                "POST",
                "/partitions/default/applications",
                application + "\"id\": \"" + hostile + "\", \"tasks\": [" + task + "600\"}]}");
        send(201, "POST", NODES, "{\"name\": \"" + hostile + "\", \"capacity\": {\"vcore\": \"10m\"}}");
        Chromium.Tab page = signedIn();
        page.open(address(UI + "/finished"));
        page.awaitText("<script>alert(2)</script>");

        page.open(address("/ui/configuration"));
        page.type("#text", QUEUES.replace("10m", "30m").replace("sandbox", "\"<b onclick=alert(4)>\""));
        page.awaitText("<b onclick=alert(4)>");
        page.type("#text", QUEUES.replace("10m", "30m"));
        page.awaitText("queue root.sandbox changes");
        page.click("#b-plan");
        page.awaitText("What would happen");
        harmless(page, "plan of a configuration");

        page.open(address(UI + "/drain?node=here"));
        page.click("#b-plan");
        page.awaitText("<script>alert(2)</script>");
        harmless(page, "plan of a drain");

        for (String by : new String[] {"queue", "user", "application", "node"}) {
            page.open(address(UI + "/usage?by=" + by));
            page.awaitText("Usage by " + by);
            harmless(page, "usage by " + by);
        }

        page.open(address(UI + "/reports"));
        page.click("#b-simulate");
        page.awaitText("ready");
        page.open(page.evaluate("document.querySelector('table a').href").asString());
        page.awaitText("default, the last");
        assertThat(page.evaluate("document.querySelectorAll('img, [onfocus]').length")
                        .asInt())
                .isZero();
        assertThat(page.dialogs()).isEmpty();
    }

    private static void harmless(Chromium.Tab page, String what) {
        assertThat(page.evaluate("document.querySelectorAll('img, main script, [onfocus], [onclick]').length")
                        .asInt())
                .as(what)
                .isZero();
        assertThat(page.dialogs()).as(what).isEmpty();
        assertThat(page.complaints()).as(what).isEmpty();
    }
}
