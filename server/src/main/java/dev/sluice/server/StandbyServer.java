package dev.sluice.server;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.HealthView;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.http.Json;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.routes.ServerRoutes;
import dev.sluice.server.store.DataFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Answers for a server that waits until it may open the journal: its health, and for everything else where to ask
 * instead.
 */
public final class StandbyServer implements AutoCloseable {

    private static final String STATUS = "standby";

    private final Instant since;
    private final Supplier<String> reason;
    private final HttpServer http;

    /**
     * Starts listening where the server will listen.
     *
     * @param reason for what the server waits
     * @throws StoreException if the data folder cannot be used
     * @throws IOException if it cannot listen there
     */
    public static StandbyServer start(DaemonSettings settings, InstantSource clock, Supplier<String> reason)
            throws StoreException, IOException {
        Path unused = DataFolder.prepare(settings.data()); // it contains the socket
        return new StandbyServer(settings, clock.instant(), reason);
    }

    private StandbyServer(DaemonSettings settings, Instant since, Supplier<String> reason) throws IOException {
        this.since = since;
        this.reason = reason;
        http = HttpServer.startRefusing(
                HttpServer.Settings.of(settings.port(), settings.bodyMax(), settings.threads())
                        .withListen(settings.access().listen()),
                Json.mapper(),
                new ServerRoutes(this::health, () -> false).routes(),
                path -> ProblemException.of(ProblemKind.UNAVAILABLE, "this server is on standby: " + reason.get()));
    }

    private HealthView health() {
        return new HealthView(STATUS, reason.get(), Map.of("journal", "not open"), since, 0);
    }

    /** Returns the port on which it listens. */
    public int port() {
        return http.port();
    }

    @Override
    public void close() {
        http.close();
    }
}
