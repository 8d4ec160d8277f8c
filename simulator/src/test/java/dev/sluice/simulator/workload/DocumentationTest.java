package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.snapshot.NodeListReader;
import dev.sluice.simulator.workload.jobs.JobFileWorkload;
import dev.sluice.simulator.workload.synthetic.SyntheticWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Reads the samples of {@code docs/guides/workloads.md}. */
class DocumentationTest {

    private static List<String> document() throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "guides", "workloads.md"));
    }

    /** Returns the lines below this heading. */
    private static List<String> section(String heading) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean within = false;
        for (String line : document()) {
            within = line.startsWith("## ") ? line.equals("## " + heading) : within;
            if (within) {
                lines.add(line);
            }
        }
        assertThat(lines).isNotEmpty();
        return lines;
    }

    /** Returns the indented lines below this heading, without ellipses. */
    private static String sample(String heading) throws IOException {
        List<String> lines = section(heading).stream()
                .filter(line -> line.startsWith("    ") && !line.contains("[...]"))
                .map(line -> line.substring(4))
                .toList();
        assertThat(lines).isNotEmpty();
        return String.join("\n", lines);
    }

    /** Returns the distributions of the table as written there. */
    private static List<String> distributions() throws IOException {
        return section("Synthetic workloads").stream()
                .filter(line -> line.startsWith("| `{"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
    }

    private static void check(ParseResult<?> reading) {
        assertThat(reading.report()).isEmpty();
        assertThat(reading.warnings()).isEmpty();
    }

    @Test
    void jobFile_inDocumentation_isRead() throws IOException {
        check(JobFileWorkload.read("jobs.yaml", sample("Job files")));
    }

    @Test
    void syntheticWorkload_inDocumentation_isRead() throws IOException {
        check(SyntheticWorkload.read("synthetic.yaml", sample("Synthetic workloads")));
    }

    @Test
    void nodes_inDocumentation_areRead() throws IOException {
        check(NodeListReader.read("nodes.yaml", sample("Nodes")));
    }

    @Test
    void distributions_inDocumentation_areRead() throws IOException {
        List<String> written = distributions();

        assertThat(written).hasSize(7);
        String kinds = written.stream()
                .map(each -> "\n  - {name: '" + each + "', "
                        + (each.contains("m,") || each.contains("m}") ? "duration: " : "duration: 1s, tasks: ") + each
                        + "}")
                .collect(Collectors.joining());
        check(SyntheticWorkload.read("table.yaml", "synthetic:\n  for: 1h\n  arrivals: {every: 1m}\n  kinds:" + kinds));
    }
}
