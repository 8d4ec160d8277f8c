package dev.sluice.cli.simulate;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.config.snapshot.NodeListReader;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.QuantityException;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import dev.sluice.simulator.workload.csv.CsvNodes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The option {@code --nodes} of a simulation: a number of cores, identical nodes ({@code 16:vcore=32,memory=128Gi}), or
 * a file with a list of nodes. A range in place of a number ({@code 8..64/8}) sweeps over it; {@code gpu=8..64} sweeps
 * over the number of nodes of the group {@code gpu} of the workload, and {@code nodes.yaml:gpu=8..64} of a file.
 */
public final class NodesOption {

    private static final String NAME = "n";
    private static final String RANGE = "([0-9]{1,15})\\.\\.([0-9]{1,15})(?:/([0-9]{1,15}))?";
    private static final Pattern CORES = Pattern.compile("[0-9]{1,15}");
    private static final Pattern COUNTED = Pattern.compile("(?:([0-9]{1,9}):)?([^:=]+=.*)");
    private static final Pattern CORES_SWEEP = Pattern.compile(RANGE);
    private static final Pattern COUNT_SWEEP = Pattern.compile(RANGE + ":([^:=]+=.*)");
    private static final Pattern GROUP_SWEEP = Pattern.compile("(?![0-9./]+:)(?:(.+):)?([^:=,]+)=" + RANGE);
    private static final String CURE = "give a number of cores, nodes such as 16:vcore=32,memory=128Gi, a file with a"
            + " list of nodes, or a range such as gpu=8..64/8";

    private final String text;
    private final @Nullable Path mapping;
    private final List<NodeEntry> workloadNodes;

    private NodesOption(String text, @Nullable Path mapping, List<NodeEntry> workloadNodes) {
        this.text = text;
        this.mapping = mapping;
        this.workloadNodes = workloadNodes;
    }

    /** Returns the file that the value names, or null. */
    public static @Nullable String file(String text) {
        Matcher group = GROUP_SWEEP.matcher(text);
        if (group.matches()) {
            return group.group(1);
        }
        boolean described = CORES.matcher(text).matches()
                || COUNTED.matcher(text).matches()
                || CORES_SWEEP.matcher(text).matches()
                || COUNT_SWEEP.matcher(text).matches();
        return described ? null : text;
    }

    /** Whether the value names a table. */
    public static boolean isTable(String text) {
        String file = file(text);
        return file != null && (file.endsWith(".csv") || file.endsWith(".csv.gz"));
    }

    /**
     * Parses a value of the option.
     *
     * @param mapping column mapping of a table, or null
     * @param workloadNodes nodes of the workload, whose groups a range may refer to
     */
    public static ParseResult<NodeSweep> read(String text, @Nullable Path mapping, List<NodeEntry> workloadNodes) {
        NodesOption option = new NodesOption(text, mapping, workloadNodes);
        try {
            return option.read();
        } catch (IllegalArgumentException e) {
            return problem("--nodes " + text, e.getMessage() + ": " + CURE);
        }
    }

    private ParseResult<NodeSweep> read() {
        String file = file(text);
        if (file == null) {
            return new ParseResult<>(described(), List.of(), 0, List.of());
        }
        Path path = Path.of(file);
        if (!Files.exists(path)) {
            return problem(file, "file not found: " + CURE);
        }
        ParseResult<List<NodeEntry>> reading = isTable(text) ? table(path) : NodeListReader.read(path);
        Matcher group = GROUP_SWEEP.matcher(text);
        return group.matches()
                ? reading.map(nodes -> groupSweep(group, stem(file) + ":", nodes, file))
                : reading.map(nodes -> NodeSweep.single(new ExperimentCluster(stem(file), nodes)));
    }

    private NodeSweep described() {
        Matcher group = GROUP_SWEEP.matcher(text);
        if (group.matches()) {
            return groupSweep(group, "", workloadNodes, "the workload");
        }
        Matcher count = COUNT_SWEEP.matcher(text);
        if (count.matches()) {
            Map<String, Amount> amounts = amounts(count.group(4));
            return sweep(
                    count,
                    1,
                    number -> new ExperimentCluster(
                            number + ":" + count.group(4), List.of(node(NAME, (int) number, amounts))));
        }
        Matcher cores = CORES_SWEEP.matcher(text);
        if (cores.matches()) {
            return sweep(cores, 1, number -> new ExperimentCluster(number + " cores", List.of(pool(number))));
        }
        return NodeSweep.single(
                new ExperimentCluster(CORES.matcher(text).matches() ? text + " cores" : text, List.of(node(text))));
    }

    /** Sweeps over the number of nodes of one group; without nodes in it, the group is left out. */
    private NodeSweep groupSweep(Matcher range, String prefix, List<NodeEntry> nodes, String source) {
        String name = range.group(2);
        List<NodeEntry> groups =
                nodes.stream().filter(node -> node.name().equals(name)).toList();
        if (groups.size() != 1) {
            List<String> names =
                    nodes.stream().map(NodeEntry::name).distinct().limit(10).toList();
            throw new IllegalArgumentException(source + " has " + (groups.isEmpty() ? "no" : "several")
                    + " nodes named " + name + (names.isEmpty() ? "" : ", it has " + String.join(", ", names)));
        }
        NodeEntry group = groups.get(0);
        return sweep(range, nodes.size() > 1 ? 0 : 1, number -> {
            List<NodeEntry> all = new ArrayList<>();
            for (NodeEntry node : nodes) {
                if (!node.equals(group)) {
                    all.add(node);
                } else if (number > 0) {
                    all.add(node.withCount((int) number));
                }
            }
            return new ExperimentCluster(prefix + name + "=" + number, all);
        });
    }

    /** @param range a match whose last groups are the first number, the last number and the step */
    private static NodeSweep sweep(Matcher range, long least, LongFunction<ExperimentCluster> ofNumber) {
        int at = range.pattern() == GROUP_SWEEP ? 3 : 1;
        long from = Long.parseLong(range.group(at));
        long to = Long.parseLong(range.group(at + 1));
        long step = range.group(at + 2) == null ? 1 : Long.parseLong(range.group(at + 2));
        if (from < least) {
            throw new IllegalArgumentException("the range must begin at " + least + " or more");
        }
        if (from > to) {
            throw new IllegalArgumentException(
                    "the range " + from + ".." + to + " is empty: its end is before its begin");
        }
        if (step == 0) {
            throw new IllegalArgumentException("the step must be greater than 0");
        }
        boolean counts = range.pattern() != CORES_SWEEP;
        if ((to - from) / step >= NodeSweep.SIZE_MAX || (counts && to > NodeEntry.COUNT_MAX)) {
            throw new IllegalArgumentException("the range may have at most " + NodeSweep.SIZE_MAX
                    + " values, and a group at most " + NodeEntry.COUNT_MAX + " nodes");
        }
        return new NodeSweep(from, step, (int) ((to - from) / step) + 1, ofNumber);
    }

    private static String stem(String file) {
        String plain = file.substring(file.lastIndexOf('/') + 1);
        int dot = plain.indexOf('.');
        return dot > 0 ? plain.substring(0, dot) : plain;
    }

    private ParseResult<List<NodeEntry>> table(Path file) {
        return mapping == null
                ? problem(file.toString(), "a table requires a column mapping: add --mapping")
                : CsvNodes.read(file, mapping);
    }

    private static <T> ParseResult<T> problem(String name, String message) {
        return new ParseResult<>(null, List.of(new Problem(name, 0, 0, "", message)), 0, List.of());
    }

    private static NodeEntry node(String text) {
        if (CORES.matcher(text).matches()) {
            if (text.chars().allMatch(digit -> digit == '0')) {
                throw new IllegalArgumentException("the number of cores must be greater than 0");
            }
            return pool(Long.parseLong(text));
        }
        Matcher counted = COUNTED.matcher(text);
        if (!counted.matches()) {
            throw new IllegalArgumentException("invalid nodes");
        }
        int count = counted.group(1) == null ? TaskSpec.SINGLE : Integer.parseInt(counted.group(1));
        if (counted.group(1) != null && (count < 1 || count > NodeEntry.COUNT_MAX)) {
            throw new IllegalArgumentException("the number of nodes must be from 1 to " + NodeEntry.COUNT_MAX);
        }
        return node(NAME, count, amounts(counted.group(2)));
    }

    private static Map<String, Amount> amounts(String text) {
        Map<String, Amount> amounts = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("\"" + part + "\" is not a resource amount");
            }
            String type = ResourceTypes.canonicalName(part.substring(0, equals).strip());
            if (amounts.put(type, quantity(type, part.substring(equals + 1).strip())) != null) {
                throw new IllegalArgumentException("duplicate resource " + type);
            }
        }
        if (amounts.values().stream().noneMatch(amount -> amount.value() > 0)) {
            throw new IllegalArgumentException("node capacity must not be empty");
        }
        return amounts;
    }

    private static Amount quantity(String type, String text) {
        if (text.contains("..")) {
            throw new IllegalArgumentException("a range may replace the number of nodes, not an amount");
        }
        try {
            return Quantity.parse(type, text);
        } catch (QuantityException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Returns one node with all cores. */
    private static NodeEntry pool(long cores) {
        String vcore = ResourceTypes.VCORE;
        return node("pool", TaskSpec.SINGLE, Map.of(vcore, quantity(vcore, Long.toString(cores))));
    }

    private static NodeEntry node(String name, int count, Map<String, Amount> amounts) {
        return NodeEntry.ready(
                name, count, PartitionConfiguration.DEFAULT_NAME, Resources.of(amounts), Collections.emptySortedMap());
    }
}
