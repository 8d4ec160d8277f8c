package dev.sluice.simulator.workload;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The arrivals of a workload, in the order of the workload. */
public interface ArrivalStream extends AutoCloseable {

    /** Returns the next arrival, or null after the last. */
    @Nullable Arrival next() throws IOException;

    /** Returns the malformed lines so far. */
    MalformedLines malformed();

    @Override
    void close() throws IOException;
}
