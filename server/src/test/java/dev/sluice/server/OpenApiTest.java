package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.sluice.config.snapshot.SubmissionReader;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.http.RequiredFields;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Checks that the OpenAPI document is valid OpenAPI 3.1, as far as possible without its meta-schema. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OpenApiTest {

    private TestDaemon daemon;
    private JsonNode document;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.start(DaemonSettings.in(folder));
        document = daemon.client().contract().document();
    }

    @AfterAll
    void end() {
        daemon.close();
    }

    @Test
    void document_hasRequiredOpenApiFields() {
        assertThat(document.get("openapi").asString()).matches("3\\.1\\.\\d+");
        assertThat(document.at("/info/title").asString()).isNotEmpty();
        assertThat(document.at("/info/version").asString()).isNotEmpty();
        Set<String> ids = new HashSet<>();
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (JsonNode operation : path.getValue()) {
                String id = operation.get("operationId").asString();
                assertThat(ids.add(id)).as("%s is unique", id).isTrue();
                assertThat(document.get("x-sluice-roles")
                                .has(operation.get("x-sluice-role").asString()))
                        .isTrue();
                assertThat(operation.get("summary").asString()).as(id).endsWith(".");
                assertThat(parametersIn(operation, "path")).as(path.getKey()).isEqualTo(templated(path.getKey()));
                for (JsonNode response : operation.get("responses")) {
                    assertThat(response.get("description").asString()).as(id).isNotEmpty();
                }
            }
        }
    }

    private static Set<String> parametersIn(JsonNode operation, String place) {
        Set<String> names = new TreeSet<>();
        if (operation.has("parameters")) {
            for (JsonNode parameter : operation.get("parameters")) {
                assertThat(parameter.has("schema")).isTrue();
                if (parameter.get("in").asString().equals(place)) {
                    assertThat(parameter.get("required").asBoolean()).isTrue();
                    names.add(parameter.get("name").asString());
                }
            }
        }
        return names;
    }

    private static Set<String> templated(String path) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = Pattern.compile("\\{([^}]+)}").matcher(path);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    @Test
    void schemas_areValidJsonSchemas() {
        var dialect = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        for (Map.Entry<String, JsonNode> schema :
                document.at("/components/schemas").properties()) {
            assertThat(dialect.validate(schema.getValue())).as(schema.getKey()).isEmpty();
            assertThat(schema.getKey()).matches("[A-Z][A-Za-z]+");
        }
    }

    @Test
    void references_resolve() {
        List<String> lost = new ArrayList<>();
        for (JsonNode reference : document.findValues("$ref")) {
            if (document.at(reference.asString().substring(1)).isMissingNode()) {
                lost.add(reference.asString());
            }
        }
        assertThat(lost).isEmpty();
    }

    @Test
    void component_nullable_isNotRequired() {
        JsonNode schema = document.at("/components/schemas/QueueView");
        Set<String> required = new TreeSet<>();
        schema.get("required").forEach(name -> required.add(name.asString()));
        Set<String> wanted = new TreeSet<>();
        for (RecordComponent component : QueueView.class.getRecordComponents()) {
            if (!RequiredFields.isOptional(component)) {
                wanted.add(component.getName());
            }
        }
        assertThat(required).isEqualTo(wanted).doesNotContain("maxApplications").contains("path", "leaf", "share");
    }

    /** What is read is what is described: both come from the same keys. */
    @Test
    void submission_hasKeysOfItsReader() {
        Set<String> keys = new TreeSet<>();
        SubmissionReader.KEYS.all().stream().filter(key -> key.file().isEmpty()).forEach(key -> keys.add(key.name()));
        JsonNode schema = document.at("/components/schemas/SubmissionDocument");

        assertThat(new TreeSet<>(schema.get("properties").propertyNames()))
                .isEqualTo(keys)
                .contains("id", "tasks")
                .doesNotContain("state");
        assertThat(schema.has("required")).isFalse();
        assertThat(document.at("/components/schemas/TaskDocument/required/0").asString())
                .isEqualTo("id");
    }

    @Test
    void lists_doNotRepeatDescription() {
        JsonNode items = document.at("/components/schemas/ApplicationPage/properties/items");
        assertThat(items.get("description").asString()).isNotEmpty();
        assertThat(items.get("items").has("description")).isFalse();
    }

    @Test
    void streamAndMetrics_haveRoles() {
        assertThat(document.at("/paths/~1metrics/get/x-sluice-role").asString()).isEqualTo("viewer");
        JsonNode stream = document.at("/paths/~1api~1v1~1events~1stream/get");
        assertThat(stream.get("x-sluice-role").asString()).isEqualTo("viewer");
        assertThat(stream.at("/responses/200/content").has("text/event-stream")).isTrue();
    }
}
