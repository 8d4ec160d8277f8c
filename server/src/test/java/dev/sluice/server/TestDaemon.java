package dev.sluice.server;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.host.NodeProvider;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.http.Authenticator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A server on a free port with a client. */
final class TestDaemon implements AutoCloseable {

    private final Daemon daemon;
    private final TestHttpClient client;

    private TestDaemon(Daemon daemon) {
        this.daemon = daemon;
        this.client = new TestHttpClient(daemon.port());
    }

    /** Returns settings with this machine as a node of four slots. */
    static DaemonSettings settings(Path folder) {
        return DaemonSettings.in(folder)
                .withFiles(new DaemonSettings.TaskFiles(
                        Path.of("target", "test-work").toAbsolutePath(),
                        DaemonSettings.TaskFiles.LOG_MAX_DEFAULT,
                        false))
                .withNode(new DaemonSettings.LocalNode(
                        PartitionConfiguration.DEFAULT_NAME,
                        "here",
                        Resources.of(new TreeMap<>(
                                Map.of("vcore", Quantity.parse("vcore", "4"), "slots", Quantity.parse("slots", "4")))),
                        new TreeMap<>(),
                        Confinement.NONE));
    }

    /** Returns settings whose node has these labels. */
    static DaemonSettings withLabels(DaemonSettings usual, Map<String, String> labels) {
        DaemonSettings.LocalNode node = Objects.requireNonNull(usual.node());
        return usual.withNode(new DaemonSettings.LocalNode(
                node.partition(), node.name(), node.capacity(), new TreeMap<>(labels), node.confinement()));
    }

    /** Returns {@link #settings(Path)} with a shutdown policy. */
    static DaemonSettings settings(Path folder, DaemonSettings.ShutdownPolicy shutdownPolicy) {
        DaemonSettings usual = settings(folder);
        return new DaemonSettings(
                usual.data(),
                usual.database(),
                usual.passwordFile(),
                usual.port(),
                usual.configuration(),
                usual.node(),
                usual.grace(),
                usual.files(),
                shutdownPolicy,
                usual.acceptLoss(),
                usual.checkpointEvents(),
                usual.retention(),
                usual.limits(),
                usual.bodyMax(),
                usual.threads(),
                usual.notifications(),
                usual.access());
    }

    /** Returns settings with another port. */
    static DaemonSettings onPort(DaemonSettings usual, int port) {
        return new DaemonSettings(
                usual.data(),
                usual.database(),
                usual.passwordFile(),
                port,
                usual.configuration(),
                usual.node(),
                usual.grace(),
                usual.files(),
                usual.shutdownPolicy(),
                usual.acceptLoss(),
                usual.checkpointEvents(),
                usual.retention(),
                usual.limits(),
                usual.bodyMax(),
                usual.threads(),
                usual.notifications(),
                usual.access());
    }

    static TestDaemon start(DaemonSettings settings) throws StoreException, IOException {
        return new TestDaemon(Daemon.start(settings, InstantSource.system(), ReplayListener.NONE));
    }

    static TestDaemon on(JournalStore store, DaemonSettings settings, InstantSource clock)
            throws StoreException, IOException {
        return new TestDaemon(Daemon.on(store, settings, clock, ReplayListener.NONE));
    }

    /** Starts a server in memory with the given query runner. */
    static TestDaemon withQueries(DaemonSettings settings, Function<EngineHost, IncrementalQueryRunner> queries)
            throws StoreException, IOException {
        return new TestDaemon(Daemon.on(
                new MemoryStore(),
                settings,
                InstantSource.system(),
                ReplayListener.NONE,
                queries,
                Authenticator.UNVERIFIED,
                null,
                ReplicaSettings.ONLY));
    }

    /** Starts a server on this journal whose callers are found by an authenticator. */
    static TestDaemon withAuthenticator(JournalStore store, DaemonSettings settings, Authenticator authenticator)
            throws StoreException, IOException {
        return new TestDaemon(Daemon.on(
                store,
                settings,
                InstantSource.system(),
                ReplayListener.NONE,
                IncrementalQueryRunner::new,
                authenticator,
                null,
                ReplicaSettings.ONLY));
    }

    /** Starts a server in memory whose nodes are provided by another system. */
    static TestDaemon withProvider(DaemonSettings settings, NodeProvider provider) throws StoreException, IOException {
        return new TestDaemon(Daemon.on(
                new MemoryStore(),
                settings,
                InstantSource.system(),
                ReplayListener.NONE,
                IncrementalQueryRunner::new,
                Authenticator.UNVERIFIED,
                provider,
                ReplicaSettings.ONLY));
    }

    TestHttpClient client() {
        return client;
    }

    void sampleWaits() {
        daemon.sampleWaits();
    }

    int inFlightRequests() {
        return daemon.inFlightRequests();
    }

    CompletableFuture<Throwable> failure() {
        return daemon.failure();
    }

    CompletableFuture<Long> requestCheckpoint() {
        return daemon.requestCheckpoint();
    }

    int port() {
        return daemon.port();
    }

    @Override
    public void close() {
        daemon.close();
    }
}
