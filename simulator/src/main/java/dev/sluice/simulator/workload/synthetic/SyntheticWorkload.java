package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.Keys;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.Workload;
import java.nio.file.Path;
import java.util.List;

/** Applications drawn from distributions, in order of submission. Nothing is kept in memory. */
public final class SyntheticWorkload implements Workload {

    /** The top-level key that identifies the file type. */
    public static final String KEY = "synthetic";

    /** The keys of a file with a synthetic workload. */
    public static final Keys KEYS = SyntheticKeys.WORKLOAD_FILE;

    private final String name;
    private final SyntheticSpec spec;
    private final List<NodeEntry> nodes;
    private final List<PartitionConfiguration> partitions;

    SyntheticWorkload(String name, SyntheticSpec spec, List<NodeEntry> nodes, List<PartitionConfiguration> partitions) {
        this.name = name;
        this.spec = spec;
        this.nodes = List.copyOf(nodes);
        this.partitions = List.copyOf(partitions);
    }

    /** Reads the workload that this file describes under {@code synthetic}. */
    public static ParseResult<SyntheticWorkload> read(Path file) {
        return SyntheticReader.read(file);
    }

    /**
     * Reads the workload that this text describes; the file name is used in messages and as the name of the workload.
     */
    public static ParseResult<SyntheticWorkload> read(String fileName, String text) {
        return SyntheticReader.read(fileName, text);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<NodeEntry> nodes() {
        return nodes;
    }

    /** Returns the queue configuration in the file; empty if it contains none. */
    @Override
    public List<PartitionConfiguration> partitions() {
        return partitions;
    }

    @Override
    public Workload redrawn(long seed) {
        return new SyntheticWorkload(name, spec.withSeed(spec.seed() ^ seed), nodes, partitions);
    }

    @Override
    public ArrivalStream open() {
        return new SyntheticStream(spec);
    }
}
