package dev.sluice.simulator.workload;

import dev.sluice.config.problem.Problems;
import dev.sluice.config.problem.Reading;
import dev.sluice.simulator.workload.csv.CsvWorkload;
import dev.sluice.simulator.workload.swf.SwfWorkload;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the reader for a workload's file: by the mapping that is given for it, which only a table needs, else by the extension of its
 * name.
 */
public final class WorkloadFile {

    private static final String PACKED = ".gz";
    private static final Map<String, Kind> EXTENSIONS = extensions();

    /** What a file is. */
    private enum Kind {
        LOG,
        TABLE
    }

    private WorkloadFile() {}

    private static Map<String, Kind> extensions() {
        Map<String, Kind> extensions = new LinkedHashMap<>();
        extensions.put(".swf", Kind.LOG);
        extensions.put(".csv", Kind.TABLE);
        extensions.put(".tsv", Kind.TABLE);
        return extensions;
    }

    /**
     * The workload in a file.
     *
     * @param mapping what the columns of a table mean; null for whatever is no table
     */
    public static Reading<? extends Workload> read(Path file, @Nullable Path mapping) {
        Problems problems = new Problems(file.toString());
        Kind kind = kind(file);
        if (mapping != null) {
            if (kind == Kind.LOG) {
                problems.error(
                        0, 0, "this is a log in the Standard Workload Format, which needs no mapping: leave it out");
                return problems.reading(null);
            }
            return CsvWorkload.read(file, mapping);
        }
        if (kind == Kind.LOG) {
            return SwfWorkload.read(file);
        }
        problems.error(
                0,
                0,
                kind == Kind.TABLE
                        ? "this is a table: give a mapping file that says what its columns mean"
                        : "this is no workload that is known: its name ends in .swf or .swf.gz for a log; for a table,"
                                + " give a mapping file");
        return problems.reading(null);
    }

    private static @Nullable Kind kind(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        String plain = name.endsWith(PACKED) ? name.substring(0, name.length() - PACKED.length()) : name;
        for (Map.Entry<String, Kind> each : EXTENSIONS.entrySet()) {
            if (plain.endsWith(each.getKey())) {
                return each.getValue();
            }
        }
        return null;
    }
}
