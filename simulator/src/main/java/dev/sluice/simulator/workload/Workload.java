package dev.sluice.simulator.workload;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.io.IOException;
import java.util.List;

/**
 * Work as it was or might be submitted. It can be opened again and again and is the same each time; nothing of it is kept in memory
 * between the arrivals unless it says so.
 */
public interface Workload {

    /** What people call it: the name of its file. */
    String name();

    /** The nodes that it tells of; empty if it does not. */
    List<NodeEntry> nodes();

    /** How it divides its nodes among queues; empty if it does not say so. */
    default List<PartitionConfiguration> partitions() {
        return List.of();
    }

    /** Begins at the beginning. Several may be open at a time, in different threads. */
    ArrivalStream open() throws IOException;
}
