package dev.sluice.cli;

import static dev.sluice.cli.Program.example;
import static dev.sluice.cli.Program.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Each key that an example is about makes the difference that its comment describes. */
final class ExamplePlansTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private static String read(String name) throws IOException {
        return Files.readString(Path.of(example(name)));
    }

    private JsonNode plan(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("snapshot.yaml"), text);
        ProgramResult answer = execute("plan", "-o", "json", file.toString());
        assertThat(answer.err()).isEmpty();
        assertThat(answer.exitCode()).isZero();
        return JSON.readTree(answer.out());
    }

    /** The nodes of the tasks that start. */
    private Map<String, String> starts(String text) throws IOException {
        Map<String, String> nodes = new TreeMap<>();
        for (JsonNode start : plan(text).get("start")) {
            nodes.put(start.get("task").asString(), start.get("node").asString());
        }
        return nodes;
    }

    /** Removes all occurrences of a text; of a key that ends a line, the first one with all lines below it. */
    private static String without(String removed, String text) {
        String rest = removed.endsWith(":")
                ? Pattern.compile("(?m)^( *)" + Pattern.quote(removed) + "\n(\\1 .*\n)*")
                        .matcher(text)
                        .replaceFirst("")
                : text.replace(removed, "");
        assertThat(rest).isNotEqualTo(text);
        return rest;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                // removed                                         | task    | node  | node without it
                "ports: [{hostPort: 8080}]                         | web-3   | -     | b-1",
                "topologySpreadConstraints:                        | web-3   | -     | spare",
                "podAffinity:                                      | cache-2 | -     | b-1",
                "podAntiAffinity:                                  | cache-2 | -     | b-1",
                "`, taints: [{key: gpu, effect: NoSchedule}]`      | r-0     | b-1   | gpu-2",
                "tolerations: [{key: gpu, operator: Exists}]       | t-0     | gpu-1 | -",
                "nodeAffinity:                                     | t-1     | -     | gpu-2",
                "`, tolerations: [{operator: Exists}]`             | g-5     | gpu-1 | -",
                "`, pernode: 1`                                    | g-6     | -     | gpu-2",
                "preferredDuringSchedulingIgnoredDuringExecution:  | r-0     | b-1   | spare",
            })
    void constraint_removed_changesWhereTasksStart(String removed, String task, String node, String nodeWithout)
            throws IOException {
        String text = read("constraints.yaml");

        assertThat(starts(text).get(task)).isEqualTo(node);
        assertThat(starts(without(removed, text)).get(task)).isEqualTo(nodeWithout);
    }

    @Test
    void priorityPreemption_enabled_stopsLatestOfLowestPriority() throws IOException {
        String text = read("priority-preemption.yaml");

        JsonNode plan = plan(text);
        assertThat(starts(text)).containsExactly(Map.entry("t", "n-1"));
        assertThat(plan.at("/start/0/application").asString()).isEqualTo("report");
        assertThat(plan.get("preempt").toString())
                .isEqualTo("[{\"partition\":\"default\",\"application\":\"archive\",\"task\":\"scan-2\","
                        + "\"queue\":\"root.office\",\"node\":\"n-1\",\"reason\":\"priority\","
                        + "\"for\":{\"application\":\"report\",\"task\":\"t\"}}]");

        JsonNode disabled = plan(without(", properties: {preemption.priority: enabled}", text));
        assertThat(disabled.get("preempt")).isEmpty();
        assertThat(disabled.get("start")).isEmpty();
    }

    @Test
    void backfill_reservationsOff_letsAllSmallTasksStart() throws IOException {
        String text = read("backfill.yaml");

        assertThat(applications(plan(text))).containsExactly("test");
        assertThat(applications(plan(text.replace("reservation.delay: 5m", "reservations.max: 0"))))
                .containsExactly("scan", "unknown");
    }

    private static List<String> applications(JsonNode plan) {
        return plan.get("start")
                .valueStream()
                .map(start -> start.get("application").asString())
                .toList();
    }
}
