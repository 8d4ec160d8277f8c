package dev.sluice.server;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.loop.LoopLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * How a server runs.
 *
 * @param data its folder: the journal, unless it is elsewhere, the logs of tasks, and what is known of processes
 * @param database the address of the PostgreSQL database that keeps the journal, or null for a file in {@code data}
 * @param passwordFile a file with the password of the database, or null
 * @param port where it listens; 0 for any port that is free
 * @param configuration what holds when nothing did before; null: the simplest
 * @param node this machine as a node, or null if tasks are run elsewhere
 * @param grace how long a task that is stopped may take to end before it is killed
 * @param files where the tasks that run here may write, and how much
 * @param shutdownPolicy what becomes of the tasks that run here when the server ends
 * @param acceptLoss whether to go on although acknowledged events are missing
 * @param checkpointEvents a checkpoint is made after so many events
 * @param retention how long things are kept
 * @param limits what it takes upon itself
 * @param bodyMax the largest request, in bytes
 * @param threads how many requests it works on at a time
 */
public record DaemonSettings(
        Path data,
        @Nullable String database,
        @Nullable Path passwordFile,
        int port,
        @Nullable List<PartitionConfiguration> configuration,
        @Nullable LocalNode node,
        Duration grace,
        TaskFiles files,
        ShutdownPolicy shutdownPolicy,
        boolean acceptLoss,
        long checkpointEvents,
        Retention retention,
        LoopLimits limits,
        long bodyMax,
        int threads) {

    /** The port where nobody says otherwise. */
    public static final int PORT_DEFAULT = 7450;

    /** The largest request where nobody says otherwise: 16 MB. */
    public static final long BODY_MAX_DEFAULT = 16L << 20;

    /** How many requests are worked on at a time where nobody says otherwise. */
    public static final int THREADS_DEFAULT = 256;

    /** After how many events a checkpoint is made where nobody says otherwise. */
    public static final long CHECKPOINT_EVENTS_DEFAULT = 1_000_000;

    /** What becomes of the tasks that run here when the server ends. */
    public enum ShutdownPolicy {
        /** They go on, and the next server finds them. */
        KEEP_RUNNING,
        /** They are stopped, and run again later. */
        STOP
    }

    /** This machine as a node of a partition. */
    public record LocalNode(String partition, String name, Resources capacity, SortedMap<String, String> labels) {}

    /**
     * Where the tasks that run here may write, and how much.
     *
     * @param work the folder of their scratch folders, outside of the data folder
     * @param logMax the most bytes of the log of one task
     * @param adopt whether to take over a journal of another data folder
     */
    public record TaskFiles(Path work, long logMax, boolean adopt) {

        /** The largest log of a task where nobody says otherwise: 1 GiB. */
        public static final long LOG_MAX_DEFAULT = 1L << 30;

        /** Throws {@link IllegalArgumentException} for a limit that leaves no room for anything. */
        public TaskFiles {
            if (logMax < 1) {
                throw new IllegalArgumentException("logMax must be greater than 0: " + logMax);
            }
        }

        /** With a work folder beside the data folder, whose name it has with {@code -work} at its end. */
        public static TaskFiles withSiblingFolders(Path data) {
            Path absolute = data.toAbsolutePath().normalize();
            Path name = absolute.getFileName();
            return new TaskFiles(absolute.resolveSibling(name + "-work"), LOG_MAX_DEFAULT, false);
        }
    }

    /** The same with other files of tasks. */
    public DaemonSettings withFiles(TaskFiles newFiles) {
        return new DaemonSettings(
                data,
                database,
                passwordFile,
                port,
                configuration,
                node,
                grace,
                newFiles,
                shutdownPolicy,
                acceptLoss,
                checkpointEvents,
                retention,
                limits,
                bodyMax,
                threads);
    }

    /** With this folder, everything else as it is usual, on any free port and without a node. */
    public static DaemonSettings in(Path data) {
        return new DaemonSettings(
                data,
                null,
                null,
                0,
                null,
                null,
                Duration.ofSeconds(10),
                TaskFiles.withSiblingFolders(data),
                ShutdownPolicy.KEEP_RUNNING,
                false,
                CHECKPOINT_EVENTS_DEFAULT,
                Retention.DEFAULT,
                LoopLimits.DEFAULT,
                BODY_MAX_DEFAULT,
                THREADS_DEFAULT);
    }

    /** The same with this machine as a node. */
    public DaemonSettings withNode(@Nullable LocalNode newNode) {
        return new DaemonSettings(
                data,
                database,
                passwordFile,
                port,
                configuration,
                newNode,
                grace,
                files,
                shutdownPolicy,
                acceptLoss,
                checkpointEvents,
                retention,
                limits,
                bodyMax,
                threads);
    }

    /** The same beginning with this configuration. */
    public DaemonSettings withConfiguration(@Nullable List<PartitionConfiguration> partitions) {
        return new DaemonSettings(
                data,
                database,
                passwordFile,
                port,
                partitions,
                node,
                grace,
                files,
                shutdownPolicy,
                acceptLoss,
                checkpointEvents,
                retention,
                limits,
                bodyMax,
                threads);
    }

    /** The same with other limits. */
    public DaemonSettings withLimits(LoopLimits newLimits) {
        return new DaemonSettings(
                data,
                database,
                passwordFile,
                port,
                configuration,
                node,
                grace,
                files,
                shutdownPolicy,
                acceptLoss,
                checkpointEvents,
                retention,
                newLimits,
                bodyMax,
                threads);
    }
}
