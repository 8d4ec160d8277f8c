package dev.sluice.simulator.workload;

import dev.sluice.config.situation.NodeEntry;
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

    /** Begins at the beginning. */
    ArrivalStream open() throws IOException;
}
