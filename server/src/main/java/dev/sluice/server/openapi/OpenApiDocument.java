package dev.sluice.server.openapi;

import dev.sluice.config.reference.FileFormat;
import dev.sluice.config.reference.JsonSchema;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Ownership;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemDetails;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Describes routes as an OpenAPI 3.1 document. Schemas of submissions come from the keys that read them, all others
 * from records.
 */
public final class OpenApiDocument {

    /** Problem types of every route. */
    private static final List<ProblemKind> OF_ALL = List.of(
            ProblemKind.MALFORMED,
            ProblemKind.UNAUTHENTICATED,
            ProblemKind.FORBIDDEN,
            ProblemKind.CROSS_SITE,
            ProblemKind.EXPECTATION,
            ProblemKind.BUSY,
            ProblemKind.INTERNAL,
            ProblemKind.UNAVAILABLE);

    /** Problem types of every route with a body. */
    private static final List<ProblemKind> OF_BODIES = List.of(ProblemKind.TOO_LARGE, ProblemKind.MEDIA_TYPE);

    /** The header that every route accepts. */
    private static final Parameter ACTOR = new Parameter(
            Call.ACTOR_HEADER,
            Parameter.Location.HEADER,
            Parameter.Type.TEXT,
            "User on whose behalf the request is made, recorded in the journal; not verified. At most 256 characters.");

    private final JsonMapper json;
    private final Schemas schemas = new Schemas();
    private final Map<FileFormat, ObjectNode> documents = new LinkedHashMap<>();
    private final ObjectNode document;

    private OpenApiDocument(JsonMapper json) {
        this.json = json;
        this.document = json.createObjectNode();
    }

    /** Returns the OpenAPI document of these routes. */
    public static ObjectNode of(List<Route> routes, String version, JsonMapper json) {
        OpenApiDocument result = new OpenApiDocument(json);
        result.write(routes, version);
        return result.document;
    }

    private void write(List<Route> routes, String version) {
        document.put("openapi", "3.1.0");
        ObjectNode info = document.putObject("info");
        info.put("title", "Sluice");
        info.put("version", version);
        info.put(
                "description",
                "A multi-tenant batch scheduler. Amounts are in base units: vcore in thousandths, memory in bytes."
                        + " Timestamps are in RFC 3339 format. Null fields are omitted.");
        document.putArray("servers").addObject().put("url", "http://127.0.0.1:7450");
        Set<String> topics = new LinkedHashSet<>();
        Map<String, ObjectNode> paths = new LinkedHashMap<>();
        for (Route route : routes) {
            topics.add(route.topic());
            paths.computeIfAbsent(route.path(), path -> json.createObjectNode())
                    .set(route.verb().name().toLowerCase(Locale.ROOT), operation(route));
        }
        ArrayNode tags = document.putArray("tags");
        topics.forEach(topic -> tags.addObject().put("name", topic));
        ObjectNode all = document.putObject("paths");
        paths.forEach(all::set);
        schemas.reference(ProblemDetails.class);
        ObjectNode definitions = schemas.all();
        documents.values().forEach(definitions::setAll);
        ObjectNode components = document.putObject("components");
        components.set("schemas", definitions);
        components
                .putObject("securitySchemes")
                .putObject("token")
                .put("type", "http")
                .put("scheme", "bearer")
                .put("description", "An access token of the server, or a token of its OpenID Connect issuer.");
        ArrayNode security = document.putArray("security");
        security.addObject().putArray("token");
        security.addObject();
        ObjectNode roles = document.putObject("x-sluice-roles");
        for (Role role : Role.values()) {
            roles.put(role.wireName(), role.meaning());
        }
        ObjectNode ownerships = document.putObject("x-sluice-ownerships");
        for (Ownership ownership : Ownership.values()) {
            ownerships.put(ownership.wireName(), ownership.meaning());
        }
    }

    private ObjectNode operation(Route route) {
        ObjectNode operation = json.createObjectNode();
        operation.put("operationId", route.name());
        operation.putArray("tags").add(route.topic());
        operation.put("summary", route.summary());
        operation.put("x-sluice-role", route.role().wireName());
        operation.put("x-sluice-ownership", route.ownership().wireName());
        operation.put("x-sluice-submits", route.submits());
        ArrayNode parameters = operation.putArray("parameters");
        route.parameters().forEach(parameter -> parameter(parameters.addObject(), parameter));
        parameter(parameters.addObject(), ACTOR);
        Route.Content requestBody = route.body();
        if (requestBody != null) {
            ObjectNode body = operation.putObject("requestBody");
            body.put("description", requestBody.description());
            content(body.putObject("content"), requestBody);
        }
        ObjectNode responses = operation.putObject("responses");
        for (Route.DocumentedResponse outcome : route.responses()) {
            ObjectNode response = responses.putObject(Integer.toString(outcome.status()));
            response.put("description", outcome.description());
            Route.Content content = outcome.content();
            if (content != null) {
                content(response.putObject("content"), content);
            }
        }
        problems(route, responses);
        return operation;
    }

    private static void parameter(ObjectNode each, Parameter parameter) {
        each.put("name", parameter.name());
        each.put("in", parameter.location().wireName());
        each.put("required", parameter.location() == Parameter.Location.PATH);
        each.put("description", parameter.description());
        each.putObject("schema").put("type", parameter.type().wireName());
    }

    private void content(ObjectNode place, Route.Content content) {
        Class<?> type = content.type();
        for (String mediaType : content.mediaTypes()) {
            ObjectNode schema;
            if (content.format() != null) {
                schema = reference(content.format());
            } else if (type == null) {
                schema = json.createObjectNode();
                if (!mediaType.contains("json") && !mediaType.contains("yaml")) {
                    schema.put("type", "string");
                }
            } else if (content.list()) {
                schema = json.createObjectNode().put("type", "array");
                schema.set("items", schemas.reference(type));
            } else {
                schema = schemas.reference(type);
            }
            place.putObject(mediaType).set("schema", schema);
        }
    }

    /** Returns a schema that references the definition of the only section at the top of a document. */
    private ObjectNode reference(FileFormat format) {
        documents.computeIfAbsent(format, each -> (ObjectNode) json.readTree(JsonSchema.components(each)));
        String name = JsonSchema.componentName(format.roots().get(0).section());
        return json.createObjectNode().put("$ref", "#/components/schemas/" + name);
    }

    private void problems(Route route, ObjectNode responses) {
        Map<Integer, Set<String>> byStatus = new TreeMap<>();
        List<ProblemKind> kinds = new ArrayList<>(route.problems());
        kinds.addAll(OF_ALL);
        if (route.body() != null) {
            kinds.addAll(OF_BODIES);
        }
        if (route.parameters().stream().anyMatch(parameter -> parameter.location() == Parameter.Location.QUERY)) {
            kinds.add(ProblemKind.INVALID);
        }
        for (ProblemKind kind : kinds) {
            byStatus.computeIfAbsent(kind.status(), status -> new TreeSet<>()).add(kind.wireName());
        }
        byStatus.forEach((status, words) -> {
            if (responses.has(Integer.toString(status))) {
                return;
            }
            ObjectNode response = responses.putObject(Integer.toString(status));
            words.forEach(response.putArray("x-problems")::add);
            response.put("description", "Problem of type " + String.join(" or ", words) + ".");
            response.putObject("content")
                    .putObject(HttpServer.PROBLEM_TYPE)
                    .set("schema", schemas.reference(ProblemDetails.class));
        });
    }
}
