package dev.sluice.server;

import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.host.NodeExecutor;
import dev.sluice.runtime.host.RunObstacles;
import dev.sluice.runtime.machine.Accounts;
import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.access.BearerAuthenticator;
import dev.sluice.server.access.CallerAuthenticator;
import dev.sluice.server.access.IssuerSignIn;
import dev.sluice.server.access.OidcSettings;
import dev.sluice.server.access.OidcVerifier;
import dev.sluice.server.access.RateLimitedAuthenticator;
import dev.sluice.server.access.SessionAuthenticator;
import dev.sluice.server.access.Sessions;
import dev.sluice.server.access.SignInSettings;
import dev.sluice.server.api.HealthView;
import dev.sluice.server.http.AuditListener;
import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.http.ListenSettings;
import dev.sluice.server.live.EventStreams;
import dev.sluice.server.metrics.ClusterGauges;
import dev.sluice.server.metrics.LimitedRequests;
import dev.sluice.server.openapi.OpenApiDocument;
import dev.sluice.server.page.Page;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.routes.ApplicationIds;
import dev.sluice.server.routes.ApplicationRoutes;
import dev.sluice.server.routes.AuditRoutes;
import dev.sluice.server.routes.ConfigurationRoutes;
import dev.sluice.server.routes.DemandRoutes;
import dev.sluice.server.routes.EfficiencyRoutes;
import dev.sluice.server.routes.EventRoutes;
import dev.sluice.server.routes.FinishedApplications;
import dev.sluice.server.routes.HistoryRoutes;
import dev.sluice.server.routes.NodeRoutes;
import dev.sluice.server.routes.OverloadGuard;
import dev.sluice.server.routes.PartitionRoutes;
import dev.sluice.server.routes.PermittedActions;
import dev.sluice.server.routes.PlanRoutes;
import dev.sluice.server.routes.Requests;
import dev.sluice.server.routes.ReusedIds;
import dev.sluice.server.routes.ServerRoutes;
import dev.sluice.server.routes.SignInLinkRoutes;
import dev.sluice.server.routes.SnapshotRoutes;
import dev.sluice.server.routes.StoredTaskHistory;
import dev.sluice.server.routes.SubmissionRoutes;
import dev.sluice.server.routes.SuspensionRoutes;
import dev.sluice.server.routes.TaskHistory;
import dev.sluice.server.routes.TaskRoutes;
import dev.sluice.server.routes.TokenRoutes;
import dev.sluice.server.routes.UpdateRoutes;
import dev.sluice.server.routes.UsageRoutes;
import dev.sluice.server.routes.WaitRoutes;
import dev.sluice.server.routes.WorkloadRoutes;
import dev.sluice.server.routes.YuniKornRoutes;
import dev.sluice.server.sampling.WaitSampler;
import dev.sluice.server.usage.DemandSampler;
import dev.sluice.server.yunikorn.YuniKornHistory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The HTTP interface of a server: its routes and gauges. */
final class WebInterface {

    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ServerComponents components;
    private final Requests requests;
    private final EventStreams streams;
    private final ClusterGauges clusterGauges;
    private final OverloadGuard memory;
    private final LimitedRequests limited;
    private final Sessions sessions;
    private final YuniKornHistory yuniKornHistory;
    private final DemandSampler demand;
    private final WaitSampler waits;
    private volatile @Nullable HttpServer http;
    private @Nullable String openApi;
    private volatile @Nullable Page page;

    WebInterface(ServerComponents components) {
        this.components = components;
        IncrementalQueryRunner queries = components.queries();
        this.requests = new Requests(components.host(), queries, TIMEOUT);
        this.streams = new EventStreams(
                components.feed(), components.json(), EventStreams.HEARTBEAT, EventStreams.STREAMS_MAX);
        this.clusterGauges = new ClusterGauges(queries, components.feed()::last, components.metrics());
        this.memory = new OverloadGuard(components.health()::diskFullReason);
        this.limited = new LimitedRequests(components.metrics());
        this.sessions = new Sessions(components.clock());
        this.yuniKornHistory = new YuniKornHistory(queries, components.clock());
        this.demand = new DemandSampler(queries, components.store().demand(), components.clock());
        this.waits = new WaitSampler(queries, components.store().waits(), components.clock());
    }

    /** @param given finds out who sends requests; null: as the settings say */
    HttpServer start(@Nullable Authenticator given, AuditListener audit) throws IOException {
        gauges();
        OidcSettings oidc = components.settings().access().oidc();
        OidcVerifier verifier = oidc == null ? null : OidcVerifier.start(oidc, components.clock());
        Authenticator authenticator =
                given == null ? authenticator(verifier) : new SessionAuthenticator(given, sessions);
        SignInSettings signIn = oidc == null ? null : oidc.signIn();
        IssuerSignIn issuer = oidc == null || verifier == null || signIn == null
                ? null
                : new IssuerSignIn(oidc, signIn, verifier, components.clock());
        HttpServer started = HttpServer.start(
                HttpServer.Settings.of(
                                components.settings().port(),
                                components.settings().bodyMax(),
                                components.settings().threads())
                        .withListen(components.settings().access().listen()),
                components.json(),
                authenticator,
                all(authenticator, issuer),
                components.metrics(),
                audit);
        http = started;
        yuniKornHistory.start();
        demand.start();
        waits.start();
        return started;
    }

    /** Stops what runs in the background; the server that was started is closed by its owner. */
    void close() {
        yuniKornHistory.close();
        demand.close();
        waits.close();
    }

    /** Reads why applications wait, besides the regular times. */
    void sampleWaits() {
        waits.sample();
    }

    /** Prepares the pages for their first readers; takes seconds if there is much history. */
    void warmUp() {
        Page created = page;
        if (created != null) {
            created.warmUp().run();
        }
    }

    /** Returns the address of the server as browsers on this machine use it. */
    private String address() {
        HttpServer started = http;
        ListenSettings listen = components.settings().access().listen();
        String host = listen.hostNames().isEmpty()
                ? listen.urlHost()
                : listen.hostNames().get(0);
        return (listen.tls() == null ? "http://" : "https://") + host + ":"
                + (started == null ? components.settings().port() : started.port());
    }

    private Authenticator authenticator(@Nullable OidcVerifier verifier) {
        AccessSettings access = components.settings().access();
        Authenticator callers = new SessionAuthenticator(
                new CallerAuthenticator(
                        new BearerAuthenticator(components.accessTokens(), verifier, access.insecure()),
                        access.trustedProxies()),
                sessions);
        return access.insecure() && access.rateLimit() == null
                ? callers
                : new RateLimitedAuthenticator(callers, access.rateLimit(), limited, System::nanoTime);
    }

    /** Returns all routes: those of the API, and those of the page. */
    private List<Route> all(Authenticator authenticator, @Nullable IssuerSignIn issuer) {
        List<Route> all = described();
        Page created = Page.of(new Page.Parts(
                List.copyOf(all),
                components.json(),
                authenticator,
                sessions,
                issuer,
                components.settings().access().listen().tls() != null,
                components.feed(),
                streams,
                new PermittedActions(requests),
                components.clock(),
                System::nanoTime));
        page = created;
        return Stream.concat(all.stream(), created.routes().stream()).toList();
    }

    /** Returns all routes of the API: {@link #routes}, the OpenAPI document and the metrics. */
    private List<Route> described() {
        List<Route> routes = new ArrayList<>(routes());
        routes.add(Route.get("/openapi.json")
                .named("getOpenApi", "server")
                .role(Role.ANYONE)
                .summary("Returns this API's OpenAPI 3.1 description.")
                .textResponse("The OpenAPI document.", "application/json")
                .handledBy(call -> ApiResponse.text("application/json", openApi(routes))));
        routes.add(Route.getAtRoot("/metrics")
                .named("getMetrics", "server")
                .action("reading metrics")
                .role(Role.VIEWER)
                .summary("Returns metrics of the server and the cluster in the Prometheus text format.")
                .textResponse("The metrics.", METRICS_TYPE)
                .handledBy(call -> {
                    clusterGauges.refresh();
                    return ApiResponse.text(METRICS_TYPE, components.metrics().scrape());
                }));
        return routes;
    }

    /** Created on the first request, because that takes a while. */
    private synchronized String openApi(List<Route> routes) {
        String document = openApi;
        if (document == null) {
            document = components
                    .json()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(OpenApiDocument.of(routes, ServerRoutes.programVersion(), components.json()));
            openApi = document;
        }
        return document;
    }

    /** Returns the routes in the order of the documentation. */
    List<Route> routes() {
        NodeExecutor processes = components.processes();
        FinishedApplications finished = new FinishedApplications(components.store());
        List<Route> routes = new ArrayList<>();
        routes.addAll(new ServerRoutes(this::health, () -> components.health().isReady() && memory.refusal() == null)
                .routes());
        routes.addAll(new SubmissionRoutes(
                        requests,
                        memory,
                        components.idempotencyCache(),
                        components.configurations(),
                        components.clock(),
                        new ApplicationIds(components.clock().instant()),
                        components.snapshots(),
                        accounts(),
                        components.admission(),
                        new ReusedIds(components.logs(), finished))
                .routes());
        routes.addAll(new ApplicationRoutes(requests, finished, components.logs()).routes());
        routes.addAll(new SuspensionRoutes(
                        requests,
                        components.admission(),
                        (run, signal) -> processes != null && processes.signal(run, signal))
                .routes());
        routes.addAll(new UpdateRoutes(requests).routes());
        TaskHistory tasks = new StoredTaskHistory(components.store());
        routes.addAll(new EfficiencyRoutes(requests, tasks).routes());
        routes.addAll(new TaskRoutes(
                        requests,
                        components.logs(),
                        components.json(),
                        tasks,
                        run -> processes == null ? List.of() : processes.gpus(run),
                        run -> processes == null ? MeasuredUse.NONE : processes.measured(run),
                        components.provider() == null ? RunObstacles.NONE : components.provider(),
                        components.remoteLogs())
                .routes());
        routes.addAll(new WaitRoutes(requests, components.store()).routes());
        routes.addAll(new PartitionRoutes(requests, components.configurations()).routes());
        routes.addAll(new NodeRoutes(requests, components::runBy).routes());
        routes.addAll(new ConfigurationRoutes(requests, components.configurations(), components.store()).routes());
        routes.addAll(new PlanRoutes(requests, components.snapshots()).routes());
        routes.addAll(new EventRoutes(components.feed(), streams).routes());
        routes.addAll(new HistoryRoutes(finished).routes());
        routes.addAll(new UsageRoutes(
                        requests, components.store(), components.history().running())
                .routes());
        routes.addAll(new DemandRoutes(components.store().demand(), components.clock()).routes());
        routes.addAll(new WorkloadRoutes(requests, components.store(), components.configurations(), components.json())
                .routes());
        routes.addAll(new AuditRoutes(components.store().audit()).routes());
        routes.addAll(new TokenRoutes(components.accessTokens(), components.clock()).routes());
        routes.addAll(new SignInLinkRoutes(sessions, this::address, components.clock()).routes());
        routes.addAll(new SnapshotRoutes(requests, components.snapshots()).routes());
        routes.addAll(new YuniKornRoutes(
                        requests,
                        components.configurations(),
                        components.feed(),
                        streams,
                        this::health,
                        yuniKornHistory)
                .routes());
        return routes;
    }

    /** Returns as which users tasks run; those of agents as they decide. */
    private Accounts accounts() {
        DaemonSettings.LocalNode node = components.settings().node();
        return node == null ? Accounts.SHARED : node.confinement().accounts();
    }

    private HealthView health() {
        NodeExecutor processes = components.processes();
        return components
                .health()
                .view(
                        components.feed().last(),
                        components.host().waiting(),
                        processes == null ? 0 : processes.running(),
                        memory.problem());
    }

    private void gauges() {
        components.metrics().gauge("sluice.event.streams", "Open event streams.", streams::open);
        components
                .metrics()
                .gauge(
                        "sluice.inbox.waiting",
                        "Requests and reports queued for the scheduler.",
                        () -> components.host().waiting());
        components
                .metrics()
                .gauge(
                        "sluice.journal.last.sequence",
                        "Sequence number of the last event in the journal.",
                        () -> components.feed().last());
        components
                .metrics()
                .gauge(
                        "sluice.journal.stalled",
                        "1 while the journal cannot be written, otherwise 0.",
                        () -> components.host().stall() != null ? 1 : 0);
        NodeExecutor processes = components.processes();
        components
                .metrics()
                .gauge(
                        "sluice.tasks.here",
                        "Tasks running on this machine.",
                        () -> processes == null ? 0 : processes.running());
    }
}
