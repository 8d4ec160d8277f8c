package dev.sluice.server;

import dev.sluice.config.notification.NotificationFile;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.host.HostLimits;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.store.DataFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a server.
 *
 * @param data the data folder: the journal unless it is in PostgreSQL, task logs, and records of task processes
 * @param database the address of the PostgreSQL database with the journal, or null for a file in {@code data}
 * @param passwordFile a file with the password of the database, or null
 * @param port the port to listen on; 0 for any free port
 * @param configuration the initial configuration, used if the journal has none; null for the default configuration
 * @param node this machine as a node, or null if agents run all tasks
 * @param grace how long a stopped task may take to end before it is killed
 * @param files folders and limits of the tasks that run on this machine
 * @param shutdownPolicy what happens to tasks of this machine when the server ends
 * @param acceptLoss whether to start although acknowledged events are missing
 * @param checkpointEvents number of events between checkpoints
 * @param retention how long history is kept
 * @param limits limits of the scheduler loop
 * @param bodyMax the largest request body, in bytes
 * @param threads number of requests handled concurrently
 * @param notifications who is notified of what; null for nobody
 * @param access how the server knows its callers
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
        HostLimits limits,
        long bodyMax,
        int threads,
        @Nullable NotificationFile notifications,
        AccessSettings access) {

    /** The default port. */
    public static final int PORT_DEFAULT = 7450;

    /** Name of the Unix socket in the data folder, on which a server listens unless it is given another one. */
    public static final String SOCKET = DataFolder.SOCKET;

    /** The default of {@code bodyMax}: 16 MiB. */
    public static final long BODY_MAX_DEFAULT = 16L << 20;

    /** The default of {@code threads}. */
    public static final int THREADS_DEFAULT = 256;

    /** The default of {@code checkpointEvents}. */
    public static final long CHECKPOINT_EVENTS_DEFAULT = 1_000_000;

    /** What happens to tasks of this machine when the server ends. */
    public enum ShutdownPolicy {
        /** The tasks keep running, and the next server adopts them. */
        KEEP_RUNNING,
        /** The tasks are stopped, and run again later. */
        STOP
    }

    /**
     * This machine as a node of a partition.
     *
     * @param confinement what tasks may use of it
     */
    public record LocalNode(
            String partition,
            String name,
            Resources capacity,
            SortedMap<String, String> labels,
            Confinement confinement) {}

    /**
     * Folders and limits of the tasks that run on this machine.
     *
     * @param work the parent of the scratch folders, outside the data folder
     * @param logMax the maximum size of one task's log, in bytes
     * @param adopt whether to take over a journal that belongs to another data folder
     */
    public record TaskFiles(Path work, long logMax, boolean adopt) {

        /** The default of {@code logMax}: 1 GiB. */
        public static final long LOG_MAX_DEFAULT = 1L << 30;

        /** Throws {@link IllegalArgumentException} if {@code logMax} is not positive. */
        public TaskFiles {
            if (logMax < 1) {
                throw new IllegalArgumentException("logMax must be greater than 0: " + logMax);
            }
        }

        /**
         * Returns the default files: the work folder is beside the data folder and has its name with the suffix
         * {@code -work}.
         */
        public static TaskFiles withSiblingFolders(Path data) {
            Path absolute = data.toAbsolutePath().normalize();
            Path name = absolute.getFileName();
            return new TaskFiles(absolute.resolveSibling(name + "-work"), LOG_MAX_DEFAULT, false);
        }
    }

    /** Returns a copy with other task files. */
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
                threads,
                notifications,
                access);
    }

    /** Returns default settings for this data folder, with any free port and without a node. */
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
                HostLimits.DEFAULT,
                BODY_MAX_DEFAULT,
                THREADS_DEFAULT,
                null,
                AccessSettings.INSECURE);
    }

    /** Returns a copy with this machine as a node. */
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
                threads,
                notifications,
                access);
    }

    /** Returns a copy with this initial configuration. */
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
                threads,
                notifications,
                access);
    }

    /** Returns a copy with another retention. */
    public DaemonSettings withRetention(Retention newRetention) {
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
                newRetention,
                limits,
                bodyMax,
                threads,
                notifications,
                access);
    }

    /** Returns a copy with other limits. */
    public DaemonSettings withLimits(HostLimits newLimits) {
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
                threads,
                notifications,
                access);
    }

    /** Returns a copy with these notifications. */
    public DaemonSettings withNotifications(@Nullable NotificationFile newNotifications) {
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
                limits,
                bodyMax,
                threads,
                newNotifications,
                access);
    }

    /** Returns a copy with these access settings. */
    public DaemonSettings withAccess(AccessSettings newAccess) {
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
                limits,
                bodyMax,
                threads,
                notifications,
                newAccess);
    }
}
