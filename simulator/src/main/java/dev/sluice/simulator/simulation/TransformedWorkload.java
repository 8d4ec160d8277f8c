package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.MalformedLines;
import dev.sluice.simulator.workload.Workload;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A workload with a transformation applied to each arrival; each pass starts with a new transformation. */
final class TransformedWorkload implements Workload {

    private final Workload workload;
    private final Supplier<UnaryOperator<Arrival>> changes;

    TransformedWorkload(Workload workload, Supplier<UnaryOperator<Arrival>> changes) {
        this.workload = workload;
        this.changes = changes;
    }

    @Override
    public String name() {
        return workload.name();
    }

    @Override
    public List<NodeEntry> nodes() {
        return workload.nodes();
    }

    @Override
    public List<PartitionConfiguration> partitions() {
        return workload.partitions();
    }

    @Override
    public ArrivalStream open() throws IOException {
        return new TransformedStream(workload.open(), changes.get());
    }

    private record TransformedStream(ArrivalStream arrivals, UnaryOperator<Arrival> change) implements ArrivalStream {

        @Override
        public @Nullable Arrival next() throws IOException {
            Arrival next = arrivals.next();
            return next == null ? null : change.apply(next);
        }

        @Override
        public MalformedLines malformed() {
            return arrivals.malformed();
        }

        @Override
        public void close() throws IOException {
            arrivals.close();
        }
    }
}
