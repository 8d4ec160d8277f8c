package dev.sluice.simulator.workload.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.simulator.workload.WorkloadTexts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvNodesTest {

    private static final String MAPPING = """
            nodes:
              name: sn
              capacity:
                vcore: {column: cpu, unit: 1m}
                gpu: {column: gpu, unit: 1000}
              labels: {model: model, site: {constant: north}}
              exclude: [{column: model, is: old}]
            """;

    @TempDir
    Path directory;

    private ParseResult<List<NodeEntry>> read(String mapping, String table) {
        return CsvNodes.read(
                WorkloadTexts.write(directory, "nodes.csv", table),
                WorkloadTexts.write(directory, "mapping.yaml", mapping));
    }

    @Test
    void row_mapped_isANode() {
        List<NodeEntry> nodes = read(MAPPING, "sn,cpu,gpu,model\nb,1500.7,2,T4\na,2000,0,\nc,1,1,old\n")
                .value();

        assertThat(nodes).extracting(NodeEntry::name).containsExactly("b", "a");
        assertThat(nodes).extracting(NodeEntry::size).containsExactly(1, 1);
        assertThat(nodes).extracting(NodeEntry::partition).containsOnly("default");
        assertThat(nodes).allMatch(NodeEntry::isReady);
        assertThat(nodes)
                .extracting(node -> node.capacity().toString())
                .containsExactly("gpu 2000, vcore 1500m", "gpu 0, vcore 2");
        assertThat(nodes.get(0).labels()).isEqualTo(Map.of("model", "T4", "site", "north"));
        assertThat(nodes.get(1).labels()).isEqualTo(Map.of("site", "north"));
    }

    @Test
    void rows_invalid_areAllReported() {
        assertThat(read(MAPPING, "sn,cpu,gpu,model\na,1,1,\n,1,1,\na,1,1,\nb,x,1,\nc,1\n")
                        .report()
                        .lines()
                        .map(line -> line.substring(line.indexOf("nodes.csv"))))
                .containsExactly(
                        "nodes.csv:3:1: empty field: expected the name of a node",
                        "nodes.csv:4:1: duplicate node \"a\": first defined in line 2",
                        "nodes.csv:5:3: \"x\" is not a valid amount of vcore: expected a number of at least 0",
                        "nodes.csv:6:1: row has 2 columns instead of 4");
    }

    @Test
    void mapping_invalid_isReported() {
        assertThat(read(MAPPING.replace("cpu,", "cpus,"), "sn,cpu,gpu,model\n").report())
                .endsWith("mapping.yaml:4:21: unknown column \"cpus\": did you mean \"cpu\"?");
        assertThat(read("applications: {}", "sn\n").report()).endsWith("missing section nodes, which maps the columns");
        assertThat(read("nodes: {labels: {}}", "sn\n").problems()).hasSize(2);
    }
}
