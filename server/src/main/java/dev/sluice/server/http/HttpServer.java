package dev.sluice.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.server.route.Answer;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import dev.sluice.server.route.Verb;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Answers over HTTP what the routes answer, on the loopback address alone. */
public final class HttpServer implements AutoCloseable {

    /** Where routes begin. */
    public static final String BASE = "/api/v1";

    /** The media type of problems. */
    public static final String PROBLEM_TYPE = "application/problem+json";

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final String HOST = "127.0.0.1";
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final Javalin javalin;
    private final JsonMapper json;

    /**
     * How it is reached and what it takes.
     *
     * @param port 0 for any that is free
     * @param bodyMax the largest body, in bytes
     * @param threads how many requests are worked on at a time
     */
    public record Settings(int port, long bodyMax, int threads) {}

    /**
     * Begins to listen.
     *
     * @param routes what is below {@link #BASE}
     * @param more what is answered besides, such as events
     * @throws BindException if the port is taken
     */
    public static HttpServer start(
            Settings settings, JsonMapper json, List<Route> routes, CallWatch watch, Consumer<JavalinConfig> more)
            throws BindException {
        HttpServer server = new HttpServer(settings, json, routes, watch, more);
        try {
            server.javalin.start(HOST, settings.port());
        } catch (RuntimeException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof BindException bind) {
                    throw bind;
                }
            }
            throw e;
        }
        return server;
    }

    private HttpServer(
            Settings settings, JsonMapper json, List<Route> routes, CallWatch watch, Consumer<JavalinConfig> more) {
        this.json = json;
        this.javalin = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.http.maxRequestSize = settings.bodyMax();
            config.http.generateEtags = false;
            config.jetty.threadPool = new QueuedThreadPool(settings.threads(), 8, (int) IDLE.toMillis());
            config.jetty.modifyHttpConfiguration(http -> configure(http));
            for (Route route : routes) {
                config.routes.addHttpHandler(
                        type(route.verb()), BASE + route.path(), context -> answer(context, route, watch));
            }
            config.routes.exception(ProblemException.class, (e, context) -> problem(context, e));
            config.routes.exception(HttpResponseException.class, (e, context) -> problem(context, known(e, context)));
            config.routes.exception(Exception.class, (e, context) -> {
                LOG.error("a bug: {} {}", context.method(), context.path(), e);
                problem(context, ProblemException.of(ProblemKind.INTERNAL, "this is a bug in the server: " + e));
            });
            config.routes.error(404, context -> {
                if (context.result() == null
                        || !PROBLEM_TYPE.equals(context.res().getContentType())) {
                    problem(
                            context,
                            ProblemException.of(ProblemKind.NOT_FOUND, "there is nothing at " + context.path()));
                }
            });
            more.accept(config);
        });
    }

    private static void configure(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        // Ids may hold a slash, which then stands encoded in a path.
        http.setUriCompliance(UriCompliance.from(java.util.Set.of(
                UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                UriCompliance.Violation.AMBIGUOUS_PATH_SEGMENT,
                UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS)));
    }

    private static HandlerType type(Verb verb) {
        return switch (verb) {
            case GET -> HandlerType.GET;
            case POST -> HandlerType.POST;
            case PUT -> HandlerType.PUT;
            case DELETE -> HandlerType.DELETE;
        };
    }

    private void answer(Context context, Route route, CallWatch watch) {
        long began = System.nanoTime();
        JavalinCall call = new JavalinCall(context, json, route.verb());
        int status = ProblemKind.INTERNAL.status();
        try {
            CrossSite.check(context, route.verb(), call.mediaType());
            Answer answer = route.handler().handle(call);
            status = answer.status();
            write(context, answer);
        } catch (ProblemException e) {
            status = e.kind().status();
            throw e;
        } finally {
            watch.answered(route, status, System.nanoTime() - began);
        }
    }

    /** Is told of every call that was answered. */
    @FunctionalInterface
    public interface CallWatch {
        /** It took so long. */
        void answered(Route route, int status, long nanos);
    }

    private void write(Context context, Answer answer) {
        context.status(answer.status());
        answer.headers().forEach(context::header);
        context.header("Cache-Control", "no-store");
        Object body = answer.body();
        if (body instanceof Answer.Text text) {
            context.contentType(text.type());
            context.result(text.content().getBytes(UTF_8));
        } else if (body != null) {
            context.contentType("application/json");
            context.result(json.writeValueAsBytes(body));
        }
    }

    private void problem(Context context, ProblemException e) {
        context.status(e.kind().status());
        context.contentType(PROBLEM_TYPE);
        Duration retry = e.retryAfter();
        if (retry != null) {
            context.header("Retry-After", Long.toString(Math.max(1, retry.toSeconds())));
        }
        context.result(json.writeValueAsBytes(e.problem()));
    }

    private static ProblemException known(HttpResponseException e, Context context) {
        ProblemKind kind = switch (e.getStatus()) {
            case 404 -> ProblemKind.NOT_FOUND;
            case 405 -> ProblemKind.METHOD_NOT_ALLOWED;
            case 413 -> ProblemKind.TOO_LARGE;
            case 415 -> ProblemKind.MEDIA_TYPE;
            case 503 -> ProblemKind.UNAVAILABLE;
            default -> e.getStatus() < 500 ? ProblemKind.MALFORMED : ProblemKind.INTERNAL;
        };
        String detail = kind == ProblemKind.NOT_FOUND ? "there is nothing at " + context.path() : reason(e);
        return ProblemException.of(kind, detail);
    }

    private static String reason(HttpResponseException e) {
        @Nullable String message = e.getMessage();
        return message == null ? e.toString() : message;
    }

    /** The port that it listens on. */
    public int port() {
        return javalin.port();
    }

    @Override
    public void close() {
        javalin.stop();
    }
}
