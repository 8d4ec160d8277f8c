package dev.sluice.simulator.workload.swf;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.lines.LineReader;
import dev.sluice.simulator.workload.lines.OpenFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/**
 * A log in the Standard Workload Format, version 2.2, plain or gzipped.
 *
 * <p>A job is an application of one task that requests all of the job's processors at once: the machine of the log is a
 * single node, {@link #POOL}, with the number of cores from the header. {@link SwfArrivals} describes the mapping of
 * the columns.
 *
 * <p>Source of the format: <a href="https://www.cs.huji.ac.il/labs/parallel/workload/swf.html">Parallel Workloads
 * Archive</a>.
 */
public final class SwfWorkload implements Workload {

    /** The name of the node that represents the machine of the log. */
    public static final String POOL = "pool";

    /** The size of one processor in base units of {@link ResourceTypes#VCORE}. */
    static final long PROCESSOR = 1000;

    private final Path file;
    private final SwfHeader header;

    private SwfWorkload(Path file, SwfHeader header) {
        this.file = file;
        this.header = header;
    }

    /** Opens the log in this file and reads its header. */
    public static ParseResult<SwfWorkload> read(Path file) {
        Problems problems = new Problems(file.toString());
        try (LineReader lines = LineReader.open(file)) {
            SwfHeader header = new SwfHeaderReader(problems).read(lines);
            return problems.result(new SwfWorkload(file, header));
        } catch (IOException e) {
            problems.error(0, 0, OpenFailure.message(e));
            return problems.result(null);
        }
    }

    @Override
    public String name() {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }

    /** Returns one node with the processors from the header; none if the header has no number of processors. */
    @Override
    public List<NodeEntry> nodes() {
        if (header.processors() == 0) {
            return List.of();
        }
        return List.of(NodeEntry.ready(
                POOL,
                TaskSpec.SINGLE,
                PartitionConfiguration.DEFAULT_NAME,
                Resources.of(ResourceTypes.VCORE, header.processors() * PROCESSOR),
                Collections.emptySortedMap()));
    }

    @Override
    public ArrivalStream open() throws IOException {
        return new SwfArrivals(file.toString(), LineReader.open(file), header);
    }
}
