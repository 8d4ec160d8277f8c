package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.MalformedLines;
import dev.sluice.simulator.workload.Workload;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A workload of given or lazily created arrivals. */
record ListedWorkload(Iterable<Arrival> arrivals) implements Workload {

    @Override
    public String name() {
        return "listed";
    }

    @Override
    public List<NodeEntry> nodes() {
        return List.of();
    }

    @Override
    public List<PartitionConfiguration> partitions() {
        return List.of();
    }

    @Override
    public ArrivalStream open() {
        return new Listed(arrivals.iterator());
    }

    private record Listed(Iterator<Arrival> arrivals) implements ArrivalStream {

        @Override
        public @Nullable Arrival next() {
            return arrivals.hasNext() ? arrivals.next() : null;
        }

        @Override
        public MalformedLines malformed() {
            return MalformedLines.NONE;
        }

        @Override
        public void close() {}
    }
}
