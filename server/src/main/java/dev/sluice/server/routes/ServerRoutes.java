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

/** Routes of the server's version and health. */
public final class ServerRoutes {

    private static final String TOPIC = "server";

    private final Supplier<HealthView> health;
    private final BooleanSupplier ready;

    public ServerRoutes(Supplier<HealthView> health, BooleanSupplier ready) {
        this.health = health;
        this.ready = ready;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/version")
                        .named("getVersion", TOPIC)
                        .role(Role.ANYONE)
                        .summary("Returns the versions of the program and the API.")
                        .response(200, VersionView.class, "The versions.")
                        .handledBy(call -> ApiResponse.ok(version())),
                Route.get("/health")
                        .named("getHealth", TOPIC)
                        .role(Role.ANYONE)
                        .summary("Returns the server's health; 200 while it runs, even if the journal cannot be"
                                + " written.")
                        .response(200, HealthView.class, "The server is running.")
                        .response(503, HealthView.class, "The server failed fatally and is about to exit.")
                        .handledBy(call -> {
                            HealthView view = health.get();
                            return new ApiResponse(view.status().equals("down") ? 503 : 200, view, java.util.Map.of());
                        }),
                Route.get("/ready")
                        .named("getReadiness", TOPIC)
                        .role(Role.ANYONE)
                        .summary("Returns whether the server accepts work.")
                        .response(200, HealthView.class, "The server accepts work.")
                        .response(503, HealthView.class, "The server does not accept work at the moment.")
                        .problems(ProblemKind.UNAVAILABLE)
                        .handledBy(call ->
                                new ApiResponse(ready.getAsBoolean() ? 200 : 503, health.get(), java.util.Map.of())));
    }

    /** Returns the version of the program. */
    public static String programVersion() {
        String version = ServerRoutes.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static VersionView version() {
        return new VersionView("sluice", programVersion(), "v1", System.getProperty("java.version"));
    }
}
