package dev.sluice.simulator.workload;

import dev.sluice.config.reference.FileFormat;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.simulator.workload.csv.CsvWorkload;
import dev.sluice.simulator.workload.synthetic.SyntheticWorkload;
import java.util.List;

/** The formats of workload files with keys, for references and JSON schemas. */
public final class WorkloadFormats {

    /** Synthetic workloads, or job files whose tasks have durations. */
    public static final FileFormat WORKLOAD = new FileFormat(
            "workload", "Sluice workload of a simulation", List.of(SyntheticWorkload.KEYS, JobFileReader.KEYS));

    /** Mappings of the columns of tables. */
    public static final FileFormat MAPPING =
            new FileFormat("mapping", "Sluice mapping of the columns of a table", List.of(CsvWorkload.MAPPING_KEYS));

    private WorkloadFormats() {}
}
