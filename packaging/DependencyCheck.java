import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Looks up the components of a bill of materials in a database of known vulnerabilities. */
final class DependencyCheck {

    private static final int VULNERABLE = 1;
    private static final int FAILED = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String OWN = "pkg:maven/dev.sluice/";

    private static final JsonMapper JSON = new JsonMapper();

    private DependencyCheck() {}

    /** Arguments: address of the database, file with the bill of materials, file of accepted vulnerabilities. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> components = components(Path.of(arguments[1]));
        if (components.isEmpty()) {
            System.err.println("no components in " + arguments[1]);
            System.exit(FAILED);
        }
        Map<String, List<String>> found;
        try {
            found = vulnerabilities(URI.create(arguments[0] + "/v1/querybatch"), components);
        } catch (IOException unreachable) {
            String reason = unreachable.getMessage();
            System.err.println("skipped: cannot reach " + arguments[0] + ": " + (reason == null ? "no connection" : reason));
            return;
        }
        Set<String> accepted = accepted(Path.of(arguments[2]));
        Set<String> unused = new LinkedHashSet<>(accepted);
        int reported = 0;
        for (Map.Entry<String, List<String>> each : found.entrySet()) {
            for (String id : each.getValue()) {
                unused.remove(id);
                if (!accepted.contains(id)) {
                    System.err.println(each.getKey() + ": " + id + ", see https://osv.dev/" + id);
                    reported++;
                }
            }
        }
        for (String id : unused) {
            System.err.println("warning: accepted vulnerability " + id + " is not reported: remove it from "
                    + arguments[2]);
        }
        System.err.println("known vulnerabilities: " + reported + " in " + components.size() + " components");
        System.exit(reported == 0 ? 0 : VULNERABLE);
    }

    /** Returns the package URLs of what others made, without qualifiers. */
    private static List<String> components(Path bom) throws IOException {
        List<String> purls = new ArrayList<>();
        for (JsonNode component : JSON.readTree(Files.readAllBytes(bom)).path("components")) {
            String purl = component.path("purl").asString("").replaceFirst("\\?.*", "");
            if (!purl.isEmpty() && !purl.startsWith(OWN)) {
                purls.add(purl);
            }
        }
        return purls;
    }

    /** Returns the ids of vulnerabilities by component. */
    private static Map<String, List<String>> vulnerabilities(URI address, List<String> components)
            throws IOException, InterruptedException {
        HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
        Map<String, List<String>> found = new LinkedHashMap<>();
        Map<String, String> pages = new LinkedHashMap<>();
        components.forEach(component -> pages.put(component, ""));
        while (!pages.isEmpty()) {
            ObjectNode question = JSON.createObjectNode();
            ArrayNode queries = question.putArray("queries");
            pages.forEach((component, page) -> {
                ObjectNode query = queries.addObject();
                query.putObject("package").put("purl", component);
                if (!page.isEmpty()) {
                    query.put("page_token", page);
                }
            });
            HttpResponse<byte[]> response = http.send(
                    HttpRequest.newBuilder(address)
                            .timeout(TIMEOUT)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(question)))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            JsonNode results = response.statusCode() == 200
                    ? JSON.readTree(response.body()).path("results")
                    : JSON.createArrayNode();
            if (results.size() != pages.size()) {
                System.err.println(address + " answered " + response.statusCode() + " with " + results.size()
                        + " results to " + pages.size() + " queries");
                System.exit(FAILED);
            }
            int index = 0;
            for (String component : List.copyOf(pages.keySet())) {
                JsonNode result = results.get(index++);
                for (JsonNode vulnerability : result.path("vulns")) {
                    found.computeIfAbsent(component, key -> new ArrayList<>())
                            .add(vulnerability.path("id").asString());
                }
                String next = result.path("next_page_token").asString("");
                if (next.isEmpty()) {
                    pages.remove(component);
                } else {
                    pages.put(component, next);
                }
            }
        }
        return found;
    }

    private static Set<String> accepted(Path file) throws IOException {
        Set<String> ids = new LinkedHashSet<>();
        for (String line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.strip().split("\\s+", 2);
            if (parts.length < 2) {
                System.err.println(file + ": " + parts[0] + " has no reason");
                System.exit(FAILED);
            }
            ids.add(parts[0]);
        }
        return ids;
    }
}
