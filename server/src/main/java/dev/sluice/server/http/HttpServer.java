package dev.sluice.server.http;

import dev.sluice.server.route.Route;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers over HTTP what the routes answer, on the loopback address alone.
 *
 * <p>A few threads of the web server bring in what is sent and never wait. What a route that never waits is asked they ask it themselves,
 * and one thread more writes what it answers in the end; every other route is asked on a thread of the workers.
 */
public final class HttpServer implements AutoCloseable {

    /** The media type of problems. */
    public static final String PROBLEM_TYPE = "application/problem+json";

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final String HOST = "127.0.0.1";

    /** Each has one request under way at most, so no more requests than this ever wait for a worker. */
    private static final int CONNECTIONS_MAX = 4096;

    /** Threads of the web server itself, which never wait: for each two processors one that reads, and some for what else there is to do. */
    private static final int WEB_THREADS = Runtime.getRuntime().availableProcessors() / 2 + 15;

    private static final int THREADS_MIN = 4;

    /** A connection on which nothing moves for so long is closed. */
    private static final Duration CONNECTION_IDLE = Duration.ofSeconds(30);

    /** A thread that has had nothing to do for so long ends. */
    private static final Duration THREAD_IDLE = Duration.ofMinutes(5);

    /** So many bytes are read from a connection at a time. */
    private static final int READ_BUFFER = 4 << 10;

    /** The header of a response as a rule, and at most, in bytes. */
    private static final int RESPONSE_HEADER = 1 << 10;

    private static final int RESPONSE_HEADER_MAX = 8 << 10;

    /** How long what is being answered may take when the server ends. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

    private final Server jetty;
    private final ServerConnector connector;
    private final ExecutorService answers = Executors.newSingleThreadExecutor(task -> new Thread(task, "answers"));
    private final InFlightRequests inFlightRequests = new InFlightRequests();

    /**
     * How it is reached and what it takes.
     *
     * @param port 0 for any that is free
     * @param bodyMax the largest body, in bytes
     * @param bodiesMax all bodies at a time, in bytes
     * @param answersMax all large answers that clients have not read yet, in bytes
     * @param threads how many requests wait for what they need at a time
     */
    public record Settings(int port, long bodyMax, long bodiesMax, long answersMax, int threads) {

        /** The least room for answers: none of them is as large. */
        private static final long ANSWERS_MIN = 16L << 20;

        /** Settings with which bodies take a quarter of the memory at most, and answers an eighth, but never so little that one has no room. */
        public static Settings of(int port, long bodyMax, int threads) {
            long memory = Runtime.getRuntime().maxMemory();
            return new Settings(
                    port, bodyMax, Math.max(bodyMax, memory / 4), Math.max(ANSWERS_MIN, memory / 8), threads);
        }
    }

    /** Is told of every call that was answered. */
    @FunctionalInterface
    public interface RequestListener {
        /** It took so long. */
        void answered(Route route, int status, long nanos);
    }

    /**
     * Begins to listen.
     *
     * @throws BindException if the port is taken
     */
    public static HttpServer start(Settings settings, JsonMapper json, List<Route> routes, RequestListener watch)
            throws IOException {
        HttpServer server = new HttpServer(settings, json, routes, watch);
        try {
            server.jetty.start();
        } catch (Exception e) {
            server.close();
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof BindException bind) {
                    throw bind;
                }
            }
            throw new IOException("cannot start the web server: " + e.getMessage(), e);
        }
        return server;
    }

    private HttpServer(Settings settings, JsonMapper json, List<Route> routes, RequestListener watch) {
        QueuedThreadPool workers = pool("worker", settings.threads());
        // Jetty may use a buffer that it has released; one that is not pooled belongs to no other connection by then
        jetty = new Server(pool("web", WEB_THREADS), null, ByteBufferPool.NON_POOLING);
        connector = new ServerConnector(jetty, new RequestConnection.Factory(configuration()));
        connector.setHost(HOST);
        connector.setPort(settings.port());
        connector.setIdleTimeout(CONNECTION_IDLE.toMillis());
        jetty.addConnector(connector);
        jetty.addBean(new NetworkConnectionLimit(CONNECTIONS_MAX, connector));
        jetty.addBean(workers);
        jetty.setErrorHandler(new ProblemErrorHandler(json));
        // an answer that is under way goes out before its connection is closed
        jetty.setStopTimeout(SHUTDOWN_TIMEOUT.toMillis());
        BodyBudget room = new BodyBudget(settings.bodiesMax(), settings.bodyMax());
        BodyBudget unread = new BodyBudget(settings.answersMax(), settings.answersMax());
        jetty.setHandler(new Exchanges(new Exchange.Common(
                new Router(routes), json, room, unread, workers, answers, inFlightRequests, watch)));
    }

    private static QueuedThreadPool pool(String name, int threads) {
        QueuedThreadPool pool = new QueuedThreadPool(threads, THREADS_MIN, (int) THREAD_IDLE.toMillis());
        pool.setName(name);
        return pool;
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        // a buffer is made for every request: small ones on the heap are cheap, direct ones are not
        http.setUseInputDirectByteBuffers(false);
        http.setUseOutputDirectByteBuffers(false);
        http.setInputBufferSize(READ_BUFFER);
        http.setResponseHeaderSize(RESPONSE_HEADER);
        http.setMaxResponseHeaderSize(RESPONSE_HEADER_MAX);
        // Ids may hold a slash, which then stands encoded in a path.
        http.setUriCompliance(UriCompliance.from(Set.of(
                UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                UriCompliance.Violation.AMBIGUOUS_PATH_SEGMENT,
                UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS)));
        return http;
    }

    /** Makes an exchange of every request. */
    private static final class Exchanges extends Handler.Abstract.NonBlocking {

        private final Exchange.Common common;

        Exchanges(Exchange.Common common) {
            this.common = common;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            new Exchange(common, request, response, callback).begin();
            return true;
        }
    }

    /** The port that it listens on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** How many requests have come in whole and are not answered yet. */
    public int inFlightRequests() {
        return inFlightRequests.count();
    }

    /** Ends; what is being answered is answered first, unless that takes too long. Streams should have ended before. */
    @Override
    public void close() {
        if (!inFlightRequests.await(SHUTDOWN_TIMEOUT)) {
            LOG.warn("shutdown timeout, some requests were not answered");
        }
        try {
            jetty.stop();
        } catch (Exception e) {
            LOG.warn("error while stopping the web server", e);
        }
        answers.shutdown();
    }
}
