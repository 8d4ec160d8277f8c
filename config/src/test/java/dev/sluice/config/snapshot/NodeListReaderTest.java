package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeListReaderTest {

    private static ParseResult<List<NodeEntry>> read(String text) {
        return NodeListReader.read("n", text);
    }

    @Test
    void nodes_alone_areRead() {
        List<NodeEntry> nodes =
                read("nodes:\n- {name: w, count: 1000, capacity: {slots: 1}}\n- {name: x, partition: gpu, capacity: {}, state: lost}")
                        .value();

        assertThat(nodes).extracting(NodeEntry::name).containsExactly("w", "x");
        assertThat(nodes).extracting(NodeEntry::size).containsExactly(1000, 1);
        assertThat(nodes).extracting(NodeEntry::partition).containsExactly("default", "gpu");
    }

    @Test
    void nodes_invalid_areReported() {
        assertThat(read("{}").report()).isEqualTo("n:1:1: no nodes: add nodes: with a list");
        assertThat(read("nodes: []").report()).isEqualTo("n:1:8: at least one node is required");
        assertThat(read("nodes: 3").report()).isEqualTo("n:1:8: expected a list of nodes, found a number");
        assertThat(
                        read("nodes:\n- {name: a, capacity: {vcore: x}}\n- {capacity: {}}\n- {name: a, capacity: {}}\nseed: 1")
                                .report())
                .isEqualTo("""
                        n:2:31: "x" is not a quantity: write a number with an optional unit, such as 2, 0.5 or 500m
                        n:3:3: a node needs a name
                        n:4:10: duplicate node name "a" in partition default: the first is in line 2
                        n:5:1: unknown key "seed" of a file of nodes: expected nodes (see docs/reference/workload.md)""");
    }
}
