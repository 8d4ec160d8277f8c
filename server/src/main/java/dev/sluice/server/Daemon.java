package dev.sluice.server;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.detached.RunnerPaths;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.HostParts;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.host.NodeExecutor;
import dev.sluice.runtime.host.NodeProvider;
import dev.sluice.runtime.host.NodeSuspension;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.host.RemoteLogs;
import dev.sluice.runtime.host.SteadyClock;
import dev.sluice.runtime.host.TaskAdmission;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.CheckpointSettings;
import dev.sluice.runtime.journal.Checkpoints;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.Journal;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.Replay;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.runtime.journal.Restored;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.local.LogFolder;
import dev.sluice.runtime.local.ProcessExecutor;
import dev.sluice.runtime.local.ProcessSettings;
import dev.sluice.runtime.secret.SecretCipher;
import dev.sluice.runtime.secret.SecretKeyFile;
import dev.sluice.server.access.AccessTokens;
import dev.sluice.server.audit.AuditWriter;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.http.Json;
import dev.sluice.server.http.ListenSettings;
import dev.sluice.server.live.LiveFeed;
import dev.sluice.server.live.LiveSnapshots;
import dev.sluice.server.metrics.PreemptionMetrics;
import dev.sluice.server.metrics.ServerMetrics;
import dev.sluice.server.notification.Notifications;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.routes.IdempotencyCache;
import dev.sluice.server.routes.TaskLogs;
import dev.sluice.server.store.DataFolder;
import dev.sluice.server.store.DatabaseAddress;
import dev.sluice.server.store.FolderIdentity;
import dev.sluice.server.store.Reserve;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The server: puts together an engine host, the journal, an executor of local processes, the REST API, live events and
 * metrics.
 */
public final class Daemon implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

    private static final int IDEMPOTENCY_RECORDS_MAX = 100_000;
    private static final int LIVE_EVENTS = 20_000;
    private static final Duration PROBE_FIRST = Duration.ofSeconds(1);
    private static final Duration PROBE_LONGEST = Duration.ofMinutes(1);

    private final DaemonSettings settings;
    private final JournalStore store;
    private final ServerMetrics metrics = new ServerMetrics();
    private final Reserve reserve;
    private final HealthMonitor health;
    private final LiveFeed feed;
    private final Notifications notifications;
    private final AuditWriter audit;
    private final EngineHost host;
    private final Checkpoints checkpoints;
    private final OwnNode node;
    private final @Nullable NodeExecutor processes;
    private final @Nullable NodeProvider provider;
    private final WebInterface web;
    private final HttpServer http;

    /**
     * Starts a server: replays its journal, adopts tasks that are still running, then listens.
     *
     * @throws StoreException if the journal cannot be used; the message gives the reason and a remedy
     * @throws IOException if the server cannot listen on its port
     */
    public static Daemon start(DaemonSettings settings, InstantSource clock, ReplayListener progress)
            throws StoreException, IOException {
        return start(settings, clock, progress, null);
    }

    /**
     * Starts a server like {@link #start(DaemonSettings, InstantSource, ReplayListener)}, with nodes from elsewhere.
     *
     * @param provider provides the nodes, and is closed with the server; null if there are none
     */
    public static Daemon start(
            DaemonSettings settings, InstantSource clock, ReplayListener progress, @Nullable NodeProvider provider)
            throws StoreException, IOException {
        return start(settings, clock, progress, provider, ReplicaSettings.ONLY);
    }

    /** Starts a server like the other {@code start}, as one of several with one journal. */
    public static Daemon start(
            DaemonSettings settings,
            InstantSource clock,
            ReplayListener progress,
            @Nullable NodeProvider provider,
            ReplicaSettings replica)
            throws StoreException, IOException {
        FolderIdentity identity = settings.node() == null
                ? null
                : new FolderIdentity(settings.data(), settings.files().adopt());
        StoreOptions options = StoreOptions.DEFAULT
                .withAcceptLoss(settings.acceptLoss())
                .withFolder(identity)
                .withTakeOver(replica.takeOver());
        String database = settings.database();
        JournalStore store;
        if (database == null) {
            store = open(settings.data(), options);
        } else {
            DataFolder.prepare(settings.data());
            store = Stores.open(DatabaseAddress.of(database, settings.passwordFile(), System.getenv()), options);
        }
        return on(store, settings, clock, progress, IncrementalQueryRunner::new, null, provider, replica);
    }

    /** Opens the journal; if the disk is full, releases the reserve first. */
    private static JournalStore open(Path data, StoreOptions options) throws StoreException {
        try {
            return Stores.open(data, options);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.FULL && new Reserve(data, Reserve.BYTES_DEFAULT).release()) {
                return Stores.open(data, options);
            }
            throw e;
        }
    }

    /** Starts a server on a journal, which it closes at the end, even if the start fails. */
    static Daemon on(JournalStore store, DaemonSettings settings, InstantSource clock, ReplayListener progress)
            throws StoreException, IOException {
        return on(store, settings, clock, progress, IncrementalQueryRunner::new, null, null, ReplicaSettings.ONLY);
    }

    /**
     * Starts a server like {@link #on}, with a given query runner.
     *
     * @param authenticator finds out who sends requests; null: as the settings say
     * @param provider provides nodes from elsewhere, and is closed with the server; null if there are none
     * @param replica what the server does as one of several
     */
    static Daemon on(
            JournalStore store,
            DaemonSettings settings,
            InstantSource clock,
            ReplayListener progress,
            Function<EngineHost, IncrementalQueryRunner> queries,
            @Nullable Authenticator authenticator,
            @Nullable NodeProvider provider,
            ReplicaSettings replica)
            throws StoreException, IOException {
        try {
            return new Daemon(settings, clock, store, progress, queries, authenticator, provider, replica);
        } catch (StoreException | IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private Daemon(
            DaemonSettings settings,
            InstantSource wallClock,
            JournalStore store,
            ReplayListener progress,
            Function<EngineHost, IncrementalQueryRunner> queries,
            @Nullable Authenticator authenticator,
            @Nullable NodeProvider provider,
            ReplicaSettings replica)
            throws StoreException, IOException {
        this.settings = settings;
        this.provider = provider;
        this.store = store;
        JsonMapper json = Json.mapper();
        SecretCipher secrets = new SecretCipher(
                SecretKeyFile.of(System.getenv(), settings.data().toAbsolutePath()));
        Restored restored = Replay.of(store, progress);
        InstantSource clock = new SteadyClock(wallClock, System::nanoTime, restored.at());
        Instant began = clock.instant();
        SchedulerState state = restored.scheduler().state();
        this.reserve = new Reserve(DataFolder.prepare(settings.data()), Reserve.BYTES_DEFAULT);
        this.notifications =
                Notifications.of(settings.notifications(), store.outbox(), clock, metrics, System.getenv());
        this.audit = new AuditWriter(store.audit(), clock);
        this.health = new HealthMonitor(began, metrics, reserve, limits(), notifications::problem, provider);
        this.feed = new LiveFeed(new StoredEvents(store), restored.sequence(), LIVE_EVENTS);
        List<HistoryRecord.ConfigurationRevision> revisions = store.revisions(Long.MAX_VALUE, 1);
        Configurations configurations =
                new Configurations(state, revisions.isEmpty() ? null : revisions.get(0), secrets);
        Duration idempotencyMaxAge = settings.retention().idempotency();
        IdempotencyCache receipts = new IdempotencyCache(
                store.idempotencyRecords(began.minus(idempotencyMaxAge), IDEMPOTENCY_RECORDS_MAX),
                IDEMPOTENCY_RECORDS_MAX,
                idempotencyMaxAge,
                json);
        LogFolder logs = new LogFolder(settings.data().toAbsolutePath().resolve("logs"), true);
        TaskLogs taskLogs = new TaskLogs(logs);
        ExpiredLogs expiredLogs = new ExpiredLogs(store, taskLogs::remove);
        this.checkpoints = new Checkpoints(
                store,
                new CheckpointSettings(
                        settings.checkpointEvents(),
                        CheckpointSettings.DEFAULT.interval(),
                        CheckpointSettings.DEFAULT.retry(),
                        settings.retention()),
                health.checkpoints(expiredLogs),
                clock);
        HistoryWriter history = new HistoryWriter(json, state, restored.sequence(), this::measured);
        LiveSnapshots snapshots = new LiveSnapshots(history);
        this.host = new EngineHost(new HostParts(
                restored.scheduler(),
                restored.at(),
                clock,
                new CheckpointedJournal(new Journal(store), checkpoints),
                notifications.recorder(snapshots),
                projections(),
                health,
                settings.limits()));
        expiredLogs.follow(host);
        this.node = new OwnNode(settings.node());
        this.processes = localProcesses(logs, secrets);
        try {
            if (settings.database() == null) {
                reserve.start();
            }
            if (processes != null) {
                host.add(processes);
            }
            host.recover();
            prepare(configurations);
            attach(configurations, logs);
            host.start();
            notifications.start(host);
            replica.beforeListening().run();
            this.web = new WebInterface(new ServerComponents(
                    settings,
                    clock,
                    json,
                    store,
                    host,
                    queries.apply(host),
                    feed,
                    snapshots,
                    history,
                    configurations,
                    receipts,
                    AccessTokens.load(store.accessTokens(), clock),
                    taskLogs,
                    processes,
                    provider,
                    admission(),
                    provider == null ? RemoteLogs.NONE : provider,
                    metrics,
                    health));
            this.http = web.start(authenticator, audit);
        } catch (StoreException | IOException | RuntimeException e) {
            end();
            throw e;
        }
    }

    private List<Projection> projections() {
        List<Projection> all = new ArrayList<>(List.of(feed, notifications, new PreemptionMetrics(metrics)));
        all.addAll(metrics.eventCounters());
        if (provider != null) {
            all.add(provider);
        }
        return all;
    }

    private TaskAdmission admission() {
        if (provider != null) {
            return provider;
        }
        DaemonSettings.LocalNode local = settings.node();
        return local == null ? TaskAdmission.ANY : TaskAdmission.ofProcesses(local.partition());
    }

    /** Makes the state follow the nodes of others before anything is decided. */
    private void attach(Configurations configurations, LogFolder logs) throws StoreException {
        if (provider != null) {
            provider.copyTo(logs.folder(), settings.files().logMax());
            provider.register(metrics.ofProvider());
            try {
                provider.open();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while starting", e);
            }
            provider.attach(host, configurations::recordRevision);
        }
    }

    private MeasuredUse measured(RunRef run) {
        return processes == null ? MeasuredUse.NONE : processes.measured(run);
    }

    private @Nullable NodeExecutor localProcesses(LogFolder logs, SecretCipher secrets)
            throws StoreException, IOException {
        DaemonSettings.LocalNode node = settings.node();
        if (node == null) {
            return null;
        }
        Path data = DataFolder.prepare(settings.data());
        Path work = workFolder(settings.files().work(), data);
        String identity = new FolderIdentity(data, false).text();
        RunnerPaths paths = new RunnerPaths(data.resolve("runs"), work.resolve(identity), logs.folder(), identity);
        ProcessSettings processSettings = ProcessSettings.detached(
                        paths, logs, settings.files().logMax(), settings.grace())
                .withConfinement(node.confinement())
                .withSecrets(secrets);
        return new NodeExecutor(
                node.name()::equals,
                host::report,
                listener -> new ProcessExecutor(processSettings, listener, health::notRemoved),
                executor -> new NodeSuspension(
                        node.name(),
                        executor::probe,
                        host::report,
                        health::startProblemChanged,
                        PROBE_FIRST,
                        PROBE_LONGEST));
    }

    /** Returns the real path of the work folder: whoever owns a link on the path could change its target later. */
    private static Path workFolder(Path given, Path data) throws IOException {
        Path path = given.toAbsolutePath().normalize();
        Path existing = path;
        while (!Files.exists(existing)) {
            existing = Objects.requireNonNull(existing.getParent());
        }
        Path real = existing.toRealPath().resolve(existing.relativize(path)).normalize();
        if (path.startsWith(data) || real.startsWith(data)) {
            throw new IllegalStateException("the work folder " + given + " is in the data folder " + data
                    + ", which tasks must not access; choose another one with --work");
        }
        return real;
    }

    /** Creates the configured partitions if there are none, and registers this machine as a node if configured. */
    private void prepare(Configurations configurations) throws StoreException {
        boolean unused = host.execute(Cause.internal("start"), context -> {
            List<PartitionConfiguration> configuration = settings.configuration();
            if (context.state().partitions().isEmpty()) {
                ProblemException.requireAccepted(context.handle(new Command.ApplyConfiguration(
                        configuration == null ? List.of(PartitionConfiguration.simplest()) : configuration)));
                configurations.recordRevision(context, "", "initial configuration");
            } else {
                if (configuration != null && !configuration.equals(configurations.partitions())) {
                    LOG.warn("ignoring --config: the journal already contains a configuration; use sluice config"
                            + " apply to change it");
                }
                configurations.warnings().forEach(warning -> LOG.warn("{}", warning));
            }
            node.register(context);
            return true;
        });
    }

    /** Prepares the pages for their first readers, in the background. */
    public void warmUp() {
        Thread thread = new Thread(
                () -> {
                    try {
                        warmUpNow();
                    } catch (RuntimeException e) {
                        LOG.debug("pages not prepared", e); // such as while the server is closed
                    }
                },
                "page-warm-up");
        thread.setDaemon(true);
        thread.start();
    }

    /** Prepares the pages on this thread. */
    void warmUpNow() {
        web.warmUp();
    }

    /** Reads why applications wait, besides the regular times. */
    void sampleWaits() {
        web.sampleWaits();
    }

    /** Returns the port the server listens on. */
    public int port() {
        return http.port();
    }

    /** Returns where the server listens, besides its port. */
    public ListenSettings listen() {
        return settings.access().listen();
    }

    /** Returns whether requests over TCP without a token may do everything. */
    public boolean isInsecure() {
        return settings.access().insecure();
    }

    /** Returns which limits of tasks are enforced on this machine, and how; empty if it runs no tasks. */
    public String limits() {
        DaemonSettings.LocalNode node = settings.node();
        return node == null ? "" : node.confinement().limits().description();
    }

    /** Returns as which users tasks run on this machine, after "tasks"; empty if it runs none. */
    public String taskUsers() {
        DaemonSettings.LocalNode node = settings.node();
        return node == null ? "" : node.confinement().accounts().description();
    }

    /** Returns the number of requests being answered. */
    int inFlightRequests() {
        return http.inFlightRequests();
    }

    /**
     * Requests a checkpoint now.
     *
     * @return the sequence number of the last event that the checkpoint includes
     */
    public CompletableFuture<Long> requestCheckpoint() {
        return checkpoints.request();
    }

    /** Returns a future that completes with the cause when the server fails fatally. */
    public CompletableFuture<Throwable> failure() {
        return health.failure();
    }

    /** Stops the server: refuses new requests, answers those already accepted, then closes the journal. */
    @Override
    public void close() {
        feed.close();
        web.close();
        stopHost();
        http.close(); // after the host has ended, so that accepted requests are answered
        release();
    }

    private void end() {
        stopHost();
        release();
    }

    private void stopHost() {
        if (processes != null && settings.shutdownPolicy() == DaemonSettings.ShutdownPolicy.STOP) {
            node.suspend(host, processes);
            if (!processes.stopAll()) {
                LOG.warn("some tasks could not be stopped");
            }
        }
        host.close();
    }

    private void release() {
        if (processes != null) {
            processes.close();
        }
        if (provider != null) {
            provider.close();
        }
        checkpoints.close();
        notifications.close();
        audit.close();
        reserve.close();
        store.close();
        metrics.close();
    }
}
