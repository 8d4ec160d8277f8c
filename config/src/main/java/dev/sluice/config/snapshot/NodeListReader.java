package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads lists of nodes: a file with only {@code nodes}, or that list in a file of another kind. */
public final class NodeListReader {

    /** The keys of a node. */
    public static final Keys NODE_KEYS = ClusterKeys.NODE;

    /** The keys of a list of nodes. */
    public static final Keys KEYS = FileKeys.NODE_LIST;

    private NodeListReader() {}

    /** Reads the nodes of this file. */
    public static ParseResult<List<NodeEntry>> read(Path file) {
        Problems problems = new Problems(file.toString());
        return problems.result(nodes(YamlReader.read(file, problems), problems));
    }

    /** Reads the nodes of this text; the file name is used in messages. */
    public static ParseResult<List<NodeEntry>> read(String fileName, String text) {
        Problems problems = new Problems(fileName);
        return problems.result(nodes(YamlReader.read(text, problems), problems));
    }

    /** Reads the nodes of this list, which must belong to one of these partitions unless there are none. */
    public static List<NodeEntry> read(@Nullable Field list, List<PartitionConfiguration> partitions) {
        return NodeReader.read(list, ReadContext.ofSimulation(Instant.EPOCH, partitions));
    }

    private static @Nullable List<NodeEntry> nodes(@Nullable YamlValue document, Problems problems) {
        Section section = document == null
                ? null
                : Field.root(document, problems, ReferencePage.WORKLOAD).asSection("a file of nodes", KEYS);
        if (section == null) {
            return null;
        }
        Field list = section.require("nodes", "no nodes: add nodes: with a list");
        if (list == null) {
            return null;
        }
        if (list.isList() && list.asList("nodes").isEmpty()) {
            list.problem("at least one node is required");
        }
        return List.copyOf(read(list, List.of()));
    }
}
