package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.lines.OpenFailure;
import java.io.IOException;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads nodes from a file of delimiter-separated values, plain or gzipped, with one node per row; a mapping file
 * describes its columns ({@code docs/guides/workloads.md}).
 *
 * <p>Unlike in a workload, every row must be valid: a simulation on some of the nodes would not answer the question.
 */
public final class CsvNodes {

    /** The maximum number of nodes in a file. */
    public static final int NODES_MAX = 1_000_000;

    private CsvNodes() {}

    /** Maps the columns of a row to a node. */
    private record Mapping(
            TextSource name,
            List<AmountSource> capacity,
            SortedMap<String, TextSource> labels,
            List<ExclusionRule> exclusions,
            CsvTable table) {}

    /**
     * Reads the nodes in a file, in order, according to the section {@code nodes} of a mapping file.
     *
     * @return the nodes, or the problems of the mapping or of the file
     */
    public static ParseResult<List<NodeEntry>> read(Path file, Path mapping) {
        ParseResult<Mapping> reading =
                MappingFile.read(file, mapping, MappingFile.NODES, MappingKeys.NODES, CsvNodes::mapping);
        if (reading.valueOrNull() == null) {
            return reading.map(each -> List.of());
        }
        Problems problems = new Problems(file.toString());
        return problems.result(nodes(reading.value(), problems));
    }

    /** Reports the problems of this section of a mapping. */
    static void check(Section part, SourceReader sources) {
        mapping(new CsvTable(Path.of(""), ',', List.of(), CsvTable.FirstRow.DATA), part, sources);
    }

    private static @Nullable Mapping mapping(CsvTable table, Section part, SourceReader sources) {
        Field nameField = part.require("name", "missing name, the name of each node: write a column");
        TextSource name = nameField == null ? null : sources.text(nameField);
        Field capacityField = part.require(
                "capacity", "missing capacity, the resources of each node: write a map such as {vcore: cores}");
        List<AmountSource> capacity = capacityField == null ? List.of() : sources.amounts(capacityField);
        SortedMap<String, TextSource> labels =
                part.read("labels", Collections.emptySortedMap(), field -> sources.texts(field, "labels and columns"));
        List<ExclusionRule> exclusions = part.read("exclude", List.of(), sources::exclusions);
        return name == null ? null : new Mapping(name, capacity, labels, exclusions, table);
    }

    private static @Nullable List<NodeEntry> nodes(Mapping mapping, Problems problems) {
        List<NodeEntry> nodes = new ArrayList<>();
        Map<String, Long> lines = new HashMap<>();
        try (CsvRows rows = mapping.table.open()) {
            while (rows.next()) {
                mapping.table.checkColumns(rows);
                if (rows.fault() == null && mapping.exclusions.stream().anyMatch(rule -> rule.excludes(rows))) {
                    continue;
                }
                NodeEntry node = rows.fault() == null ? node(mapping, rows, lines) : null;
                CsvRows.RowFault fault = rows.fault();
                if (fault != null) {
                    problems.error((int) fault.line(), fault.column(), fault.reason());
                } else if (node != null) {
                    nodes.add(node);
                }
                if (nodes.size() > NODES_MAX) {
                    problems.error((int) rows.line(), 1, "too many nodes: the maximum is " + NODES_MAX);
                    return null;
                }
            }
            return nodes;
        } catch (IOException e) {
            problems.error(0, 0, OpenFailure.message(e));
            return null;
        }
    }

    /** Returns the node of this row; unusable after a fault. */
    private static @Nullable NodeEntry node(Mapping mapping, CsvRows row, Map<String, Long> lines) {
        int nameColumn = Math.max(0, mapping.name.column());
        String name = mapping.name.read(row, "the name of a node");
        SortedMap<String, Amount> capacity = new TreeMap<>();
        for (AmountSource source : mapping.capacity) {
            long amount = source.read(row, RoundingMode.FLOOR);
            if (amount != AmountSource.INVALID) {
                capacity.put(source.type(), new Amount(amount));
            }
        }
        SortedMap<String, String> labels = new TreeMap<>();
        mapping.labels.forEach((label, source) -> {
            String value = source.read(row, "a label");
            if (value != null) {
                labels.put(label, value);
            }
        });
        if (name == null) {
            row.fail(nameColumn, "empty field: expected the name of a node");
            return null;
        }
        Long first = lines.putIfAbsent(name, row.line());
        if (first != null) {
            row.fail(nameColumn, "duplicate node " + Field.quoted(name) + ": first defined in line " + first);
        }
        return NodeEntry.ready(
                name, TaskSpec.SINGLE, PartitionConfiguration.DEFAULT_NAME, Resources.of(capacity), labels);
    }
}
