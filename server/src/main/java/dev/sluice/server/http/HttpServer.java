package dev.sluice.server.http;

import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves the routes over HTTP, on a TCP port and optionally on a Unix socket.
 *
 * <p>A few threads of the web server read requests and never block. They call asynchronous routes themselves, and one
 * more thread writes those routes' responses; blocking routes are called on worker threads.
 */
public final class HttpServer implements AutoCloseable {

    /** The media type of problems. */
    public static final String PROBLEM_TYPE = "application/problem+json";

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

    /** Each connection has at most one request in flight, so at most this many requests wait for a worker. */
    private static final int CONNECTIONS_MAX = 4096;

    /** Threads of the web server, which never block: one selector per two processors, and some for other work. */
    private static final int WEB_THREADS = Runtime.getRuntime().availableProcessors() / 2 + 15;

    private static final int THREADS_MIN = 4;

    /** Idle timeout of connections. */
    private static final Duration CONNECTION_IDLE = Duration.ofSeconds(30);

    /** Number of connections from which on idle ones are closed soon. */
    private static final int CONNECTIONS_MANY = CONNECTIONS_MAX / 4 * 3;

    /** Connections that wait until there is room; the system refuses others. */
    private static final int ACCEPT_QUEUE = 1024;

    /** Idle timeout of threads. */
    private static final Duration THREAD_IDLE = Duration.ofMinutes(5);

    /** Bytes read from a connection at a time. */
    private static final int READ_BUFFER = 4 << 10;

    /** Initial and maximum size of a response header, in bytes. */
    private static final int RESPONSE_HEADER = 1 << 10;

    private static final int RESPONSE_HEADER_MAX = 8 << 10;

    /** Maximum time to finish in-flight responses on shutdown. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

    /** Time until idle connections are closed on shutdown, when in-flight requests have been answered. */
    private static final Duration SHUTDOWN_IDLE = Duration.ofMillis(50);

    private final Server jetty;
    private final ServerConnector connector;
    private final ExecutorService answers = Executors.newSingleThreadExecutor(task -> new Thread(task, "answers"));
    private final InFlightRequests inFlightRequests = new InFlightRequests();

    /**
     * Settings of the HTTP server.
     *
     * @param port the port; 0 for any free port
     * @param bodyMax the largest request body, in bytes
     * @param bodiesMax the maximum of all bodies together, in bytes
     * @param answersMax the maximum of all unread large responses together, in bytes
     * @param threads the number of worker threads
     * @param listen the address, the Unix socket and the certificate
     * @param slowClients how fast clients must send and read
     */
    public record Settings(
            int port,
            long bodyMax,
            long bodiesMax,
            long answersMax,
            int threads,
            ListenSettings listen,
            SlowClients.Limits slowClients) {

        /** Minimum of {@code answersMax}: no response is larger. */
        private static final long ANSWERS_MIN = 16L << 20;

        /** Creates settings of a server on the loopback address, with the default speed of clients. */
        public Settings(int port, long bodyMax, long bodiesMax, long answersMax, int threads) {
            this(port, bodyMax, bodiesMax, answersMax, threads, ListenSettings.LOOPBACK, SlowClients.DEFAULT);
        }

        /** Returns a copy that listens there. */
        public Settings withListen(ListenSettings newListen) {
            return new Settings(port, bodyMax, bodiesMax, answersMax, threads, newListen, slowClients);
        }

        /** Returns a copy with another speed of clients. */
        Settings withSlowClients(SlowClients.Limits newLimits) {
            return new Settings(port, bodyMax, bodiesMax, answersMax, threads, listen, newLimits);
        }

        /**
         * Returns settings with a quarter of the heap for bodies and an eighth for responses, but at least enough for
         * one of each.
         */
        public static Settings of(int port, long bodyMax, int threads) {
            long memory = Runtime.getRuntime().maxMemory();
            return new Settings(
                    port, bodyMax, Math.max(bodyMax, memory / 4), Math.max(ANSWERS_MIN, memory / 8), threads);
        }
    }

    /** Receives a notification for every answered request. */
    @FunctionalInterface
    public interface RequestListener {
        void answered(Route route, int status, long nanos);
    }

    /** Starts listening like the other {@code start}, without an audit log. */
    public static HttpServer start(
            Settings settings,
            JsonMapper json,
            Authenticator authenticator,
            List<Route> routes,
            RequestListener listener)
            throws IOException {
        return start(
                settings,
                json,
                authenticator,
                routes,
                listener,
                (caller, address, route, target, status, hasChanged, detail) -> {});
    }

    /**
     * Starts listening.
     *
     * @throws BindException if the port is in use, or the address is not one of this machine
     */
    public static HttpServer start(
            Settings settings,
            JsonMapper json,
            Authenticator authenticator,
            List<Route> routes,
            RequestListener listener,
            AuditListener audit)
            throws IOException {
        return started(new HttpServer(settings, json, authenticator, routes, HttpServer::notFound, listener, audit));
    }

    /**
     * Starts listening with routes for anyone, and one answer for all other paths.
     *
     * @throws BindException if the port is in use, or the address is not one of this machine
     */
    public static HttpServer startRefusing(
            Settings settings, JsonMapper json, List<Route> routes, Function<String, ProblemException> missing)
            throws IOException {
        return started(new HttpServer(
                settings,
                json,
                credentials -> Caller.UNKNOWN,
                routes,
                missing,
                (route, status, nanos) -> {},
                (caller, address, route, target, status, hasChanged, detail) -> {}));
    }

    private static ProblemException notFound(String path) {
        return ProblemException.of(ProblemKind.NOT_FOUND, "path " + path + " not found");
    }

    private static HttpServer started(HttpServer server) throws IOException {
        try {
            server.jetty.start();
        } catch (Exception e) {
            server.close();
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof BindException bind) {
                    throw bind;
                }
            }
            throw e instanceof IOException known ? known : new IOException("cannot start the web server: " + e, e);
        }
        return server;
    }

    private HttpServer(
            Settings settings,
            JsonMapper json,
            Authenticator authenticator,
            List<Route> routes,
            Function<String, ProblemException> missing,
            RequestListener listener,
            AuditListener audit)
            throws IOException {
        ListenSettings listen = settings.listen();
        ServerCertificates certificates = listen.tls() == null ? null : ServerCertificates.read(listen.tls());
        QueuedThreadPool workers = pool("worker", settings.threads());
        // Jetty may use a buffer after releasing it; an unpooled buffer then belongs to no other connection
        jetty = new Server(pool("web", WEB_THREADS), null, ByteBufferPool.NON_POOLING);
        connector = tcp(certificates);
        connector.setHost(listen.address());
        connector.setPort(settings.port());
        jetty.addConnector(connector);
        if (listen.socket() != null) {
            jetty.addConnector(
                    new UnixConnector(jetty, listen.socket(), new RequestConnection.Factory(configuration())));
        }
        SlowClients slowClients = new SlowClients(settings.slowClients(), CONNECTION_IDLE, CONNECTIONS_MANY);
        jetty.addBean(slowClients);
        for (Connector each : jetty.getConnectors()) {
            ServerConnector accepting = (ServerConnector) each;
            accepting.setAcceptQueueSize(ACCEPT_QUEUE);
            accepting.setIdleTimeout(CONNECTION_IDLE.toMillis());
            accepting.setShutdownIdleTimeout(SHUTDOWN_IDLE.toMillis());
            accepting.addBean(slowClients, false); // is told about its connections
        }
        jetty.addBean(new NetworkConnectionLimit(CONNECTIONS_MAX, jetty.getConnectors()));
        jetty.addBean(workers);
        jetty.setErrorHandler(new ProblemErrorHandler(json));
        // finish in-flight responses before closing their connections
        jetty.setStopTimeout(SHUTDOWN_TIMEOUT.toMillis());
        BodyBudget bodyBudget = new BodyBudget(settings.bodiesMax(), settings.bodyMax());
        BodyBudget responseBudget = new BodyBudget(settings.answersMax(), settings.answersMax());
        jetty.setHandler(new Exchanges(new Exchange.Common(
                new Router(routes),
                missing,
                json,
                crossSite(listen, certificates),
                authenticator,
                bodyBudget,
                responseBudget,
                slowClients,
                workers,
                answers,
                inFlightRequests,
                listener,
                audit)));
    }

    private ServerConnector tcp(@Nullable ServerCertificates certificates) {
        HttpConfiguration configuration = configuration();
        RequestConnection.Factory http = new RequestConnection.Factory(configuration);
        if (certificates == null) {
            return new ServerConnector(jetty, http);
        }
        configuration.addCustomizer(new SecureRequestCustomizer(false));
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSslContext(certificates.context());
        return new ServerConnector(jetty, new SslConnectionFactory(tls, http.getProtocol()), http);
    }

    private static CrossSite crossSite(ListenSettings listen, @Nullable ServerCertificates certificates) {
        return new CrossSite(
                listen.urlHost(), listen.hostNames(), certificates == null ? Set::of : certificates::names);
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
        // a buffer is allocated per request: cheap for small heap buffers, expensive for direct ones
        http.setUseInputDirectByteBuffers(false);
        http.setUseOutputDirectByteBuffers(false);
        http.setInputBufferSize(READ_BUFFER);
        http.setResponseHeaderSize(RESPONSE_HEADER);
        http.setMaxResponseHeaderSize(RESPONSE_HEADER_MAX);
        // Ids may contain a slash, which is percent-encoded in paths.
        http.setUriCompliance(UriCompliance.from(Set.of(
                UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                UriCompliance.Violation.AMBIGUOUS_PATH_SEGMENT,
                UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS)));
        return http;
    }

    /** Creates an exchange for every request. */
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

    /** Returns the port the server listens on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Returns the number of requests that are received completely and not answered yet. */
    public int inFlightRequests() {
        return inFlightRequests.count();
    }

    /**
     * Stops the server after in-flight requests are answered or the shutdown timeout has passed. Close event streams
     * first.
     */
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
        for (Connector each : jetty.getConnectors()) {
            ((ServerConnector) each).close(); // one that was opened but not started is still open
        }
        answers.shutdown();
    }
}
