package dev.sluice.runtime.host;

import dev.sluice.runtime.journal.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Provides nodes of another system, and runs tasks there. Its projection is called like any other.
 *
 * <p>The other system is the truth about its nodes and about what runs on them, so after a restart the state is made
 * to follow it before anything is decided.
 */
public interface NodeProvider extends Projection, TaskAdmission, RemoteLogs, RunObstacles, AutoCloseable {

    /** Returns the name of the other system, as people write it. */
    String name();

    /** Returns the partition that contains its nodes, and no others. */
    String partition();

    /** Returns since when and why the other system cannot be reached; null if it can. Thread-safe. */
    @Nullable String problem();

    /** Registers its metrics; called before {@link #open}. */
    void register(MetricRegistry registry);

    /** Finds out what there is; waits until that is known. */
    void open() throws InterruptedException;

    /**
     * Makes the state follow what there is, and continues to do so. Called after {@link #open}, before the host is
     * started, when its runs have been adopted and partitions are configured.
     *
     * @param configurations keeps the revisions of the configuration if the other system changes it
     * @throws StoreException if the difference cannot be written to the journal
     */
    void attach(EngineHost host, ConfigurationRecorder configurations) throws StoreException;

    /** Releases all resources. What runs continues. */
    @Override
    void close();
}
