package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.config.notification.NotificationReader;
import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.NodeState;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.view.Reasons;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Compares the generated tables of {@code docs/reference} with the code: routes and documents with the OpenAPI
 * document, problem types with {@link ProblemKind}, wait reasons with {@link WaitReason}, metrics with what a running server exposes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ServerReferenceTest {

    private TestDaemon daemon;
    private JsonNode document;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.start(TestDaemon.settings(folder)
                .withNotifications(NotificationReader.read("n", "targets: [{name: hook, command: 'true'}]")
                        .value()));
        document = daemon.client().contract().document();
    }

    @AfterAll
    void end() {
        daemon.close();
    }

    @Test
    void errors_reference_matchesProblemKinds() throws Exception {
        Table table = new Table("Type", "Status", "Title", "Meaning", "What to do");
        Arrays.stream(ProblemKind.values())
                .sorted(Comparator.comparingInt(ProblemKind::status).thenComparing(ProblemKind::wireName))
                .forEach(kind -> table.row(
                        code(kind.type()),
                        Integer.toString(kind.status()),
                        kind.title(),
                        kind.meaning(),
                        kind.remedy()));
        GeneratedSections.check("errors.md", Map.of("problems", table.toString()));
    }

    private record DocumentedReason(WaitReason example, String meaning, String remedy) {}

    private static final List<DocumentedReason> REASONS = List.of(
            new DocumentedReason(
                    new WaitReason.AfterTask("t", TaskCondition.SUCCEEDED),
                    "The task depends on another task that has not started or succeeded yet.",
                    "Wait; ask for the reason of the other task."),
            new DocumentedReason(
                    new WaitReason.AfterApplication("a", ApplicationCondition.ENDED),
                    "The application starts after another one has ended.",
                    "Wait, or cancel the other application."),
            new DocumentedReason(
                    new WaitReason.ApplicationLimit("root", 1),
                    "A queue runs its maximum number of applications.",
                    "Wait, or raise `maxapplications` of the queue."),
            new DocumentedReason(
                    new WaitReason.BehindStarting("a"),
                    "The queue is sorted `stateaware` and starts one application at a time; another one is first.",
                    "Wait until the other application has started, or cancel it."),
            new DocumentedReason(
                    new WaitReason.ClassNotServed("root"),
                    "The queue or an ancestor is a load class at 0 %.",
                    "Raise its `load.percent`."),
            new DocumentedReason(
                    new WaitReason.GangIncomplete(5, 8, null),
                    "The tasks of a gang start together, and not all of them fit at once; the detail counts those that do.",
                    "Wait, or ask for fewer tasks in `gang`."),
            new DocumentedReason(
                    new WaitReason.GangRestarting(2),
                    "A task of the gang was lost; the gang starts again as a whole after the others have stopped.",
                    "Wait."),
            new DocumentedReason(
                    reached(LimitUsage.Subject.GROUP),
                    "A group would exceed its limit in a queue.",
                    "Wait, or raise the limit of the group."),
            new DocumentedReason(
                    new WaitReason.Held(), "The application is held.", "Release it with `sluice release`."),
            new DocumentedReason(
                    new WaitReason.NextCycle(),
                    "Nothing prevents the task from starting in the next cycle, except tasks before it.",
                    "Wait."),
            new DocumentedReason(
                    new WaitReason.HasReservation(List.of("n"), Instant.EPOCH, 0, null),
                    "No node fits the task now; one is reserved for it from the time at which enough is expected to be"
                            + " free.",
                    "Wait. If the start is put off again and again, tasks run longer than their expected durations."),
            new DocumentedReason(
                    new WaitReason.NoNodeFits(0, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), 0),
                    "No ready node that the task may run on has enough free capacity; the detail counts nodes by what"
                            + " excludes them: a missing label, the node affinity or an untolerated taint.",
                    "Wait for capacity, bring nodes online, or request less; if the detail says that no empty node would"
                            + " fit either, waiting does not help."),
            new DocumentedReason(
                    new WaitReason.NodeOffline("n", NodeState.OFFLINE),
                    "The only node that the task may run on is not ready.",
                    "Bring the node back, or submit without `requirednode`."),
            new DocumentedReason(
                    new WaitReason.NodeUnknown("n"),
                    "The only node that the task may run on does not exist.",
                    "Register the node, or submit without `requirednode`."),
            new DocumentedReason(
                    new WaitReason.NotBefore(Instant.EPOCH),
                    "The application must not start before this instant (`notbefore`).",
                    "Wait."),
            new DocumentedReason(
                    new WaitReason.Preempting(null, false),
                    "The task was preempted and has not ended yet; it is pending again when it has.",
                    "Wait."),
            new DocumentedReason(
                    new WaitReason.Quota("root", "vcore", Amount.ZERO, false),
                    "A queue would exceed its maximum resources.",
                    "Wait, or raise the maximum of the queue."),
            new DocumentedReason(
                    new WaitReason.ReservedFor("n", "a", "t", Instant.EPOCH, false),
                    "Nodes have enough free capacity, but it is reserved for a task that waited longer, and this task may"
                            + " not end before that one is expected to start.",
                    "Wait, or set a `timeout` or `expectedduration` that ends before."),
            new DocumentedReason(
                    new WaitReason.RetryDelay(Instant.EPOCH),
                    "The task failed, and the delay before its next attempt has not passed (`retries`).",
                    "Wait, or stop the task."),
            new DocumentedReason(
                    new WaitReason.Throttled(0),
                    "The partition has reached the limit set with `throttle`.",
                    "Wait, or raise the limit."),
            new DocumentedReason(
                    reached(LimitUsage.Subject.USER),
                    "A user would exceed their limit in a queue.",
                    "Wait, or raise the limit of the user."));

    private static WaitReason reached(LimitUsage.Subject subject) {
        return new WaitReason.LimitReached(subject, "a", "root", null, Amount.ZERO, Amount.ZERO, Amount.ZERO);
    }

    @Test
    void errors_reference_hasAllWaitReasons() throws Exception {
        assertThat(REASONS.stream()
                        .map(each -> each.example().getClass().getName())
                        .distinct())
                .containsExactlyInAnyOrder(Arrays.stream(WaitReason.class.getPermittedSubclasses())
                        .filter(type -> type != WaitReason.NotPreempting.class) // has the code of another reason
                        .map(Class::getName)
                        .toArray(String[]::new));
        Table table = new Table("Code", "Meaning", "What to do");
        REASONS.forEach(each -> table.row(code(each.example().code()), each.meaning(), each.remedy()));
        table.row(
                code(Reasons.CANNOT_START),
                "The task is allocated, but its pod cannot start, for example because its image cannot be pulled.",
                "Correct the image, secret, config map or claim that the detail names. The run fails after"
                        + " `--pod-start-timeout`.");
        GeneratedSections.check("errors.md", Map.of("reasons", table.toString()));
    }

    @Test
    void metrics_reference_matchesScrape() throws Exception {
        TestHttpClient client = daemon.client();
        client.send(
                "PUT",
                "/configuration",
                "partitions: [{name: default, queues: [{name: root, properties: {reservation.delay: 0s},"
                        + " queues: [{name: default}]}]}]",
                TestHttpClient.YAML);
        client.post(
                "/partitions/default/applications",
                "{\"id\": \"m\", \"queue\": \"root.default\", \"sealed\": true, \"tasks\": [{\"id\": \"t\","
                        + " \"command\": \"sleep 600\", \"timeout\": \"1h\", \"resources\": {\"vcore\": \"1\"}},"
                        + " {\"id\": \"reserved\", \"command\": \"true\", \"resources\": {\"vcore\": \"4\"}}]}");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> client.get("//metrics").text().contains("sluice_reservations{"));
        String scrape = client.get("//metrics").text();
        client.post("/partitions/default/applications/m/cancel", "");
        client.awaitState("m", "Failed");
        GeneratedSections.check(
                "metrics.md", Map.of("metrics", MetricsTable.of(scrape, name -> name.startsWith("sluice_"))));
    }

    @Test
    void rest_reference_matchesRouteTable() throws Exception {
        Map<String, String> sections = new LinkedHashMap<>();
        sections.put("common", common());
        sections.put("routes", routes());
        sections.put("parameters", parameters());
        sections.put("roles", roles());
        sections.put("documents", documents());
        GeneratedSections.check("rest.md", sections);
    }

    private record Operation(String method, String path, JsonNode json) {

        String topic() {
            return json.at("/tags/0").asString();
        }

        boolean hasBody() {
            return json.has("requestBody");
        }

        boolean answersErrorsItself() {
            return json.get("responses").properties().stream()
                    .anyMatch(each -> each.getKey().compareTo("400") >= 0
                            && !each.getValue().has("x-problems"));
        }

        Set<String> problems() {
            Set<String> problems = new TreeSet<>();
            for (JsonNode response : json.get("responses")) {
                for (JsonNode each : response.path("x-problems")) {
                    problems.add(each.asString());
                }
            }
            return problems;
        }

        List<JsonNode> parameters() {
            List<JsonNode> parameters = new ArrayList<>();
            for (JsonNode each : json.get("parameters")) {
                if (!each.get("name").asString().equals("Sluice-User")) {
                    parameters.add(each);
                }
            }
            return parameters;
        }
    }

    private List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                operations.add(new Operation(
                        operation.getKey().toUpperCase(Locale.ROOT), path.getKey(), operation.getValue()));
            }
        }
        return operations;
    }

    private Set<String> commonProblems(boolean ofBodies) {
        Set<String> common = null;
        for (Operation each : operations()) {
            if (!each.answersErrorsItself() && (!ofBodies || each.hasBody())) {
                if (common == null) {
                    common = each.problems();
                } else {
                    common.retainAll(each.problems());
                }
            }
        }
        return common == null ? Set.of() : common;
    }

    private String common() {
        Set<String> all = commonProblems(false);
        Set<String> bodies = commonProblems(true);
        bodies.removeAll(all);
        return "Every route takes the optional header `Sluice-User` and may answer with the problems " + codes(all)
                + ". Routes with a body may also answer with " + codes(bodies) + ". The table leaves these out.";
    }

    private String routes() {
        Set<String> all = commonProblems(false);
        Set<String> bodies = commonProblems(true);
        StringBuilder text = new StringBuilder();
        Map<String, Table> tables = new LinkedHashMap<>();
        for (Operation each : operations()) {
            Set<String> problems = each.problems();
            problems.removeAll(each.hasBody() ? bodies : all);
            problems.removeAll(all);
            List<String> answers = new ArrayList<>();
            for (Map.Entry<String, JsonNode> response :
                    each.json().get("responses").properties()) {
                if (!response.getValue().has("x-problems")) {
                    answers.add(response.getKey() + " " + content(response.getValue()));
                }
            }
            tables.computeIfAbsent(
                            each.topic(),
                            topic -> new Table("Route", "Description", "Caller", "Body", "Answers", "Problems"))
                    .row(
                            code(each.method() + " " + each.path()),
                            each.json().get("summary").asString(),
                            caller(each.json()),
                            each.hasBody() ? content(each.json().get("requestBody")) : "",
                            String.join("; ", answers),
                            codes(problems));
        }
        tables.forEach((topic, table) -> text.append("### ")
                .append(capitalized(topic))
                .append("\n\n")
                .append(table)
                .append('\n'));
        return text.toString();
    }

    /** Returns the schema of a request body or response, or its description where there is none. */
    private static String content(JsonNode place) {
        for (JsonNode media : place.path("content")) {
            String type = type(media.get("schema"));
            return type.isEmpty() || type.equals("string")
                    ? place.get("description").asString().replaceAll("\\.$", "")
                    : type;
        }
        return place.has("content") ? "" : "no content";
    }

    private String parameters() {
        Table paths = new Table("Parameter", "In", "Type", "Description");
        Set<String> seen = new LinkedHashSet<>();
        Table others = new Table("Route", "Parameter", "In", "Type", "Description");
        for (Operation each : operations()) {
            for (JsonNode parameter : each.parameters()) {
                String name = code(parameter.get("name").asString());
                String place = parameter.get("in").asString();
                String type = parameter.at("/schema/type").asString();
                String description = parameter.get("description").asString();
                if (place.equals("path")) {
                    if (seen.add(name)) {
                        paths.row(name, place, type, description);
                    }
                } else {
                    others.row(code(each.method() + " " + each.path()), name, place, type, description);
                }
            }
        }
        return paths + "\n" + others;
    }

    /** Returns the required role, whose applications the route is for, and whether it checks the queue. */
    private static String caller(JsonNode operation) {
        String ownership = operation.get("x-sluice-ownership").asString();
        return operation.get("x-sluice-role").asString()
                + (ownership.equals("any") ? "" : ", " + ownership)
                + (operation.get("x-sluice-submits").asBoolean() ? ", submit" : "");
    }

    private String roles() {
        return meanings("Role", "x-sluice-roles") + "\n" + meanings("Applications", "x-sluice-ownerships");
    }

    private String meanings(String title, String names) {
        Table table = new Table(title, "Meaning");
        document.get(names)
                .properties()
                .forEach(name -> table.row(code(name.getKey()), name.getValue().asString()));
        return table.toString();
    }

    private String documents() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, JsonNode> schema : new TreeMap<>(asMap(document.at("/components/schemas"))).entrySet()) {
            Set<String> required = new TreeSet<>();
            for (JsonNode each : schema.getValue().path("required")) {
                required.add(each.asString());
            }
            Table table = new Table("Field", "Type", "Required", "Description");
            for (Map.Entry<String, JsonNode> field :
                    schema.getValue().path("properties").properties()) {
                table.row(
                        code(field.getKey()),
                        type(field.getValue()),
                        required.contains(field.getKey()) ? "yes" : "",
                        field.getValue().path("description").asString(""));
            }
            text.append("### ")
                    .append(schema.getKey())
                    .append("\n\n")
                    .append(schema.getValue().has("properties") ? table : "A " + type(schema.getValue()) + ".\n")
                    .append('\n');
        }
        return text.toString();
    }

    private static Map<String, JsonNode> asMap(JsonNode object) {
        Map<String, JsonNode> map = new LinkedHashMap<>();
        object.properties().forEach(each -> map.put(each.getKey(), each.getValue()));
        return map;
    }

    private static String type(JsonNode schema) {
        if (schema.has("$ref")) {
            String name = schema.get("$ref").asString().replaceAll(".*/", "");
            return "[" + name + "](#" + name.toLowerCase(Locale.ROOT) + ")";
        }
        for (String combined : List.of("allOf", "anyOf", "oneOf")) {
            if (schema.has(combined)) {
                Set<String> types = new LinkedHashSet<>();
                for (JsonNode each : schema.get(combined)) {
                    types.add(type(each));
                }
                types.remove("");
                return String.join(" or ", types);
            }
        }
        if (schema.has("enum")) {
            List<String> words = new ArrayList<>();
            schema.get("enum").forEach(each -> words.add(each.isNull() ? "" : code(each.asString())));
            return String.join(
                    " or ", words.stream().filter(each -> !each.isEmpty()).toList());
        }
        List<String> types = new ArrayList<>();
        (schema.path("type").isArray() ? schema.get("type") : List.of(schema.path("type")))
                .forEach(each -> types.add(each.asString("")));
        types.remove("null");
        if (types.contains("string") && types.contains("boolean")) {
            types.retainAll(List.of("string")); // texts that need no quotes in YAML
        }
        String type = String.join(" or ", types);
        if (type.equals("array")) {
            return "array of " + type(schema.get("items"));
        }
        if (type.equals("object") && schema.path("additionalProperties").isObject()) {
            return "map of " + type(schema.get("additionalProperties"));
        }
        return schema.path("format").asString("").equals("date-time") ? "timestamp" : type;
    }

    @Test
    void section_withoutMarkers_fails() {
        assertThat(GeneratedSections.replaced(
                        "a\n<!-- begin generated: x -->\nold\n<!-- end generated -->\nb\n", "x", "new"))
                .isEqualTo("a\n<!-- begin generated: x -->\n\nnew\n\n<!-- end generated -->\nb\n");
        assertThatThrownBy(() -> GeneratedSections.replaced("a\n", "x", "new"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("section x not found");
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static String codes(Set<String> texts) {
        return String.join(", ", texts.stream().map(ServerReferenceTest::code).toList());
    }

    private static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** A Markdown table. */
    private static final class Table {

        private final StringBuilder text = new StringBuilder();

        Table(String... columns) {
            row(columns);
            text.append("|").append(" --- |".repeat(columns.length)).append('\n');
        }

        void row(String... cells) {
            text.append("| ")
                    .append(String.join(
                            " | ",
                            Arrays.stream(cells)
                                    .map(each -> each.replace("|", "\\|"))
                                    .toList()))
                    .append(" |\n");
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
