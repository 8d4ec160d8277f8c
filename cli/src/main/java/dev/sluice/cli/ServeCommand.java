package dev.sluice.cli;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.QuantityException;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.local.LocalMachine;
import dev.sluice.runtime.loop.LoopLimits;
import dev.sluice.server.Daemon;
import dev.sluice.server.DaemonSettings;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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
            "Run the server that a team shares: it takes applications in, runs their tasks on this machine or lets agents"
                    + " run them elsewhere, and remembers everything.",
            "Whatever it has acknowledged is on disk: it goes on after a crash where it was, and finds its tasks again, which"
                    + " go on without it. It listens on 127.0.0.1 alone.",
            "Tasks run in scratch folders of their own (SLUICE_SCRATCH), removed at their end, and share a folder per application"
                    + " (SLUICE_RUN_DIRECTORY). They see PATH, HOME, USER, LANG, LC_*, SLUICE_* and their own env.",
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice serve                                        with a folder of its own, .sluice/server",
            "  sluice serve --data /var/lib/sluice --config queues.yaml",
            "  sluice serve --no-node                              agents run the tasks",
            "  sluice serve --database-url postgresql://sluice@db/sluice --password-file /run/secrets/sluice",
            "",
            "SLUICE_LOG=json has it log an object of JSON in each line; SLUICE_LOG_LEVEL (INFO) says how much.",
            "",
            "Exit codes: 0 it was told to end (SIGTERM or Ctrl-C), 1 it could not go on, 2 it could not start."
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
            description = "Where it keeps what must not be lost, and the logs of tasks. Default: .sluice/server.")
    private Path data = Path.of(".sluice/server");

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "Where tasks run that name no directory: each run has a scratch folder there, SLUICE_SCRATCH, which is"
                            + " removed at its end. Default: beside the data folder, with -work added to its name.")
    private @Nullable Path work;

    @Option(
            names = "--log-max",
            paramLabel = "SIZE",
            defaultValue = "1Gi",
            converter = SizeConverter.class,
            description = "The most that is kept of the output of a task, such as 500M. Default: 1Gi.")
    private long logMax;

    @Option(
            names = "--adopt",
            description =
                    "Take over a journal that belongs to another data folder. Its unfinished tasks run again: make sure that"
                            + " none of them still runs elsewhere.")
    private boolean adopt;

    @Option(
            names = "--database-url",
            paramLabel = "URL",
            description = "Keep the journal in this PostgreSQL database: postgresql://user@host:port/database.")
    private @Nullable String database;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "A file with the password of the database. Without it: the URL, or PGPASSWORD.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "" + DaemonSettings.PORT_DEFAULT,
            description = "Where it listens; 0: any port that is free. Default: " + DaemonSettings.PORT_DEFAULT + ".")
    private int port;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The queue configuration to begin with. Later ones are applied with sluice config apply.")
    private @Nullable String config;

    @Option(names = "--no-node", description = "Run no tasks on this machine.")
    private boolean noNode;

    @Option(
            names = "--slots",
            paramLabel = "N",
            description = "Run at most so many tasks at a time on this machine. Default: as many as its cores allow.")
    private @Nullable Integer slots;

    @Option(
            names = "--partition",
            paramLabel = "NAME",
            defaultValue = PartitionConfiguration.DEFAULT_NAME,
            description = "The partition that this machine is a node of. Default: default.")
    private String partition = PartitionConfiguration.DEFAULT_NAME;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long a task that is stopped may take to end before it is killed. Default: 10s.")
    private Duration grace = Duration.ofSeconds(10);

    @Option(
            names = "--stop-tasks",
            description =
                    "Stop the tasks that run here when the server ends. Without it they go on, and the next server finds them.")
    private boolean stopTasks;

    @Option(
            names = "--keep-journal",
            paramLabel = "TIME",
            defaultValue = "30d",
            description = "How long the journal is kept for history and audit. Default: 30d.")
    private Duration keepJournal = Retention.DEFAULT.journal();

    @Option(
            names = "--keep-history",
            paramLabel = "TIME",
            defaultValue = "365d",
            description = "How long it is kept what became of applications. Default: 365d.")
    private Duration keepHistory = Retention.DEFAULT.finished();

    @Option(
            names = "--checkpoint-events",
            paramLabel = "N",
            defaultValue = "" + DaemonSettings.CHECKPOINT_EVENTS_DEFAULT,
            description = "Make a checkpoint after so many events, which makes the next start short. Default: 1000000.")
    private long checkpointEvents;

    @Option(
            names = "--retain-ended",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "How many applications that have ended stay in memory; all are in the history. Default: 10000.")
    private int remember;

    @Option(
            names = "--accept-loss",
            description =
                    "Start although something is missing that had been acknowledged. Read what it says without this first.")
    private boolean acceptLoss;

    @Option(names = "--check", hidden = true, description = "Start, and end at once.")
    private boolean check;

    @Override
    public Integer call() throws InterruptedException {
        requireValues();
        List<PartitionConfiguration> configuration =
                Partitions.of(config, spec, output).given();
        Daemon daemon;
        try {
            daemon = Daemon.start(settings(configuration), InstantSource.system(), progress());
        } catch (StoreException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        } catch (BindException e) {
            throw new UserException("port " + port + " is taken: is another server running? Choose one with --port");
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw new UserException("cannot start: " + e.getMessage());
        }
        say("listening on http://127.0.0.1:" + daemon.port() + ", data in " + data);
        if (check) {
            daemon.close();
            return ExitCode.OK;
        }
        return serve(daemon);
    }

    private void requireValues() {
        OptionValues.requireAtLeast(1, "--slots", slots);
        if (noNode && (slots != null || work != null)) {
            throw new UserException(
                    (slots != null ? "--slots" : "--work") + " has no effect with --no-node: leave one of them out");
        }
        OptionValues.requireAtLeast(0, "--retain-ended", remember);
        OptionValues.requireAtLeast(1, "--checkpoint-events", checkpointEvents);
        OptionValues.requireAtLeast(0, "--port", port);
        if (port > PORT_MAX) {
            throw new UserException("--port must be " + PORT_MAX + " or less, not " + port);
        }
        if (passwordFile != null && database == null) {
            throw new UserException("--password-file needs --database-url");
        }
    }

    private int serve(Daemon daemon) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        for (String signal : List.of("TERM", "INT", "HUP")) {
            Signals.register(signal, () -> end(ended));
        }
        CompletableFuture<Void> unused = daemon.failure().thenRun(ended::countDown);
        ended.await();
        daemon.close();
        if (daemon.failure().isDone()) {
            say("cannot go on: " + daemon.failure().join().getMessage());
            return ExitCode.FAILED;
        }
        return ExitCode.OK;
    }

    /** Who asks twice does not want to wait; nothing that was acknowledged is lost by that either. */
    private static void end(CountDownLatch ended) {
        if (ended.getCount() == 0) {
            Runtime.getRuntime().halt(128 + 2);
        }
        ended.countDown();
    }

    private DaemonSettings settings(@Nullable List<PartitionConfiguration> configuration) {
        return new DaemonSettings(
                data,
                database,
                passwordFile,
                port,
                configuration,
                noNode ? null : node(),
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
                new LoopLimits(
                        LoopLimits.DEFAULT.inbox(), LoopLimits.DEFAULT.batch(), remember, LoopLimits.DEFAULT.retry()),
                DaemonSettings.BODY_MAX_DEFAULT,
                DaemonSettings.THREADS_DEFAULT);
    }

    private DaemonSettings.LocalNode node() {
        NodeEntry node = LocalMachine.node(partition, slots == null ? 0 : slots);
        return new DaemonSettings.LocalNode(partition, node.name(), node.capacity(), node.labels());
    }

    private ReplayListener progress() {
        return new ReplayListener() {
            @Override
            public void unreadableCheckpoint(long sequence, Exception problem) {
                say("the checkpoint of event " + sequence + " cannot be read, the one before serves: "
                        + problem.getMessage());
            }

            @Override
            public void progress(long sequence, long last) {
                if (last > 0) {
                    say("journal read up to event " + sequence + " of " + last);
                }
            }
        };
    }

    private void say(String line) {
        spec.commandLine().getErr().println("sluice: " + line);
        spec.commandLine().getErr().flush();
    }

    /** Reads amounts of memory as files have them. */
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
