package dev.sluice.simulator.regression;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.MalformedLines;
import dev.sluice.simulator.workload.Workload;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The submissions of a workload from one instant, inclusive, to another, exclusive. */
record Window(Workload workload, Instant from, Instant to) implements Workload {

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
        return new Within(workload.open(), from, to);
    }

    private record Within(ArrivalStream arrivals, Instant from, Instant to) implements ArrivalStream {

        @Override
        public @Nullable Arrival next() throws IOException {
            Arrival next = arrivals.next();
            while (next != null
                    && (next.submitted().isBefore(from) || !next.submitted().isBefore(to))) {
                next = arrivals.next();
            }
            return next;
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
