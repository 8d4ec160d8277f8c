package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The worked examples of the load share policy, each as a situation of workers with one slot. */
class LoadVectorsTest {

    @TempDir
    Path directory;

    private static JsonNode vectors() throws Exception {
        try (InputStream in = LoadVectorsTest.class.getResourceAsStream("/vectors/load-share.json")) {
            return new ObjectMapper().readTree(in);
        }
    }

    @TestFactory
    List<DynamicTest> example_planned_startsWhatItSays() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode example : vectors().get("allocate")) {
            tests.add(DynamicTest.dynamicTest(example.get("name").asString(), () -> check(example)));
        }
        return tests;
    }

    private void check(JsonNode example) throws Exception {
        Path file = Files.writeString(directory.resolve("situation.yaml"), situation(example));
        Program.Answer answer = Program.execute("plan", file.toString(), "-o", "json");
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        JsonNode plan = new ObjectMapper().readTree(answer.out());
        List<String> expected = new ArrayList<>();
        for (JsonNode each : example.get("classes")) {
            expected.add(each.get("class").asString() + " starts "
                    + each.get("start").asInt());
        }
        List<String> started = new ArrayList<>();
        for (JsonNode queue : plan.get("queues")) {
            String path = queue.get("path").asString();
            if (path.startsWith("root.")) {
                started.add(
                        path.substring(5) + " starts " + queue.get("started").asInt());
                assertThat(queue.get("share").get("start").asInt())
                        .isEqualTo(queue.get("started").asInt());
            }
        }
        assertThat(started).isEqualTo(expected);
    }

    private static String situation(JsonNode example) {
        StringBuilder queues = new StringBuilder();
        StringBuilder applications = new StringBuilder();
        for (JsonNode each : example.get("classes")) {
            String name = each.get("class").asString();
            queues.append("          - {name: %s, properties: {load.percent: '%d'}}%n"
                    .formatted(name, each.get("percent").asInt()));
            int running = each.get("running").asInt();
            int waiting = each.get("waiting").asInt();
            if (running + waiting > 0) {
                applications.append("  - id: %s%n    queue: root.%s%n    tasks:%n".formatted(name, name));
                applications.append(
                        running == 0 ? "" : "      - {id: r, count: %d, state: running}%n".formatted(running));
                applications.append(waiting == 0 ? "" : "      - {id: t, count: %d}%n".formatted(waiting));
            }
        }
        return """
                at: 2026-01-01T12:00:00Z
                nodes: [{name: w, count: %d, capacity: {slots: 1}}]
                partitions:
                  - name: default
                    queues:
                      - name: root
                        properties: {queue.share.policy: load}
                        queues:
                """.formatted(example.get("workers").asInt()) + queues + "applications:\n" + applications;
    }
}
