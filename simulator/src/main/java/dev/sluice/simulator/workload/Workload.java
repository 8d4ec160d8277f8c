package dev.sluice.simulator.workload;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.io.IOException;
import java.util.List;

/**
 * A recorded or synthetic sequence of submissions. Every pass returns the same arrivals; unless documented otherwise,
 * nothing is kept in memory between arrivals.
 */
public interface Workload {

    /** Returns the name of the workload, which is the name of its file. */
    String name();

    /** Returns the nodes that the workload describes; empty if it describes none. */
    List<NodeEntry> nodes();

    /** Returns the queue configuration that the workload contains; empty if it contains none. */
    default List<PartitionConfiguration> partitions() {
        return List.of();
    }

    /**
     * Returns a workload drawn anew from the same distributions; the same seed gives the same workload. A recorded
     * workload returns itself.
     */
    default Workload redrawn(long seed) {
        return this;
    }

    /** Starts a pass. Several passes may be open at the same time, in different threads. */
    ArrivalStream open() throws IOException;
}
