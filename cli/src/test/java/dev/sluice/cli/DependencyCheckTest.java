package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The bill of materials, and {@code packaging/check-dependencies} with a database of vulnerabilities in the test. */
@ProgramTest
@Tag("slow")
final class DependencyCheckTest {

    private static final JsonMapper JSON = new JsonMapper();

    private final List<String> asked = new ArrayList<>();

    @TempDir
    private Path folder;

    /** Knows a vulnerability of the web server, on a second page. */
    private HttpServer database() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/querybatch", exchange -> {
            ObjectNode answer = JSON.createObjectNode();
            ArrayNode results = answer.putArray("results");
            for (JsonNode query :
                    JSON.readTree(exchange.getRequestBody().readAllBytes()).get("queries")) {
                String purl = query.at("/package/purl").asString();
                ObjectNode result = results.addObject();
                boolean vulnerable = purl.contains("/jetty-server@");
                if (query.has("page_token")) {
                    result.putArray("vulns").addObject().put("id", "TEST-1");
                } else {
                    asked.add(purl);
                    if (vulnerable) {
                        result.put("next_page_token", "2");
                    }
                }
            }
            byte[] body = JSON.writeValueAsBytes(answer);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private String check(int port, String accepted, int exitCode) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Program.REPOSITORY.resolve("packaging/check-dependencies").toString());
        builder.environment().put("SLUICE_OSV_URL", "http://127.0.0.1:" + port);
        builder.environment()
                .put(
                        "SLUICE_ACCEPTED",
                        Files.writeString(folder.resolve("accepted"), accepted).toString());
        Process process = builder.redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(printed).isEqualTo(exitCode);
        return printed;
    }

    @Test
    void vulnerability_known_failsCheckUnlessAccepted() throws Exception {
        HttpServer database = database();
        int port = database.getAddress().getPort();
        try {
            assertThat(check(port, "# none\n", 1)).contains("/jetty-server@").contains(": TEST-1, see");
            assertThat(asked)
                    .as("what sluice.jar contains, and nothing else")
                    .anyMatch(purl -> purl.matches("pkg:maven/org.xerial/sqlite-jdbc@[0-9.]+"))
                    .anyMatch(purl -> purl.startsWith("pkg:maven/tools.jackson.core/jackson-databind@"))
                    .noneMatch(purl -> purl.matches(".*(junit|assertj|archunit|dev\\.sluice|error_?prone).*"));
            assertThat(check(port, "TEST-1 only with servlets\nTEST-2 old\n", 0))
                    .contains("accepted vulnerability TEST-2 is not reported")
                    .contains("known vulnerabilities: 0 in ");
            assertThat(check(port, "TEST-1\n", 2)).contains("TEST-1 has no reason");
        } finally {
            database.stop(0);
        }
    }

    @Test
    void database_unreachable_skipsCheckWithReason() throws Exception {
        assertThat(check(9, "", 0)).startsWith("skipped: cannot reach http://127.0.0.1:9: ");
    }
}
