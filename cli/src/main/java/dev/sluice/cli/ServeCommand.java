package dev.sluice.cli;

import dev.sluice.cli.source.SourceFile;
import dev.sluice.config.notification.NotificationFile;
import dev.sluice.config.notification.NotificationReader;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.QuantityException;
import dev.sluice.kubernetes.lease.LeaseSettings;
import dev.sluice.runtime.host.HostLimits;
import dev.sluice.runtime.host.NodeProvider;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.local.LocalMachine;
import dev.sluice.runtime.machine.Accounts;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.server.Daemon;
import dev.sluice.server.DaemonSettings;
import dev.sluice.server.http.ListenSettings;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Runs the server. */
@Command(
        name = "serve",
        description = {
            "Run the scheduler as a server",
            "",
            "Accepts applications over REST and runs their tasks on this machine. Acknowledged requests are on disk:"
                    + " after a crash the server resumes where it left off and finds its tasks, which keep running."
                    + " Commands on this machine use a Unix socket, on which the kernel names the caller; TCP, on 127.0.0.1"
                    + " unless --listen is given, requires tokens.",
            "",
            "Each task run has a scratch folder (SLUICE_SCRATCH), removed when it ends; the tasks of an application"
                    + " share a folder (SLUICE_RUN_DIRECTORY). Tasks see PATH, HOME, USER, LANG, LC_*, SLUICE_* and"
                    + " their own env. If callers are verified and the server runs as root, each task runs as its"
                    + " submitter, who must have an account on this machine.",
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice serve                 # data in .sluice/server",
            "  sluice serve --data /var/lib/sluice/data --config queues.yaml",
            "  sluice serve --no-node       # run no tasks here",
            "  sluice serve --kubernetes --kubeconfig ~/.kube/config   # schedule pods",
            "  sluice serve --socket /run/sluice/sluice.sock   # for several users",
            "  sluice serve --database-url postgresql://sluice@db/sluice \\",
            "      --password-file /run/secrets/sluice",
            "",
            "Environment: SLUICE_LOG=json logs one JSON object per line; SLUICE_LOG_LEVEL is the log level (INFO).",
            "",
            "Exit codes: 0 stopped by SIGTERM or Ctrl-C, 1 fatal error or replaced by another server, 2 cannot start."
        })
final class ServeCommand implements Callable<Integer> {

    private static final int PORT_MAX = 65535;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ".sluice/server",
            description = "Data folder (journal and task logs). Default: .sluice/server.")
    private Path data = Path.of(".sluice/server");

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "Folder for the scratch folders of tasks. Default: the data folder's name with" + " -work added.")
    private @Nullable Path work;

    @Option(
            names = "--log-max",
            paramLabel = "SIZE",
            defaultValue = "1Gi",
            converter = SizeConverter.class,
            description = "Maximum log size of a task, such as 500M. Default: 1Gi.")
    private long logMax;

    @Option(
            names = "--adopt",
            description = "Take over a journal that belongs to another data folder. Its unfinished tasks run"
                    + " again: make sure that none of them still runs elsewhere.")
    private boolean adopt;

    @Option(
            names = "--database-url",
            paramLabel = "URL",
            description = "PostgreSQL database for the journal: postgresql://user@host:port/database.")
    private @Nullable String database;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File with the database password. Default: the password in the URL, else PGPASSWORD.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "" + DaemonSettings.PORT_DEFAULT,
            description = "Port to listen on; 0 is any free port. Default: " + DaemonSettings.PORT_DEFAULT + ".")
    private int port;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Initial queue configuration; change it later with sluice config apply.")
    private @Nullable String config;

    @Option(names = "--no-node", description = "Run no tasks on this machine.")
    private boolean noNode;

    @Option(
            names = "--slots",
            paramLabel = "N",
            description = "Maximum number of tasks at a time on this machine. Default: limited by its cores.")
    private @Nullable Integer slots;

    @Mixin
    private MachineOptions machine = new MachineOptions();

    @Option(
            names = "--partition",
            paramLabel = "NAME",
            defaultValue = PartitionConfiguration.DEFAULT_NAME,
            description = "Partition of this machine's node. Default: default.")
    private String partition = PartitionConfiguration.DEFAULT_NAME;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Grace period between stopping and killing a task. Default: 10s.")
    private Duration grace = Duration.ofSeconds(10);

    @Option(
            names = "--stop-tasks",
            description = "Stop this machine's tasks on shutdown. Default: they keep running, and the next server"
                    + " finds them.")
    private boolean stopTasks;

    @Option(
            names = "--keep-journal",
            paramLabel = "TIME",
            defaultValue = "30d",
            description = "Retention of the journal. Default: 30d.")
    private Duration keepJournal = Retention.DEFAULT.journal();

    @Option(
            names = "--keep-history",
            paramLabel = "TIME",
            defaultValue = "365d",
            description =
                    "Retention of the history: ended applications, their runs, usage and logs, and the audit log. Default: 365d.")
    private Duration keepHistory = Retention.DEFAULT.finished();

    @Option(
            names = "--checkpoint-events",
            paramLabel = "N",
            defaultValue = "" + DaemonSettings.CHECKPOINT_EVENTS_DEFAULT,
            description = "Number of events between checkpoints, which speed up the next start. Default: 1000000.")
    private long checkpointEvents;

    @Option(
            names = "--retain-ended",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Number of ended applications kept in memory; all are in the history. Default: 10000.")
    private int remember;

    @Option(
            names = "--accept-loss",
            description =
                    "Start although acknowledged data is missing. Start without it first and" + " read the error.")
    private boolean acceptLoss;

    @Option(
            names = "--notifications",
            paramLabel = "FILE",
            description = "Webhooks and commands that are notified when applications end, tasks fail or queues exceed"
                    + " thresholds.")
    private @Nullable String notifications;

    @Mixin
    private AccessOptions access = new AccessOptions();

    @Mixin
    private TaskUserOptions users = new TaskUserOptions();

    @Mixin
    private KubernetesOptions kubernetes = new KubernetesOptions();

    @Mixin
    private ReplicaOptions replication = new ReplicaOptions();

    @Mixin
    private RateLimitOptions rateLimit = new RateLimitOptions();

    @Option(names = "--check", hidden = true, description = "Start, then stop.")
    private boolean check;

    @Override
    public Integer call() throws InterruptedException {
        requireValues();
        List<PartitionConfiguration> configuration =
                Partitions.of(config, spec, output).given();
        LeaseSettings lease = replication.lease(kubernetes.isGiven(), database != null);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        try (Replicas replicas = new Replicas(
                replication.isStandby(),
                lease == null ? null : kubernetes.election(lease, ServeCommand::halt),
                settings(configuration),
                this::say)) {
            var unused = replicas.lost().thenAccept(reason -> {
                say("fatal error: " + reason + "; another server may continue, so this one ends");
                ended.complete(null);
            });
            Daemon daemon = start(replicas, settings(configuration), ended);
            if (daemon == null) {
                return replicas.isReplaced() ? ExitCode.FAILED : ExitCode.OK;
            }
            return run(daemon, replicas, ended);
        }
    }

    /** Starts the server when it may start; returns null if it ends before. */
    private @Nullable Daemon start(Replicas replicas, DaemonSettings settings, CompletableFuture<Void> ended)
            throws InterruptedException {
        NodeProvider cluster = kubernetes.cluster(partition, replicas.permitted());
        if (replicas.isWaiting()) {
            register(ended);
        }
        try {
            while (replicas.await(ended)) {
                try {
                    return Daemon.start(settings, InstantSource.system(), progress(), cluster, replicas.settings());
                } catch (StoreException e) {
                    if (!replicas.isRetried(e)) {
                        throw e;
                    }
                }
            }
            return null;
        } catch (StoreException e) {
            return withoutStart(replicas, String.valueOf(e.getMessage()));
        } catch (BindException e) {
            throw new UserException(
                    String.valueOf(e.getMessage()).contains("in use")
                            ? "port " + port
                                    + " is already in use: stop the process that uses it or choose another --port"
                            : "cannot use the address of --listen: " + e.getMessage());
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            return withoutStart(replicas, "cannot start: " + e.getMessage());
        }
    }

    /** Ends the program; a server without its lease was not refused, but replaced. */
    private @Nullable Daemon withoutStart(Replicas replicas, String reason) {
        if (!replicas.isReplaced()) {
            throw new UserException(reason);
        }
        say("the lease was lost during the start: start the server again, and it waits for the lease; if this repeats,"
                + " use a longer --lease-duration");
        return null;
    }

    private int run(Daemon daemon, Replicas replicas, CompletableFuture<Void> ended) {
        daemon.warmUp();
        if (!isWithoutNode()) {
            say("limits of tasks: " + daemon.limits());
            say("tasks " + daemon.taskUsers());
        }
        if (daemon.isInsecure()) {
            say("warning: --insecure: everyone on this machine can do everything without a token"
                    + (isWithoutNode() ? "" : ", and run commands as " + System.getProperty("user.name")));
        }
        say("listening on " + addresses(daemon) + ", data in " + data);
        if (check) {
            daemon.close();
            return ExitCode.OK;
        }
        return serve(daemon, replicas, ended);
    }

    private static String addresses(Daemon daemon) {
        ListenSettings listen = daemon.listen();
        return (listen.tls() == null ? "http://" : "https://") + listen.urlHost() + ":" + daemon.port()
                + (listen.socket() == null ? "" : " and unix:" + listen.socket());
    }

    private void requireValues() {
        OptionValues.requireAtLeast(1, "--slots", slots);
        String without = withoutNode();
        String useless = slots != null
                ? "--slots"
                : work != null ? "--work" : machine.given() != null ? machine.given() : users.given();
        if (without != null && useless != null) {
            throw new UserException(useless + " has no effect with " + without + ": remove one of them");
        }
        OptionValues.requireAtLeast(0, "--retain-ended", remember);
        OptionValues.requireAtLeast(1, "--checkpoint-events", checkpointEvents);
        OptionValues.requireAtLeast(0, "--port", port);
        if (port > PORT_MAX) {
            throw new UserException("--port must be at most " + PORT_MAX + ", not " + port);
        }
        if (passwordFile != null && database == null) {
            throw new UserException("--password-file requires --database-url");
        }
    }

    /** Returns the option because of which no tasks run on this machine, or null. */
    private @Nullable String withoutNode() {
        return kubernetes.isGiven() ? "--kubernetes" : noNode ? "--no-node" : null;
    }

    private boolean isWithoutNode() {
        return withoutNode() != null;
    }

    private int serve(Daemon daemon, Replicas replicas, CompletableFuture<Void> ended) {
        if (!replicas.isWaiting()) {
            register(ended);
        }
        ServiceManager manager = new ServiceManager(System.getenv(), "systemd-notify", this::say);
        manager.ready("listening on port " + daemon.port());
        CompletableFuture<Void> unused = daemon.failure().thenRun(() -> ended.complete(null));
        ended.join();
        manager.stopping();
        daemon.close();
        if (daemon.failure().isDone()) {
            say("fatal error: " + daemon.failure().join().getMessage());
            return ExitCode.FAILED;
        }
        return replicas.lost().isDone() ? ExitCode.FAILED : ExitCode.OK;
    }

    private static void register(CompletableFuture<Void> ended) {
        for (String signal : List.of("TERM", "INT", "HUP")) {
            Signals.register(signal, () -> end(ended));
        }
    }

    /** Ends a program whose orderly end takes longer than its lease. */
    private static void halt() {
        Runtime.getRuntime().halt(ExitCode.FAILED);
    }

    /** A second signal halts at once; acknowledged requests are on disk and are not lost. */
    private static void end(CompletableFuture<Void> ended) {
        if (!ended.complete(null)) {
            Runtime.getRuntime().halt(128 + 2);
        }
    }

    private DaemonSettings settings(@Nullable List<PartitionConfiguration> configuration) {
        return new DaemonSettings(
                data,
                database,
                passwordFile,
                port,
                configuration,
                isWithoutNode() ? null : node(),
                grace,
                new DaemonSettings.TaskFiles(
                        work == null
                                ? DaemonSettings.TaskFiles.withSiblingFolders(data)
                                        .work()
                                : work.toAbsolutePath(),
                        logMax,
                        adopt),
                stopTasks ? DaemonSettings.ShutdownPolicy.STOP : DaemonSettings.ShutdownPolicy.KEEP_RUNNING,
                acceptLoss,
                checkpointEvents,
                new Retention(
                        keepJournal, keepHistory, Retention.DEFAULT.idempotency(), Retention.DEFAULT.checkpoints()),
                new HostLimits(
                        HostLimits.DEFAULT.inbox(), HostLimits.DEFAULT.batch(), remember, HostLimits.DEFAULT.retry()),
                DaemonSettings.BODY_MAX_DEFAULT,
                DaemonSettings.THREADS_DEFAULT,
                notificationFile(),
                rateLimit.applyTo(access.settings(data)));
    }

    private @Nullable NotificationFile notificationFile() {
        if (notifications == null) {
            return null;
        }
        SourceFile file = SourceFile.named(notifications, System.in);
        return BadInputException.valueOf(
                file.read(NotificationReader::read, NotificationReader::read), file, spec, output);
    }

    private DaemonSettings.LocalNode node() {
        Gpus gpus = machine.gpus();
        NodeEntry node = LocalMachine.node(partition, slots == null ? 0 : slots, gpus);
        return new DaemonSettings.LocalNode(
                partition,
                node.name(),
                node.capacity(),
                node.labels(),
                machine.confinement(gpus.count()).withAccounts(accounts()));
    }

    private Accounts accounts() {
        try {
            return users.accounts(!access.settings(data).insecure());
        } catch (IllegalStateException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    private ReplayListener progress() {
        return new ReplayListener() {
            @Override
            public void unreadableCheckpoint(long sequence, Exception problem) {
                say("unreadable checkpoint at event " + sequence + ", falling back to the previous one: "
                        + problem.getMessage());
            }

            @Override
            public void progress(long sequence, long last) {
                if (last > 0) {
                    say("replayed event " + sequence + " of " + last);
                }
            }
        };
    }

    private void say(String line) {
        spec.commandLine().getErr().println("sluice: " + line);
        spec.commandLine().getErr().flush();
    }

    /** Parses amounts of memory, such as {@code 500M}. */
    static final class SizeConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return Quantity.parse("memory", text).value();
            } catch (QuantityException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
