package dev.sluice.simulator.workload;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A workload with a transformation applied to each arrival; each pass starts with a new transformation. */
public final class TransformedWorkload implements Workload {

    private final Workload workload;
    private final Supplier<UnaryOperator<Arrival>> changes;

    /** Creates a workload whose passes each apply a change that the supplier creates for it. */
    public TransformedWorkload(Workload workload, Supplier<UnaryOperator<Arrival>> changes) {
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
    public Workload redrawn(long seed) {
        return new TransformedWorkload(workload.redrawn(seed), changes);
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
