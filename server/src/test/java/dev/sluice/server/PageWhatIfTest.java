package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The editor of the configuration and the page that drains nodes: what would happen, before it does. */
@Tag("slow")
final class PageWhatIfTest extends PageFixture {

    private static final String EDITOR = "/ui/configuration";
    private static final String DRAIN = "/ui/partitions/default/drain";

    private @Nullable PageClient browser;

    @BeforeEach
    void open() {
        browser = browser();
    }

    private Reply get(String path) {
        return wellFormed(Objects.requireNonNull(browser).get(path));
    }

    private Reply post(String path, Map<String, String> fields) {
        return Objects.requireNonNull(browser).post(path, get(EDITOR), fields);
    }

    private String revision() {
        return ok(client.get("/configuration")).at("/revision");
    }

    /** Returns a configuration in which the queue sandbox may use this many GPUs. */
    private static String limited(int gpus) {
        return QUEUES.replace("- name: sandbox", "- {name: sandbox, resources: {max: {gpu: " + gpus + "}}}");
    }

    private void submitGpus(String application, int tasks) {
        String task = "{\"id\": \"t\", \"count\": " + tasks + ", \"resources\": {\"gpu\": \"1\"}}";
        expect(
                201,
                "",
                client.post(
                        APPLICATIONS,
                        "{\"id\": \"" + application + "\", \"queue\": \"root.sandbox\", \"tasks\": [" + task + "]}"));
    }

    private void awaitAllocated(String application, int tasks) {
        await().untilAsserted(() -> assertThat(
                        ok(client.get(APPLICATIONS + "/" + application)).at("/tasks/allocated"))
                .isEqualTo(Integer.toString(tasks)));
    }

    @Test
    void editor_showsCurrentAndPreviousConfiguration() {
        String before = revision();
        ok(client.send("PUT", "/configuration?note=%3Cb%3E", limited(1), TestHttpClient.YAML, "Sluice-User", "ada"));
        assertThat(get(EDITOR).text())
                .contains(
                        "name: sandbox",
                        "gpu: 1",
                        "revision " + revision(),
                        "&lt;b&gt;",
                        "hx-post=\"/ui/configuration/check\"")
                .doesNotContain("id=\"live\"", "sse.min.js");
        assertThat(get(EDITOR + "?revision=" + before).text())
                .contains("name: sandbox", "name=\"basis\" value=\"" + revision() + "\"")
                .doesNotContain("gpu: 1");
        assertThat(Objects.requireNonNull(browser)
                        .get(EDITOR + "?revision=4000")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void check_wrong_showsLineAndColumn() {
        String wrong = QUEUES.replace("\"60\"", "\"si<xty\"").replace("\n", "\r\n");
        Reply page = wellFormed(post(EDITOR + "/check", Map.of("text", wrong)));
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text())
                .contains("data-line=\"11\"", "line 11, column ", "si&lt;xty")
                .doesNotContain("It can be applied");
    }

    @Test
    void check_changed_showsChangesAndDifferences() {
        Reply page = wellFormed(post(EDITOR + "/check", Map.of("text", limited(2), "note", "two")));
        assertThat(page.text())
                .contains(
                        "It can be applied.", "queue root.sandbox changes", "<span class=\"added\">+", "value=\"two\"")
                .doesNotContain("What would happen");
        assertThat(wellFormed(post(EDITOR + "/check", Map.of("text", QUEUES))).text())
                .contains("It can be applied, and changes nothing.");
        assertThat(ok(client.get("/configuration")).text())
                .as("nothing is applied")
                .doesNotContain("gpu");
    }

    @Test
    void plan_higherMaximum_showsWhoStarts() {
        ok(client.send("PUT", "/configuration", limited(1), TestHttpClient.YAML));
        expect(201, "", client.post(NODES, "{\"name\": \"roomy\", \"capacity\": {\"gpu\": \"3\"}}"));
        submitGpus("asks", 3);
        awaitAllocated("asks", 1);
        assertThat(wellFormed(post(EDITOR + "/plan", Map.of("text", limited(1))))
                        .text())
                .contains("<dd>0 <small>0 as it is", "<code>quota</code>")
                .doesNotContain(">affected<");
        assertThat(wellFormed(post(EDITOR + "/plan", Map.of("text", QUEUES))).text())
                .contains("<dd>2 <small>0 as it is", ">affected<", "/applications/asks\"")
                .doesNotContain("<code>quota</code>");
        awaitAllocated("asks", 1);
    }

    @Test
    void apply_withCurrentBasis_isInEffect() {
        Reply applied = post(EDITOR + "/apply", Map.of("text", limited(4), "note", "four", "basis", revision()));
        assertThat(applied.status()).as(applied.text()).isEqualTo(303);
        assertThat(applied.header("Location")).isEqualTo(EDITOR + "?applied=" + revision());
        assertThat(get(applied.header("Location")).text())
                .contains("Revision " + revision() + " is in effect", "gpu: 4", "four");
    }

    @Test
    void apply_withOlderBasis_showsDifferencesFromTheCurrentOne() {
        String basis = revision();
        ok(client.send("PUT", "/configuration", limited(1), TestHttpClient.YAML, "Sluice-User", "ada"));
        Reply refused = post(EDITOR + "/apply", Map.of("text", limited(2), "basis", basis));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(wellFormed(refused).text())
                .contains("of ada is current", "<span class=\"removed\">-", "gpu: 2")
                .contains("name=\"basis\" value=\"" + revision() + "\"");
        assertThat(ok(client.get("/configuration")).at("/text")).contains("gpu: 1");
    }

    @Test
    void drain_planned_showsWhoWouldWait() {
        expect(201, "", client.post(NODES, "{\"name\": \"g1\", \"capacity\": {\"gpu\": \"1\"}}"));
        expect(201, "", client.post(NODES, "{\"name\": \"g2\", \"capacity\": {\"gpu\": \"1\"}}"));
        submitGpus("drained", 2);
        awaitAllocated("drained", 2);
        assertThat(get("/ui/partitions/default/nodes?q=g").text()).contains(DRAIN + "?q=g");
        assertThat(get(DRAIN + "?q=g").text()).contains("g1\ng2</textarea>", "2 tasks are allocated on 2 nodes");
        assertThat(get(DRAIN + "?node=g2").text()).contains("\ng2</textarea>", "1 task is allocated on 1 node");
        assertThat(wellFormed(post(DRAIN + "/plan", Map.of("nodes", "g1\r\n"))).text())
                .contains("<dd>1 <small>0 with them", ">affected<", "/applications/drained\"");
        assertThat(wellFormed(post(DRAIN + "/plan", Map.of("nodes", "g1\nno<ne")))
                        .text())
                .contains("Unknown nodes: no&lt;ne")
                .doesNotContain(">affected<");
        assertThat(ok(client.get(NODES + "/g1")).at("/tasks")).isEqualTo("1");
    }

    @Test
    void drain_severalNodes_areOffline() {
        expect(201, "", client.post(NODES, "{\"name\": \"o1\", \"capacity\": {\"gpu\": \"1\"}}"));
        expect(201, "", client.post(NODES, "{\"name\": \"o2\", \"capacity\": {\"gpu\": \"1\"}}"));
        assertThat(post(DRAIN, Map.of("nodes", "o1\nother")).status()).isEqualTo(422);
        assertThat(post(DRAIN, Map.of("nodes", " ")).status()).isEqualTo(422);
        assertThat(ok(client.get(NODES + "/o1")).at("/state")).isEqualTo("ready");
        Reply drained = post(DRAIN, Map.of("nodes", "o1\no2"));
        assertThat(drained.header("Location")).isEqualTo("/ui/partitions/default/nodes?state=offline");
        assertThat(ok(client.get(NODES + "/o1")).at("/state")).isEqualTo("offline");
        assertThat(ok(client.get(NODES + "/o2")).at("/state")).isEqualTo("offline");
    }
}
