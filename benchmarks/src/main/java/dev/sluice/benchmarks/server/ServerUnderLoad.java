package dev.sluice.benchmarks.server;

import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.server.Daemon;
import dev.sluice.server.DaemonSettings;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.http.Json;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * The process that is measured: a server as it is, and beside it the same web server with a route that reads what is sent and does nothing.
 * Says on standard output on which ports, and ends with its standard input.
 */
public final class ServerUnderLoad {

    private ServerUnderLoad() {}

    /** Starts both; the argument is the folder of the server. */
    public static void main(String[] args) throws Exception {
        Route nothing = Route.post("/nothing")
                .named("doNothing", "benchmark")
                .role(Role.ANYONE)
                .summary("Reads what is sent, and answers as much as a submission does.")
                .answersNothing("Always.")
                .by(call -> ApiResponse.created(new Nothing(call.text().length())));
        try (Daemon daemon =
                        Daemon.start(DaemonSettings.in(Path.of(args[0])), InstantSource.system(), ReplayListener.NONE);
                HttpServer idle = HttpServer.start(
                        HttpServer.Settings.of(0, DaemonSettings.BODY_MAX_DEFAULT, DaemonSettings.THREADS_DEFAULT),
                        Json.mapper(),
                        List.of(nothing),
                        (route, status, nanos) -> {})) {
            System.out.println(daemon.port() + " " + idle.port());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** What is answered. */
    record Nothing(int length) {}
}
