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
import dev.sluice.core.state.NodeHealth;
import dev.sluice.simulator.workload.csv.CsvNodes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The option {@code --nodes} of a simulation: a number of cores, identical nodes ({@code 16:vcore=32,memory=128Gi}), or
 * a file with a list of nodes.
 */
public final class NodesOption {

    private static final String NAME = "n";
    private static final Pattern CORES = Pattern.compile("[0-9]{1,15}");
    private static final Pattern COUNTED = Pattern.compile("(?:([0-9]{1,9}):)?([^:=]+=.*)");
    private static final String CURE =
            "give a number of cores, nodes such as 16:vcore=32,memory=128Gi, or a file with a list of nodes";

    private NodesOption() {}

    /** Whether the value names a file. */
    public static boolean isFile(String text) {
        return !CORES.matcher(text).matches() && !COUNTED.matcher(text).matches();
    }

    /**
     * Parses the value of the option.
     *
     * @param mapping column mapping of a table, or null
     */
    public static ParseResult<List<NodeEntry>> read(String text, @Nullable Path mapping) {
        if (isFile(text)) {
            Path file = Path.of(text);
            if (!Files.exists(file)) {
                return problem(text, "file not found: " + CURE);
            }
            return isTable(text) ? table(file, mapping) : NodeListReader.read(file);
        }
        try {
            return new ParseResult<>(List.of(node(text)), List.of(), 0, List.of());
        } catch (IllegalArgumentException e) {
            return problem("--nodes " + text, e.getMessage() + ": " + CURE);
        }
    }

    /** Whether the value names a table. */
    public static boolean isTable(String text) {
        return isFile(text) && (text.endsWith(".csv") || text.endsWith(".csv.gz"));
    }

    private static ParseResult<List<NodeEntry>> table(Path file, @Nullable Path mapping) {
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
            return node("pool", TaskSpec.SINGLE, Map.of(ResourceTypes.VCORE, quantity(ResourceTypes.VCORE, text)));
        }
        Matcher counted = COUNTED.matcher(text);
        if (!counted.matches()) {
            throw new IllegalArgumentException("invalid nodes");
        }
        int count = counted.group(1) == null ? TaskSpec.SINGLE : Integer.parseInt(counted.group(1));
        if (counted.group(1) != null && (count < 1 || count > NodeEntry.COUNT_MAX)) {
            throw new IllegalArgumentException("the number of nodes must be from 1 to " + NodeEntry.COUNT_MAX);
        }
        Map<String, Amount> amounts = new TreeMap<>();
        for (String part : counted.group(2).split(",", -1)) {
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
        return node(NAME, count, amounts);
    }

    private static Amount quantity(String type, String text) {
        try {
            return Quantity.parse(type, text);
        } catch (QuantityException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static NodeEntry node(String name, int count, Map<String, Amount> amounts) {
        return new NodeEntry(
                name,
                count,
                PartitionConfiguration.DEFAULT_NAME,
                Resources.of(amounts),
                Collections.emptySortedMap(),
                NodeHealth.READY,
                false,
                null);
    }
}
