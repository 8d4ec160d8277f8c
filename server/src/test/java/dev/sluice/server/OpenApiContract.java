package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.sluice.server.http.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks every exchange of a test against the server's OpenAPI document, and records which operations, responses and
 * problems occurred.
 */
final class OpenApiContract {

    /** Problem types that any route may answer with. */
    private static final Set<String> ALWAYS = Set.of(
            "forbidden",
            "unauthenticated",
            "malformed",
            "cross-site",
            "expectation",
            "busy",
            "internal",
            "unavailable");

    private final JsonMapper json = Json.mapper();
    private final JsonNode document;
    private final List<ApiOperation> operations = new ArrayList<>();
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();
    private final Set<String> seen = new ConcurrentSkipListSet<>();

    private record ApiOperation(String method, String path, Pattern pattern, JsonNode node) {
        String id() {
            return node.get("operationId").asString();
        }
    }

    OpenApiContract(String text) {
        this.document = json.readTree(text);
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            String pattern = path.getKey().replaceAll("\\{[a-z]+}", "[^/]+");
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                operations.add(new ApiOperation(
                        method.getKey().toUpperCase(Locale.ROOT),
                        path.getKey(),
                        Pattern.compile(pattern),
                        method.getValue()));
            }
        }
    }

    JsonNode document() {
        return document;
    }

    /** Fails if the exchange does not match the OpenAPI document. */
    void check(String method, String rawPath, String sent, String sentType, Reply reply) {
        String wanted = method.equals("HEAD") ? "GET" : method;
        ApiOperation operation = find(wanted, rawPath);
        if (operation == null) {
            assertThat(reply.status())
                    .as("%s %s is not documented", method, rawPath)
                    .isIn(method.equals("OPTIONS") ? 204 : 405, 404, 400, 403);
            if (reply.status() >= 400 && !method.equals("HEAD")) {
                validate("#/components/schemas/ProblemDetails", reply.text(), method + " " + rawPath);
            }
            return;
        }
        String what = method + " " + rawPath + " (" + operation.id() + ") answered " + reply.status();
        JsonNode response = operation.node().get("responses").get(Integer.toString(reply.status()));
        assertThat(response)
                .as("%s, which is not documented: %s", what, reply.text())
                .isNotNull();
        seen.add(operation.id() + " " + reply.status());
        JsonNode content = response.get("content");
        if (method.equals("HEAD")) {
            assertThat(reply.text()).as(what).isEmpty();
            return;
        }
        if (content == null) {
            assertThat(reply.text()).as(what).isEmpty();
            return;
        }
        JsonNode media = content.get(reply.type());
        assertThat(media)
                .as("%s with %s, which is not documented", what, reply.type())
                .isNotNull();
        if (reply.type().contains("json")) {
            JsonNode answer = json.readTree(reply.text());
            validate(media.get("schema"), answer, what);
            if (reply.status() >= 400 && answer.has("type")) {
                assertThat(answer.get("status").asInt()).isEqualTo(reply.status());
                String word = answer.get("type").asString().replace("urn:sluice:problem:", "");
                seen.add(operation.id() + " " + word);
                List<String> words = new ArrayList<>();
                response.get("x-problems").forEach(each -> words.add(each.asString()));
                assertThat(words)
                        .as("%s with an undocumented problem: %s", what, reply.text())
                        .contains(word);
            }
        }
        if (reply.status() < 300 && sentType.equals("application/json") && !sent.isBlank()) {
            JsonNode schema = operation.node().at("/requestBody/content/application~1json/schema");
            validate(schema, json.readTree(sent), what + " although the request is not documented");
        }
    }

    private @Nullable ApiOperation find(String method, String rawPath) {
        ApiOperation best = null;
        for (ApiOperation operation : operations) {
            if (operation.method().equals(method)
                    && operation.pattern().matcher(rawPath).matches()
                    && (best == null || parameters(operation) < parameters(best))) {
                best = operation;
            }
        }
        return best;
    }

    private static long parameters(ApiOperation operation) {
        return operation.path().chars().filter(c -> c == '{').count();
    }

    private void validate(String reference, String text, String what) {
        validate(json.createObjectNode().put("$ref", reference), json.readTree(text), what);
    }

    private void validate(JsonNode schema, JsonNode value, String what) {
        Schema compiled = schemas.computeIfAbsent(schema.toString(), text -> {
            ObjectNode whole = (ObjectNode) schema.deepCopy();
            whole.set("components", document.get("components"));
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(whole);
        });
        List<Error> errors = compiled.validate(value);
        assertThat(errors).as("%s: %s", what, value).isEmpty();
    }

    /** Returns operations and success responses that no exchange had. */
    Set<String> unseen() {
        Set<String> unseen = new TreeSet<>();
        for (ApiOperation operation : operations) {
            for (String status : operation.node().get("responses").propertyNames()) {
                if (status.startsWith("2")) {
                    unseen.add(operation.id() + " " + status);
                }
            }
        }
        unseen.removeAll(seen);
        return unseen;
    }

    /** Returns documented problems that no exchange had, except those of every operation. */
    Set<String> unseenProblems() {
        Set<String> unseen = new TreeSet<>();
        for (ApiOperation operation : operations) {
            for (JsonNode response : operation.node().get("responses")) {
                if (response.has("x-problems")) {
                    response.get("x-problems").forEach(word -> {
                        if (!ALWAYS.contains(word.asString())) {
                            unseen.add(operation.id() + " " + word.asString());
                        }
                    });
                }
            }
        }
        unseen.removeAll(seen);
        return unseen;
    }

    /** Returns the operations as method and path. */
    List<String> operations() {
        return operations.stream()
                .map(operation -> operation.method() + " " + operation.path())
                .toList();
    }

    /** Returns whether the operation has a request body. */
    boolean takesBody(String methodAndPath) {
        return operations.stream()
                .anyMatch(operation -> (operation.method() + " " + operation.path()).equals(methodAndPath)
                        && operation.node().has("requestBody"));
    }
}
