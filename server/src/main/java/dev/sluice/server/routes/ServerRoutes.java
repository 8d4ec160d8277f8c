package dev.sluice.server.routes;

import dev.sluice.server.api.HealthView;
import dev.sluice.server.api.VersionView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What can be asked about the server itself. */
public final class ServerRoutes {

    private static final String TOPIC = "server";

    private final Supplier<HealthView> health;
    private final BooleanSupplier ready;

    /** The routes of a server that is like this. */
    public ServerRoutes(Supplier<HealthView> health, BooleanSupplier ready) {
        this.health = health;
        this.ready = ready;
    }

    /** All of them. */
    public List<Route> routes() {
        return List.of(
                Route.get("/version")
                        .named("getVersion", TOPIC)
                        .role(Role.ANYONE)
                        .summary("Tells which program this is.")
                        .answers(200, VersionView.class, "The version.")
                        .by(call -> ApiResponse.ok(version())),
                Route.get("/health")
                        .named("getHealth", TOPIC)
                        .role(Role.ANYONE)
                        .summary(
                                "Tells how the server is; 200 as long as it runs, even if its journal cannot be written.")
                        .answers(200, HealthView.class, "It runs.")
                        .answers(503, HealthView.class, "It is about to end, since it cannot go on.")
                        .by(call -> {
                            HealthView view = health.get();
                            return new ApiResponse(view.status().equals("down") ? 503 : 200, view, java.util.Map.of());
                        }),
                Route.get("/ready")
                        .named("getReadiness", TOPIC)
                        .role(Role.ANYONE)
                        .summary("Tells whether the server takes things in.")
                        .answers(200, HealthView.class, "It does.")
                        .answers(503, HealthView.class, "It does not at the moment.")
                        .problems(ProblemKind.UNAVAILABLE)
                        .by(call ->
                                new ApiResponse(ready.getAsBoolean() ? 200 : 503, health.get(), java.util.Map.of())));
    }

    /** The version of the program. */
    public static String programVersion() {
        String version = ServerRoutes.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static VersionView version() {
        return new VersionView("sluice", programVersion(), "v1", System.getProperty("java.version"));
    }
}
