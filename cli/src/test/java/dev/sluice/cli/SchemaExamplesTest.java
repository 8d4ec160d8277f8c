package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.sluice.cli.source.FileKind;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.reference.FileFormat;
import dev.sluice.config.reference.JsonSchema;
import dev.sluice.config.yaml.YamlList;
import dev.sluice.config.yaml.YamlMap;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlScalar;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.simulator.workload.WorkloadFormats;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON schemas accept the examples, and refuse what the readers refuse. */
class SchemaExamplesTest {

    private static final Path ROOT = Path.of("..");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static Collection<String> errors(FileFormat format, YamlValue document) {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(new ObjectMapper().readTree(JsonSchema.of(format)));
        return schema.validate(node(document)).stream().map(Object::toString).toList();
    }

    private static Collection<String> errors(FileFormat format, String text) {
        return errors(format, Objects.requireNonNull(YamlReader.read(text, new Problems("text"))));
    }

    private static JsonNode node(YamlValue value) {
        if (value instanceof YamlMap map) {
            ObjectNode object = NODES.objectNode();
            map.entries().forEach(entry -> object.set(entry.key().text(), node(entry.value())));
            return object;
        }
        if (value instanceof YamlList list) {
            ArrayNode array = NODES.arrayNode();
            list.items().forEach(item -> array.add(node(item)));
            return array;
        }
        YamlScalar scalar = (YamlScalar) value;
        if (scalar.isNull()) {
            return NODES.nullNode();
        }
        if (scalar.isNumber()) {
            return NODES.numberNode(new BigDecimal(scalar.text()));
        }
        return scalar.isText()
                ? NODES.stringNode(scalar.text())
                : NODES.booleanNode(Boolean.parseBoolean(scalar.text()));
    }

    /** The format of a file of this kind; null if it has no keys. */
    private static @Nullable FileFormat format(FileKind kind) {
        return switch (kind) {
            case QUEUE_CONFIGURATION -> FileFormat.QUEUES;
            case SNAPSHOT -> FileFormat.SNAPSHOT;
            // a job file with nodes and nothing else has the keys of a list of nodes
            case JOB_FILE, NODE_LIST -> FileFormat.JOB_FILE;
            case JOB_WORKLOAD, SYNTHETIC_WORKLOAD -> WorkloadFormats.WORKLOAD;
            case NOTIFICATIONS -> FileFormat.NOTIFICATIONS;
            case MAPPING -> WorkloadFormats.MAPPING;
            case LOG, TABLE -> null;
        };
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("examples"))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void example_ofTheRepository_matchesItsSchema(Path file) {
        FileKind kind = FileKind.of(SourceFile.named(file.toString(), InputStream.nullInputStream()))
                .value();
        FileFormat format = Objects.requireNonNull(format(kind));

        YamlValue document = Objects.requireNonNull(YamlReader.read(file, new Problems(file.toString())));
        assertThat(errors(format, document)).isEmpty();
    }

    @Test
    void examples_ofTheReference_matchTheSchemasTheyName() throws IOException {
        int found = 0;
        for (String page : List.of("job-file", "queues", "snapshot", "workload", "notifications")) {
            String text = Files.readString(ROOT.resolve("docs/reference/" + page + ".md"));
            Matcher blocks = Pattern.compile(
                            "```yaml\n# yaml-language-server: \\$schema=../schemas/([a-z-]+).schema.json\n(.*?)```",
                            Pattern.DOTALL)
                    .matcher(text);
            while (blocks.find()) {
                FileFormat format = FileReferenceTest.formats().stream()
                        .filter(each -> each.name().equals(blocks.group(1)))
                        .findFirst()
                        .orElseThrow();
                assertThat(errors(format, blocks.group(2))).as(page).isEmpty();
                found++;
            }
        }
        assertThat(found).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            job      | {tasks: [{id: t, comand: make}]}
            job      | {tasks: [{command: make}]}
            job      | {tasks: [{id: t, command: make, retries: two}]}
            job      | {tasks: [{id: t, command: make, timeout: 90}]}
            job      | {tasks: [{id: t, command: make, state: running}]}
            job      | {tasks: [{id: t, command: make, nodeSelector: {gpu: 1}}]}
            job      | {applications: {id: a}}
            snapshot | {nodes: []}
            snapshot | {at: yesterday}
            snapshot | {at: "2026-01-01T12:00:00Z", nodes: [{name: n, capacity: {vcore: 8}, state: broken}]}
            queues   | {partitions: [{queues: [{name: root, properties: {load.procent: 5}}]}]}
            queues   | {partitions: [{queues: [{name: root, properties: {queue.share.policy: loaded}}]}]}
            queues   | {partitions: [{}]}
            workload | {synthetic: {for: 1h, arrivals: {every: 1m}, kinds: [{name: k, duration: {normal: {mean: 1}}}]}}
            mapping  | {applications: {submitted: s, duration: d}}
            notifications | {targets: [{name: a, webhook: {url: "http://h", secret: abc}}]}
            notifications | {targets: [{name: a, command: x, on: [failure]}]}
            """)
    void file_withAMistake_isRefusedByItsSchema(String kind, String text) {
        FileFormat format = Objects.requireNonNull(SchemaCommand.FORMATS.get(kind));
        assertThat(errors(format, text)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            job      | {id: 7, tasks: [{id: t, command: [make, 2], timeout: 1h30m, env: {A: 1, B: true}, after: }]}
            job      | {tasks: [{id: t, duration: 0, expectedduration: 1.5h, resources: {vcore: 0.5, memory: 1Gi}}], every: 1m, times: 2}
            job      | {applications: , queues: , nodes: [{name: n, capacity: {}, since: "2026-01-01 12:00:00+01:00"}]}
            queues   | {partitions: [{queues: [{name: root, properties: {load.percent: "60", priority.policy: FENCE}}]}]}
            queues   | {partitions: [{queues: [{name: a, properties: {usage.probabilistic.all: true}}], placementrules: [{name: User}]}]}
            workload | {tasks: [{id: t, duration: 5m}], submitted: 20m}
            mapping  | {applications: {submitted: s, duration: {constant: 5m}, resources: {}, exclude: [{column: c, is: ""}]}}
            notifications | {targets: [{name: 7, command: [x, 2], timeout: 30s}], thresholds: [{queue: root, used: 90}]}
            """)
    void file_withoutAMistake_isAcceptedByItsSchema(String kind, String text) {
        FileFormat format = Objects.requireNonNull(SchemaCommand.FORMATS.get(kind));
        assertThat(errors(format, text)).isEmpty();
    }
}
