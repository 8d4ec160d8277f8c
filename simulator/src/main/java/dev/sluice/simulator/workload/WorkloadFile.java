package dev.sluice.simulator.workload;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlMap;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.simulator.workload.csv.CsvWorkload;
import dev.sluice.simulator.workload.jobs.JobFileWorkload;
import dev.sluice.simulator.workload.swf.SwfWorkload;
import dev.sluice.simulator.workload.synthetic.SyntheticWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the reader of a workload file by its extension; with a mapping, a file with any other extension is a table.
 */
public final class WorkloadFile {

    private static final String PACKED = ".gz";
    private static final Map<String, FileFormat> EXTENSIONS = extensions();

    /** The kind of a file. */
    private enum FileFormat {
        LOG,
        TABLE,
        YAML
    }

    private WorkloadFile() {}

    private static Map<String, FileFormat> extensions() {
        Map<String, FileFormat> extensions = new LinkedHashMap<>();
        extensions.put(".swf", FileFormat.LOG);
        extensions.put(".csv", FileFormat.TABLE);
        extensions.put(".tsv", FileFormat.TABLE);
        extensions.put(".yaml", FileFormat.YAML);
        extensions.put(".yml", FileFormat.YAML);
        extensions.put(".json", FileFormat.YAML);
        return extensions;
    }

    /**
     * Reads the workload in a file.
     *
     * @param mapping describes the columns of a table; null for other files
     */
    public static ParseResult<? extends Workload> read(Path file, @Nullable Path mapping) {
        Problems problems = new Problems(file.toString());
        FileFormat kind = kind(file);
        if (mapping != null) {
            if (mayBeTable(file)) {
                return CsvWorkload.read(file, mapping);
            }
            problems.error(
                    0,
                    0,
                    (kind == FileFormat.LOG ? "a log in the Standard Workload Format" : "a YAML or JSON workload")
                            + " needs no mapping: remove it");
            return problems.result(null);
        }
        if (kind == FileFormat.YAML) {
            return isSynthetic(file) ? SyntheticWorkload.read(file) : JobFileWorkload.read(file);
        }
        if (kind == FileFormat.LOG) {
            return SwfWorkload.read(file);
        }
        problems.error(
                0,
                0,
                Files.notExists(file)
                        ? "file not found"
                        : kind == FileFormat.TABLE
                                ? "a table needs a mapping file that describes its columns"
                                : "unknown workload format: expected .swf or .swf.gz for a log, .yaml, .yml or .json"
                                        + " for jobs with durations or a synthetic workload, or a mapping file"
                                        + " for a table");
        return problems.result(null);
    }

    /** Whether a file may be a table, which needs a mapping: a file with an unknown or a table extension. */
    public static boolean mayBeTable(Path file) {
        FileFormat kind = kind(file);
        return kind == null || kind == FileFormat.TABLE;
    }

    /**
     * Whether a document has the key of synthetic workloads; an unreadable one is left to the reader of job files,
     * which reports the problem.
     */
    private static boolean isSynthetic(Path file) {
        return YamlReader.read(file, new Problems(file.toString())) instanceof YamlMap map
                && map.find(SyntheticWorkload.KEY) != null;
    }

    private static @Nullable FileFormat kind(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        String plain = name.endsWith(PACKED) ? name.substring(0, name.length() - PACKED.length()) : name;
        for (Map.Entry<String, FileFormat> each : EXTENSIONS.entrySet()) {
            if (plain.endsWith(each.getKey())) {
                return each.getValue();
            }
        }
        return null;
    }
}
