package dev.sluice.benchmarks.server;

import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.server.Daemon;
import dev.sluice.server.DaemonSettings;
import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.http.Json;
import dev.sluice.server.http.ListenSettings;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/**
 * The measured process: a server that accepts requests without credentials, too, and a second web server with a route
 * that reads the request and does nothing. Prints the ports to standard output; ends when its standard input is closed.
 */
public final class ServerUnderLoad {

    private ServerUnderLoad() {}

    /** Starts both servers; the argument is the data directory. */
    public static void main(String[] args) throws Exception {
        Route nothing = Route.post("/nothing")
                .named("doNothing", "benchmark")
                .role(Role.ANYONE)
                .summary("Reads the request and returns a response of the same size as a submission.")
                .emptyResponse("Always.")
                .handledBy(call -> ApiResponse.created(new Nothing(call.text().length())));
        Path data = Path.of(args[0]);
        DaemonSettings settings = DaemonSettings.in(data)
                .withAccess(new AccessSettings(
                        true,
                        null,
                        ListenSettings.LOOPBACK.withSocket(data.resolve(CallerBenchmark.SOCKET)),
                        Set.of()));
        try (Daemon daemon = Daemon.start(settings, InstantSource.system(), ReplayListener.NONE);
                HttpServer idle = HttpServer.start(
                        HttpServer.Settings.of(0, DaemonSettings.BODY_MAX_DEFAULT, DaemonSettings.THREADS_DEFAULT),
                        Json.mapper(),
                        Authenticator.UNVERIFIED,
                        List.of(nothing),
                        (route, status, nanos) -> {})) {
            System.out.println(daemon.port() + " " + idle.port());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** The response of the route that does nothing. */
    record Nothing(int length) {}
}
