package dev.sluice.server;

import dev.sluice.server.http.Json;
import dev.sluice.server.live.EventStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Generates random requests for all operations of an OpenAPI document. Most values have the documented type; the others
 * have another type or are extreme.
 */
final class RequestGenerator {

    private static final int DEPTH_MAX = 12;
    private static final List<String> TEXTS = List.of(
            "default",
            "default",
            "root",
            "root.default",
            "root.sandbox",
            "a",
            "a",
            "t",
            "n",
            "",
            ".",
            "..",
            "a/b",
            "%",
            "%00",
            "\u0000",
            "\u001b[2J",
            "\ud83d\ude00",
            "\ud800",
            "-1",
            "9223372036854775808",
            "1e400",
            "10m",
            "1Gi",
            "1h",
            "P1D",
            "null",
            "true",
            "2026-01-01T00:00:00Z",
            "{}",
            "[",
            "*",
            "x".repeat(300));
    private static final List<String> NUMBERS = List.of(
            "0", "1", "1", "2", "3", "10", "-1", "1.5", "2147483648", "9223372036854775807", "9223372036854775808");
    private static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    queues:
                      - {name: default}
                      - {name: sandbox, resources: {max: {vcore: 4}}}
            """;

    private final JsonMapper json = Json.mapper();
    private final JsonNode document;
    private final List<Operation> operations = new ArrayList<>();
    private final Random random;

    private record Operation(String method, String path, JsonNode node) {}

    /**
     * A request.
     *
     * @param operation the operation id
     * @param path the absolute path with the query
     * @param type the media type of the body, or empty
     * @param endless whether the response never ends
     */
    record Request(String operation, String method, String path, String body, String type, boolean endless) {}

    RequestGenerator(JsonNode document, Random random) {
        this.document = document;
        this.random = random;
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                operations.add(
                        new Operation(method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()));
            }
        }
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** Returns true with probability {@code 1 / times}. */
    private boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    Request next() {
        Operation operation = any(operations);
        String path = operation.path();
        StringBuilder query = new StringBuilder();
        for (JsonNode parameter : operation.node().path("parameters")) {
            String name = parameter.get("name").asString();
            if (parameter.get("in").asString().equals("path")) {
                String value = name.equals("partition") && !oneIn(10) ? "default" : text(parameter);
                path = path.replace("{" + name + "}", TestHttpClient.encoded(value.isEmpty() ? "a" : value));
            } else if (parameter.get("in").asString().equals("query") && oneIn(3)) {
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(TestHttpClient.encoded(text(parameter)));
            }
        }
        String body = "";
        String type = "";
        JsonNode content = operation.node().at("/requestBody/content");
        if (!content.isMissingNode() && !oneIn(20)) {
            type = any(List.copyOf(content.propertyNames()));
            JsonNode schema = content.get(type).path("schema");
            body = type.equals(TestHttpClient.JSON) && !schema.isMissingNode()
                    ? json.writeValueAsString(value(schema, 0))
                    : damaged(QUEUES);
        }
        JsonNode answer = operation.node().at("/responses/200/content");
        boolean endless = answer.has("text/event-stream") || answer.has(EventStreams.LINES);
        String method = operation.method().equals("GET") && oneIn(10) ? "HEAD" : operation.method();
        return new Request(operation.node().get("operationId").asString(), method, path + query, body, type, endless);
    }

    private String text(JsonNode parameter) {
        if (oneIn(4)) {
            return any(TEXTS);
        }
        JsonNode value = value(parameter.get("schema"), 0);
        return value.isString() ? value.asString() : value.toString();
    }

    private String damaged(String text) {
        StringBuilder damaged = new StringBuilder(text);
        for (int changes = random.nextInt(3); changes > 0; changes--) {
            damaged.setCharAt(random.nextInt(damaged.length()), (char) (' ' + random.nextInt(95)));
        }
        return damaged.toString();
    }

    private JsonNode value(JsonNode schema, int depth) {
        if (oneIn(25)) {
            return other();
        }
        @Nullable JsonNode choice = choice(schema);
        if (choice != null) {
            return depth > DEPTH_MAX ? json.nullNode() : value(choice, depth + 1);
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
        }
        JsonNode types = schema.path("type");
        String type = types.isArray() ? types.get(random.nextInt(types.size())).asString() : types.asString("");
        return switch (type) {
            case "object" -> object(schema, depth);
            case "array" -> array(schema, depth);
            case "integer", "number" -> json.readTree(any(NUMBERS));
            case "boolean" -> json.getNodeFactory().booleanNode(random.nextBoolean());
            case "null" -> json.nullNode();
            default -> json.getNodeFactory().stringNode(any(TEXTS));
        };
    }

    private @Nullable JsonNode choice(JsonNode schema) {
        if (schema.has("$ref")) {
            return document.at(schema.get("$ref").asString().substring(1));
        }
        for (String word : List.of("oneOf", "anyOf", "allOf")) {
            if (schema.has(word)) {
                return schema.get(word).get(random.nextInt(schema.get(word).size()));
            }
        }
        return null;
    }

    private ObjectNode object(JsonNode schema, int depth) {
        ObjectNode object = json.createObjectNode();
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asString()));
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            boolean wanted = required.contains(property.getKey()) ? !oneIn(20) : oneIn(depth < 3 ? 3 : 8);
            if (wanted && depth < DEPTH_MAX) {
                object.set(property.getKey(), value(property.getValue(), depth + 1));
            }
        }
        JsonNode others = schema.path("additionalProperties");
        if (others.isObject() && depth < DEPTH_MAX) {
            object.set(oneIn(2) ? "vcore" : any(TEXTS), value(others, depth + 1));
        }
        if (oneIn(20)) {
            object.put(any(TEXTS), 1);
        }
        return object;
    }

    private ArrayNode array(JsonNode schema, int depth) {
        ArrayNode array = json.createArrayNode();
        for (int length = random.nextInt(3); length > 0 && depth < DEPTH_MAX; length--) {
            array.add(value(schema.path("items"), depth + 1));
        }
        return array;
    }

    /** Returns a value of a random type. */
    private JsonNode other() {
        return switch (random.nextInt(5)) {
            case 0 -> json.nullNode();
            case 1 -> json.createArrayNode().add(json.createObjectNode());
            case 2 -> json.createObjectNode().put("a", any(TEXTS));
            case 3 -> json.readTree(any(NUMBERS));
            default -> json.getNodeFactory().stringNode(any(TEXTS));
        };
    }
}
