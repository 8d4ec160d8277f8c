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
 * A file of separated values, plain or packed by gzip, each row of which is an application of one task; a mapping file says what its
 * columns mean ({@code docs/guides/workloads.md}).
 *
 * <p>While it is read, sixteen to thirty-two bytes are kept for each id that comes from a column, to find one that is there twice.
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
     * The workload in a file, by the part {@code applications} of a mapping file.
     *
     * @return the workload, or what is wrong with the mapping, or with the file's first line
     */
    public static ParseResult<CsvWorkload> read(Path file, Path mapping) {
        return MappingFile.read(
                file, mapping, MappingFile.APPLICATIONS, MappingKeys.APPLICATIONS, (table, part, sources) -> {
                    ApplicationMapping applications = ApplicationMapping.read(part, sources);
                    return applications == null ? null : new CsvWorkload(table, applications);
                });
    }

    /**
     * Looks for mistakes in a mapping file without a table: whether it has the columns that are named cannot be told.
     *
     * @return the parts that it has, or what is wrong with them
     */
    public static ParseResult<List<String>> checkMapping(Path mapping) {
        return MappingFile.check(mapping);
    }

    @Override
    public String name() {
        return table.name();
    }

    /** None: nodes have a file of their own, {@link CsvNodes}. */
    @Override
    public List<NodeEntry> nodes() {
        return List.of();
    }

    @Override
    public ArrivalStream open() throws IOException {
        return new CsvArrivals(table, mapping);
    }
}
