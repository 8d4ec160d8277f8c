package dev.sluice.server;

import dev.sluice.runtime.loop.IncrementalQueryRunner;
import dev.sluice.server.api.HealthView;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.live.EventStreams;
import dev.sluice.server.metrics.ClusterGauges;
import dev.sluice.server.node.LocalNodeAgent;
import dev.sluice.server.openapi.OpenApiDocument;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.routes.ApplicationIds;
import dev.sluice.server.routes.ApplicationRoutes;
import dev.sluice.server.routes.ConfigurationRoutes;
import dev.sluice.server.routes.EventRoutes;
import dev.sluice.server.routes.FinishedApplications;
import dev.sluice.server.routes.HistoryRoutes;
import dev.sluice.server.routes.NodeRoutes;
import dev.sluice.server.routes.OverloadGuard;
import dev.sluice.server.routes.PartitionRoutes;
import dev.sluice.server.routes.Requests;
import dev.sluice.server.routes.ServerRoutes;
import dev.sluice.server.routes.SnapshotRoutes;
import dev.sluice.server.routes.StoredTaskHistory;
import dev.sluice.server.routes.SubmissionRoutes;
import dev.sluice.server.routes.TaskRoutes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that a server answers over HTTP. */
final class WebInterface {

    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ServerComponents parts;
    private final Requests requests;
    private final EventStreams streams;
    private final ClusterGauges clusterGauges;
    private final OverloadGuard memory;
    private @Nullable String openApi;

    WebInterface(ServerComponents parts) {
        this.parts = parts;
        IncrementalQueryRunner queries = parts.queries();
        this.requests = new Requests(parts.loop(), queries, TIMEOUT);
        this.streams = new EventStreams(parts.feed(), parts.json(), EventStreams.HEARTBEAT, EventStreams.STREAMS_MAX);
        this.clusterGauges = new ClusterGauges(queries, parts.feed()::last, parts.metrics());
        this.memory = new OverloadGuard(parts.health()::diskFullReason);
    }

    HttpServer start() throws IOException {
        gauges();
        return HttpServer.start(
                HttpServer.Settings.of(
                        parts.settings().port(),
                        parts.settings().bodyMax(),
                        parts.settings().threads()),
                parts.json(),
                described(),
                parts.metrics());
    }

    /** The routes, and those that tell of the server as a whole, one of which describes all of them. */
    private List<Route> described() {
        List<Route> routes = new ArrayList<>(routes());
        routes.add(Route.get("/openapi.json")
                .named("getOpenApi", "server")
                .role(Role.ANYONE)
                .summary("Returns this API's OpenAPI 3.1 description.")
                .answersText("The OpenAPI document.", "application/json")
                .by(call -> ApiResponse.text("application/json", openApi(routes))));
        routes.add(Route.getAtRoot("/metrics")
                .named("getMetrics", "server")
                .role(Role.VIEWER)
                .summary("Returns metrics of the server and the cluster in the Prometheus text format.")
                .answersText("The metrics.", METRICS_TYPE)
                .by(call -> {
                    clusterGauges.refresh();
                    return ApiResponse.text(METRICS_TYPE, parts.metrics().scrape());
                }));
        return routes;
    }

    /** Made when it is first asked for, since that takes a while. */
    private synchronized String openApi(List<Route> routes) {
        String made = openApi;
        if (made == null) {
            made = parts.json()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(OpenApiDocument.of(routes, ServerRoutes.programVersion(), parts.json()));
            openApi = made;
        }
        return made;
    }

    /** The routes, in the order of the documentation. */
    List<Route> routes() {
        LocalNodeAgent nodes = parts.nodes();
        FinishedApplications finished = new FinishedApplications(parts.store());
        List<Route> routes = new ArrayList<>();
        routes.addAll(
                new ServerRoutes(this::health, () -> parts.health().isReady() && memory.refusal() == null).routes());
        routes.addAll(new SubmissionRoutes(
                        requests,
                        memory,
                        parts.idempotencyCache(),
                        parts.configurations(),
                        parts.clock(),
                        new ApplicationIds(parts.clock().instant()))
                .routes());
        routes.addAll(new ApplicationRoutes(requests, finished).routes());
        routes.addAll(
                new TaskRoutes(requests, parts.logs(), parts.json(), new StoredTaskHistory(parts.store())).routes());
        routes.addAll(new PartitionRoutes(requests, parts.configurations()).routes());
        routes.addAll(new NodeRoutes(requests, (partition, node) -> nodes != null && nodes.isLocal(partition, node))
                .routes());
        routes.addAll(new ConfigurationRoutes(requests, parts.configurations(), parts.store()).routes());
        routes.addAll(new EventRoutes(parts.feed(), streams).routes());
        routes.addAll(new HistoryRoutes(finished).routes());
        routes.addAll(new SnapshotRoutes(requests, parts.snapshots()).routes());
        return routes;
    }

    private HealthView health() {
        LocalNodeAgent nodes = parts.nodes();
        return parts.health()
                .view(
                        parts.feed().last(),
                        parts.loop().waiting(),
                        nodes == null ? 0 : nodes.running(),
                        memory.problem());
    }

    private void gauges() {
        parts.metrics().gauge("sluice.event.streams", "Open event streams.", streams::open);
        parts.metrics()
                .gauge(
                        "sluice.inbox.waiting",
                        "Requests and reports queued for the scheduler.",
                        () -> parts.loop().waiting());
        parts.metrics()
                .gauge(
                        "sluice.journal.last.sequence",
                        "Sequence number of the last event in the journal.",
                        () -> parts.feed().last());
        parts.metrics()
                .gauge(
                        "sluice.journal.stalled",
                        "1 while the journal cannot be written, otherwise 0.",
                        () -> parts.loop().stall() != null ? 1 : 0);
        LocalNodeAgent nodes = parts.nodes();
        parts.metrics()
                .gauge(
                        "sluice.tasks.here",
                        "Tasks running on this machine.",
                        () -> nodes == null ? 0 : nodes.running());
    }
}
