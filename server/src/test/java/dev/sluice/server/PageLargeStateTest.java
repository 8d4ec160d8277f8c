package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.host.IncrementalQueryRunner;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of 10,000 queues, 100,000 applications and 500 nodes are bounded, and do not stop the scheduler. */
@Tag("slow")
final class PageLargeStateTest {

    private static final int PARENTS = 100;
    private static final int LEAVES = 99;
    private static final int APPLICATIONS = 100_000;
    private static final int NODES = 500;
    private static final int BATCH = 5_000;

    /** Largest page, in characters. */
    private static final int PAGE_MAX = 400_000;

    private static final String UI = "/ui/partitions/default";

    private static final List<String> PAGES = List.of(
            "/ui",
            "/ui/details",
            UI + "/queues",
            UI + "/queues?q=leaf7&sort=pending",
            UI + "/queues?toggle=root.parent5&from=200",
            UI + "/queues/root.parent5.leaf7",
            UI + "/queues/root",
            UI + "/applications",
            UI + "/applications?user=nobody-else",
            UI + "/applications?sort=tried&queue=root.parent5.leaf7",
            UI + "/applications?sort=newest",
            UI + "/applications/a99999",
            UI + "/usage?period=month",
            UI + "/drain",
            UI + "/nodes?from=400");

    private final List<Integer> pieces = new CopyOnWriteArrayList<>();

    private static String configuration() {
        StringBuilder queues = new StringBuilder("partitions: [{name: default, queues: [{name: root, queues: [\n");
        for (int i = 0; i < PARENTS; i++) {
            queues.append("  {name: parent").append(i).append(", queues: [");
            for (int j = 0; j < LEAVES; j++) {
                queues.append("{name: leaf").append(j).append("}, ");
            }
            queues.append("]},\n");
        }
        return queues.append("]}]}]\n").toString();
    }

    private static void fill(TestHttpClient client) {
        RoutesFixture.ok(client.send("PUT", "/configuration", configuration(), TestHttpClient.YAML));
        for (int i = 0; i < NODES; i++) {
            String node = "{\"name\": \"n" + i + "\", \"capacity\": {\"vcore\": \"1\"}}";
            RoutesFixture.expect(201, "", client.post("/partitions/default/nodes", node));
        }
        for (int i = 0; i < APPLICATIONS; i += BATCH) {
            StringBuilder batch = new StringBuilder("{\"applications\": [");
            for (int j = i; j < i + BATCH; j++) {
                batch.append(j == i ? "" : ", ")
                        .append("{\"id\": \"a")
                        .append(j)
                        .append("\", \"queue\": \"root.parent");
                batch.append(j % PARENTS).append(".leaf").append(j / PARENTS % LEAVES);
                batch.append("\", \"tasks\": [{\"id\": \"t\", \"nodeSelector\": {\"never\": \"here\"}}]}");
            }
            assertThat(client.post("/submissions", batch + "]}").at("/refused")).isEqualTo("0");
        }
    }

    @Test
    void page_onLargeState_isBounded(@TempDir Path folder) throws Exception {
        try (TestDaemon daemon = TestDaemon.withQueries(
                DaemonSettings.in(folder), loop -> new IncrementalQueryRunner(loop, System::nanoTime, pieces::add))) {
            fill(daemon.client());
            PageClient browser = new PageClient(daemon.port());
            for (String path : PAGES) {
                Reply reply = browser.get(path);
                assertThat(reply.status()).as(path + reply.text()).isEqualTo(200);
                assertThat(reply.text().length()).as("characters of " + path).isLessThan(PAGE_MAX);
                assertThat(HtmlCheck.problems(reply.text())).as(path).isEmpty();
            }
            String first = browser.get(UI + "/queues").text();
            assertThat(first).contains("1 to 101 of 101", ">parent99</a>").doesNotContain(">leaf7</a>");
            pieces.clear();
            for (int i = 0; i < 50; i++) {
                browser.get(UI + "/nodes");
            }
            assertThat(pieces.size())
                    .as("scans of the nodes for 50 pages are shared")
                    .isLessThan(50 * 4);
        }
    }
}
