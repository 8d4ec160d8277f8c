package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Keys;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A workload in a file of delimiter-separated values, plain or gzipped, with one application of one task per row; a
 * mapping file describes its columns ({@code docs/guides/workloads.md}).
 *
 * <p>A pass keeps 16 to 32 bytes per id that comes from a column, to detect duplicates.
 */
public final class CsvWorkload implements Workload {

    /** The keys of a mapping file. */
    public static final Keys MAPPING_KEYS = MappingKeys.MAPPING;

    private final CsvTable table;
    private final ApplicationMapping mapping;

    private CsvWorkload(CsvTable table, ApplicationMapping mapping) {
        this.table = table;
        this.mapping = mapping;
    }

    /**
     * Reads the workload in a file, according to the section {@code applications} of a mapping file.
     *
     * @return the workload, or the problems of the mapping or of the file's first line
     */
    public static ParseResult<CsvWorkload> read(Path file, Path mapping) {
        return MappingFile.read(
                file, mapping, MappingFile.APPLICATIONS, MappingKeys.APPLICATIONS, (table, part, sources) -> {
                    ApplicationMapping applications = ApplicationMapping.read(part, sources);
                    return applications == null ? null : new CsvWorkload(table, applications);
                });
    }

    /**
     * Checks a mapping file without a table, and therefore not whether the columns exist.
     *
     * @return the sections it has, or its problems
     */
    public static ParseResult<List<String>> checkMapping(Path mapping) {
        return MappingFile.check(mapping);
    }

    @Override
    public String name() {
        return table.name();
    }

    /** Returns no nodes: they have a file of their own, {@link CsvNodes}. */
    @Override
    public List<NodeEntry> nodes() {
        return List.of();
    }

    @Override
    public ArrivalStream open() throws IOException {
        return new CsvArrivals(table, mapping);
    }
}
