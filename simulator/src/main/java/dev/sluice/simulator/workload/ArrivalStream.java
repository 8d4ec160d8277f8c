package dev.sluice.simulator.workload;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The arrivals of a workload, one after the other, in the order in which the workload has them. */
public interface ArrivalStream extends AutoCloseable {

    /** The next one, or null after the last. */
    @Nullable Arrival next() throws IOException;

    /** What could not be read so far. */
    MalformedLines malformed();

    @Override
    void close() throws IOException;
}
