package dev.sluice.server.page;

import dev.sluice.server.access.IssuerSignIn;
import dev.sluice.server.access.Sessions;
import dev.sluice.server.http.Authenticator;
import dev.sluice.server.live.EventStreams;
import dev.sluice.server.live.LiveFeed;
import dev.sluice.server.live.StateVersions;
import dev.sluice.server.report.SimulationReports;
import dev.sluice.server.route.Route;
import dev.sluice.server.routes.PermittedActions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The routes of the page. */
public final class Page {

    /** Minimum time between two updates of a page. */
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

    /** The same, if reading the state takes long. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    /** How old answers may be if the state has not changed, or if they cost much. */
    private static final Duration RECENT = Duration.ofSeconds(30);

    /** How old answers that cost much may be while newer ones are read in the background. */
    static final Duration STALE = Duration.ofMinutes(2);

    private static final Duration IDLE_MAX = Duration.ofSeconds(10);

    private final List<Route> routes;
    private final WarmUp warmUp;

    private Page(List<Route> routes, WarmUp warmUp) {
        this.routes = routes;
        this.warmUp = warmUp;
    }

    /**
     * What the page needs of the server.
     *
     * @param api the routes of the API
     * @param authenticator knows callers by their tokens
     * @param issuer signs people in at an issuer, or null
     * @param encrypted whether the server encrypts connections
     * @param permitted says what callers may do with an application
     * @param nanos a monotonic clock
     */
    public record Parts(
            List<Route> api,
            JsonMapper json,
            Authenticator authenticator,
            Sessions sessions,
            @Nullable IssuerSignIn issuer,
            boolean encrypted,
            LiveFeed feed,
            EventStreams streams,
            PermittedActions permitted,
            InstantSource clock,
            LongSupplier nanos) {}

    /** Returns the routes. */
    public List<Route> routes() {
        return routes;
    }

    /** Returns what renders pages once after the start. */
    public WarmUp warmUp() {
        return warmUp;
    }

    /** Creates the page. */
    public static Page of(Parts parts) {
        StateVersions versions = new StateVersions(parts.feed()::last, parts.nanos(), PAUSE_MIN, PAUSE_MAX);
        ApiCalls api = new ApiCalls(
                parts.api(),
                parts.json(),
                new SharedAnswers(versions::current, parts.nanos(), RECENT, RECENT, Runnable::run, versions::read),
                new SharedAnswers(() -> 0, parts.nanos(), RECENT, STALE, background(), took -> {}));
        Forms forms = new Forms(parts.sessions());
        Shells shells = new Shells(api, forms, versions::current, parts.clock());
        Templates templates = new Templates();
        PageProblems problems = new PageProblems(templates, shells);
        PageRoutes pages = new PageRoutes(api, forms, problems);
        IssuerSignIn issuer = parts.issuer();
        SignInAnswers signIn = new SignInAnswers(
                templates,
                shells,
                parts.sessions(),
                parts.encrypted() || (issuer != null && issuer.isEncrypted()),
                issuer == null ? "" : issuer.issuer());
        UsageHistory history = new UsageHistory(api);
        WaitReasons reasons = new WaitReasons(api);
        List<Route> routes = new ArrayList<>();
        routes.addAll(new SignInRoutes(pages, signIn, parts.sessions(), parts.authenticator()).routes());
        if (issuer != null) {
            routes.addAll(new IssuerSignInRoutes(pages, signIn, problems, parts.sessions(), issuer).routes());
        }
        routes.addAll(new LiveRoutes(pages, versions, parts.streams()).routes());
        routes.addAll(new OverviewPage(
                        api,
                        pages,
                        templates,
                        shells,
                        history,
                        new StarvedQueues(api, reasons),
                        new StuckApplications(api, reasons))
                .routes());
        routes.addAll(new QueuePages(api, pages, templates, shells, history).routes());
        routes.addAll(new ApplicationPages(api, pages, templates, shells, parts.permitted()).routes());
        routes.addAll(new TaskPages(api, pages, templates, shells).routes());
        routes.addAll(new NodePages(api, pages, templates, shells).routes());
        routes.addAll(new UsagePages(api, pages, templates, shells, history).routes());
        routes.addAll(new DrainPages(api, pages, templates, shells).routes());
        routes.addAll(new ConfigurationPages(api, pages, templates, shells).routes());
        routes.addAll(
                new ReportPages(api, pages, templates, shells, new SimulationReports(parts.clock(), parts.nanos()))
                        .routes());
        return new Page(List.copyOf(routes), new WarmUp(api, routes));
    }

    /** Returns an executor with one thread, which ends when it is idle. */
    private static Executor background() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, IDLE_MAX.toSeconds(), TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "page-answers");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
