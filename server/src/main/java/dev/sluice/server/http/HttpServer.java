package dev.sluice.server.http;

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
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Answers over HTTP what the routes answer, on the loopback address alone. */
public final class HttpServer implements AutoCloseable {

    /** The media type of problems. */
    public static final String PROBLEM_TYPE = "application/problem+json";

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final String HOST = "127.0.0.1";
    private static final Duration IDLE = Duration.ofMinutes(5);

    /** How long what is being answered may take when the server ends. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final Javalin javalin;
    private final JsonMapper json;
    private final Settings settings;
    private final UnderWay underWay = new UnderWay();

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
     * @throws BindException if the port is taken
     */
    public static HttpServer start(Settings settings, JsonMapper json, List<Route> routes, CallWatch watch)
            throws BindException {
        HttpServer server = new HttpServer(settings, json, routes, watch);
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

    private HttpServer(Settings settings, JsonMapper json, List<Route> routes, CallWatch watch) {
        this.json = json;
        this.settings = settings;
        this.javalin = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.http.generateEtags = false;
            config.jetty.threadPool = new QueuedThreadPool(settings.threads(), 8, (int) IDLE.toMillis());
            config.jetty.modifyHttpConfiguration(http -> configure(http));
            config.jetty.modifyServer(jetty -> {
                jetty.setErrorHandler(new PlainProblems(json));
                // an answer that is under way goes out before its connection is closed
                jetty.setStopTimeout(FAREWELL.toMillis());
            });
            config.routes.before(CrossSite::checkHost);
            serve(config, routes, watch);
            config.routes.exception(ProblemException.class, (e, context) -> problem(context, e));
            config.routes.exception(HttpResponseException.class, (e, context) -> problem(context, known(e, context)));
            config.routes.exception(Exception.class, (e, context) -> {
                LOG.error("a bug: {} {}", context.method(), context.path(), e);
                problem(context, ProblemException.of(ProblemKind.INTERNAL, "this is a bug in the server: " + e));
            });
            config.routes.error(404, context -> {
                if (!PROBLEM_TYPE.equals(context.res().getContentType())) {
                    problem(
                            context,
                            ProblemException.of(ProblemKind.NOT_FOUND, "there is nothing at " + context.path()));
                }
            });
        });
    }

    /** Every route with its method; HEAD as GET; and at the same paths what is to be said to other methods. */
    private void serve(JavalinConfig config, List<Route> routes, CallWatch watch) {
        Map<String, Set<HandlerType>> known = new LinkedHashMap<>();
        for (Route route : routes) {
            Set<HandlerType> methods = known.computeIfAbsent(route.path(), path -> new HashSet<>());
            methods.add(type(route.verb()));
            config.routes.addHttpHandler(type(route.verb()), route.path(), context -> answer(context, route, watch));
            if (route.verb() == Verb.GET) {
                methods.add(HandlerType.HEAD);
                config.routes.addHttpHandler(HandlerType.HEAD, route.path(), context -> answer(context, route, watch));
            }
        }
        known.forEach((path, methods) -> {
            Set<String> names = new TreeSet<>();
            methods.forEach(method -> names.add(method.name()));
            names.add("OPTIONS");
            String allowed = String.join(", ", names);
            config.routes.addHttpHandler(
                    HandlerType.OPTIONS, path, context -> context.status(204).header("Allow", allowed));
            for (HandlerType other : List.of(
                    HandlerType.GET,
                    HandlerType.HEAD,
                    HandlerType.POST,
                    HandlerType.PUT,
                    HandlerType.PATCH,
                    HandlerType.DELETE,
                    HandlerType.TRACE)) {
                if (!methods.contains(other)) {
                    config.routes.addHttpHandler(other, path, context -> {
                        context.header("Allow", allowed);
                        throw ProblemException.of(
                                ProblemKind.METHOD_NOT_ALLOWED,
                                context.path() + " takes " + allowed + ", not " + context.method());
                    });
                }
            }
        });
    }

    private static void configure(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        // Ids may hold a slash, which then stands encoded in a path.
        http.setUriCompliance(UriCompliance.from(Set.of(
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

    private void answer(Context context, Route route, CallWatch watch) throws IOException, InterruptedException {
        Answer answer;
        underWay.begin();
        try {
            answer = answerOf(context, route, watch);
            if (!(answer.body() instanceof Answer.Stream)) {
                write(context, answer);
            }
        } finally {
            underWay.end();
        }
        if (answer.body() instanceof Answer.Stream stream) {
            write(context, answer, stream);
        }
    }

    private Answer answerOf(Context context, Route route, CallWatch watch) {
        long began = System.nanoTime();
        int status = ProblemKind.INTERNAL.status();
        try {
            JavalinCall call = new JavalinCall(context, json, route, settings.bodyMax());
            CrossSite.check(context, route, call.mediaType());
            Answer answer = route.handler().handle(call);
            status = answer.status();
            return answer;
        } catch (ProblemException e) {
            status = e.kind().status();
            throw e;
        } catch (LinkageError | StackOverflowError e) {
            // the web server would neither answer nor let go of the connection
            LOG.error("a bug: {} {}", context.method(), context.path(), e);
            throw ProblemException.of(ProblemKind.INTERNAL, "this is a bug in the server: " + e);
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
            context.result(text.content().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        } else if (body != null) {
            context.contentType("application/json");
            context.result(json.writeValueAsBytes(body));
        }
    }

    private static void write(Context context, Answer answer, Answer.Stream stream)
            throws IOException, InterruptedException {
        try (stream) {
            context.status(answer.status());
            answer.headers().forEach(context::header);
            context.header("Cache-Control", "no-store");
            context.res().setContentType(stream.type());
            if (context.method().equals(HandlerType.HEAD)) {
                return;
            }
            OutputStream out = context.res().getOutputStream();
            stream.write(out);
        } catch (IOException gone) {
            LOG.debug("nobody reads {} any more: {}", context.path(), gone.toString());
        }
    }

    private void problem(Context context, ProblemException e) {
        context.status(e.kind().status());
        context.contentType(PROBLEM_TYPE);
        context.header("Cache-Control", "no-store");
        Duration retry = e.retryAfter();
        if (retry != null) {
            context.header("Retry-After", Long.toString(Math.max(1, retry.toSeconds())));
        }
        context.result(json.writeValueAsBytes(e.problem()));
    }

    private static ProblemException known(HttpResponseException e, Context context) {
        ProblemKind kind = PlainProblems.kindOf(e.getStatus());
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

    /** How many requests are being answered, streams not counted. */
    public int underWay() {
        return underWay.count();
    }

    /** Ends; what is being answered is answered first, unless that takes too long. Streams should have ended before. */
    @Override
    public void close() {
        if (!underWay.await(FAREWELL)) {
            LOG.warn("some requests were not answered in time");
        }
        javalin.stop();
    }
}
