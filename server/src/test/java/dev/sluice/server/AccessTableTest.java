package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.route.Ownership;
import dev.sluice.server.route.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Calls every route with every role: routes of applications for one's own application, for one in a queue that the
 * caller administers, and for another's. The queue {@code root.lab} has {@code submitacl: *} and {@code adminacl: max}.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AccessTableTest {

    private static final String QUEUES = """
            partitions: [{name: default, queues: [{name: root, queues: [
              {name: lab, submitacl: "*", adminacl: max}]}]}]
            """;

    /** Who may call a route that permits these applications: the lowest role as owner, queue admin and anyone else. */
    private static final Map<String, List<Role>> LOWEST = Map.of(
            "any", List.of(Role.ANYONE, Role.ANYONE, Role.ANYONE),
            "administered", List.of(Role.ANYONE, Role.ANYONE, Role.OPERATOR),
            "own", List.of(Role.ANYONE, Role.ADMIN, Role.ADMIN));

    /** Routes whose responses never end. */
    private static final Set<String> STREAMS = Set.of("streamEvents", "yunikornEventStream");

    private static final List<String> USERS = List.of("ada", "max", "eve");

    private static final Map<String, String> BODIES = Map.of(
            "updateApplication", "{\"priority\": 5}",
            "addTasks", "{\"tasks\": [{\"id\": \"u\", \"nodeSelector\": {\"never\": \"here\"}}]}",
            "signalTasks", "{\"signal\": \"USR1\"}",
            "cancelApplications", "{\"user\": \"ada\"}");

    private TestDaemon daemon;
    private int count;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.withAuthenticator(new MemoryStore(), TestDaemon.settings(folder), new TestCallers());
        assertThat(call("PUT", "/api/v1/configuration", QUEUES, "root", Role.ADMIN, TestHttpClient.YAML)
                        .status())
                .isEqualTo(200);
    }

    @AfterAll
    void end() {
        daemon.close();
    }

    private Reply call(String method, String path, String body, String user, Role role, String type) {
        return daemon.client().sendAnything(method, path, body, type, TestCallers.header(user + ":" + role.wireName()));
    }

    private static String application(String id) {
        return "{\"id\": \"" + id + "\", \"queue\": \"root.lab\", \"user\": \"ada\", \"tasks\": [{\"id\": \"t\","
                + " \"nodeSelector\": {\"never\": \"here\"}}]}";
    }

    /** Calls a route for a new application of ada; returns whether that was permitted. */
    private boolean isPermitted(String method, String path, JsonNode operation, String user, Role role) {
        String name = operation.get("operationId").asString();
        String id = "a" + ++count;
        if (path.contains("{application}") || name.equals("cancelApplications")) {
            assertThat(call(
                                    "POST",
                                    "/api/v1/partitions/default/applications",
                                    application(id),
                                    "ada",
                                    Role.SUBMITTER,
                                    TestHttpClient.JSON)
                            .status())
                    .isEqualTo(201);
        }
        String body = switch (name) {
            case "submitApplication" -> application(id);
            case "submitFile" -> "{\"applications\": [" + application(id) + "]}";
            default -> operation.has("requestBody") ? BODIES.getOrDefault(name, "{}") : "";
        };
        String filled = path.replace("{partition}", "default")
                .replace("{application}", id)
                .replace("{task}", "t")
                .replaceAll("\\{[a-z]+}", "0");
        Reply reply = call(method, filled, body, user, role, body.isEmpty() ? "" : TestHttpClient.JSON);
        assertThat(reply.status()).as(reply.text()).isNotEqualTo(401).isLessThan(500);
        return switch (reply.status()) {
            case 403 -> {
                assertThat(reply.at("/detail"))
                        .as("the refusal of " + name + " in words")
                        .doesNotContain(name, "/api/", "this request");
                yield false;
            }
            case 200 ->
                switch (name) {
                    case "submitFile" -> reply.at("/accepted").equals("1");
                    case "cancelApplications" -> !reply.at("/cancelled").equals("0");
                    default -> true;
                };
            default -> true;
        };
    }

    @Test
    void route_everyRoleAndOwnership_isAsInTable() {
        List<String> wrong = new ArrayList<>();
        TreeSet<String> checked = new TreeSet<>();
        JsonNode document = daemon.client().contract().document();
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> each : path.getValue().properties()) {
                JsonNode operation = each.getValue();
                String name = operation.get("operationId").asString();
                Role required =
                        Role.valueOf(operation.get("x-sluice-role").asString().toUpperCase(Locale.ROOT));
                String ownership = operation.get("x-sluice-ownership").asString();
                checked.add(ownership);
                List<Role> lowest = Objects.requireNonNull(LOWEST.get(ownership), ownership);
                for (Role role : Role.values()) {
                    for (int relation = 0; relation < USERS.size(); relation++) {
                        boolean expected = role.includes(required) && role.compareTo(lowest.get(relation)) >= 0;
                        if (STREAMS.contains(name) && expected) {
                            continue;
                        }
                        String user = USERS.get(relation);
                        String method = each.getKey().toUpperCase(Locale.ROOT);
                        if (isPermitted(method, path.getKey(), operation, user, role) != expected) {
                            wrong.add(name + " as " + user + " with role " + role.wireName() + ": expected "
                                    + (expected ? "permitted" : "refused"));
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(checked).containsExactlyInAnyOrderElementsOf(LOWEST.keySet()).hasSize(Ownership.values().length);
    }
}
