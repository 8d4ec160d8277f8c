package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cli.client.ServerRequest.Repeat;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.route.ProblemDetails;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** HTTP client of the REST API, with retries of requests that are safe to repeat. */
public final class ServerClient {

    /** Header with the idempotency key. */
    static final String KEY_HEADER = "Idempotency-Key";

    /** Header with environment variables of submitted tasks, form-encoded. */
    public static final String VARIABLES_HEADER = "Sluice-Environment";

    /** Header with secrets of submitted tasks, form-encoded; only sent where nobody can read it. */
    public static final String SECRETS_HEADER = "Sluice-Secrets";

    /** Header with the user name. */
    static final String USER_HEADER = "Sluice-User";

    private static final String EVENTS = "text/event-stream";
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    private final URI server;
    private final String user;
    private final @Nullable String token;
    private final Supplier<RetryPolicy> retryPolicy;
    private final TrustedIssuers issuers;

    /** Creates a client that trusts the issuers of certificates that the Java runtime trusts. */
    public ServerClient(URI server, String user, @Nullable String token, Supplier<RetryPolicy> retryPolicy) {
        this(server, user, token, null, retryPolicy);
    }

    /**
     * @param server address such as {@code http://127.0.0.1:7450} or {@code unix:/run/sluice/sluice.sock}
     * @param user name of the user, which a token or a Unix socket replaces
     * @param token access token, or null
     * @param ca PEM file with the trusted issuers of certificates; null for those that the Java runtime trusts
     * @param retryPolicy limit for each request, including its retries
     */
    public ServerClient(
            URI server, String user, @Nullable String token, @Nullable Path ca, Supplier<RetryPolicy> retryPolicy) {
        this.server = server;
        this.user = plain(user);
        this.token = token;
        this.issuers = new TrustedIssuers(ca);
        this.retryPolicy = retryPolicy;
    }

    /** Replaces characters that a header must not contain. */
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        text.codePoints().forEach(c -> plain.append(c >= ' ' && c <= '~' ? (char) c : '?'));
        return plain.toString().strip();
    }

    public ServerAnswer get(ApiPath path) {
        return send(ServerRequest.get(path));
    }

    /**
     * Sends a request.
     *
     * @throws ClientException if there is no server, or it responds with an error
     */
    public ServerAnswer send(ServerRequest request) {
        return answer(exchange(request), false);
    }

    /** Sends a request whose error statuses may carry a regular response. */
    public ServerAnswer sendAnyStatus(ServerRequest request) {
        return answer(exchange(request), true);
    }

    private ServerAnswer answer(HttpReply reply, boolean anyStatus) {
        String text;
        try {
            text = reply.text();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it is in memory
        }
        if (reply.status() >= 400 && !(anyStatus && reply.type().equals(ServerRequest.JSON))) {
            throw problem(reply.status(), reply.type(), text);
        }
        return new ServerAnswer(reply.status(), text);
    }

    private HttpReply exchange(ServerRequest request) {
        RetryPolicy left = retryPolicy.get();
        boolean lost = false;
        while (true) {
            try (ServerConnection connection = connect(left.remaining())) {
                HttpReply reply = connection.sendAndReadAll(
                        request.method(), request.path().text(), headers(request), request.body(), left.remaining());
                if (!isRetryable(request, reply) || !left.pause(reply.retryAfter())) {
                    return reply;
                }
            } catch (ConnectException | UnknownHostException e) {
                requireNotInterrupted();
                // a server that has just answered may be restarting
                if (!lost || !left.pause(null)) {
                    throw noServer(e);
                }
            } catch (SocketTimeoutException e) {
                throw ClientException.unavailable(
                        "request to " + server + " timed out" + unknownOutcome(request) + "; raise --timeout");
            } catch (SSLException e) {
                throw notEncrypted(e);
            } catch (IOException e) {
                lost = true;
                requireNotInterrupted();
                if (request.repeat() != Repeat.FREELY || !left.pause(null)) {
                    throw ClientException.unavailable("connection to " + server + " lost" + unknownOutcome(request));
                }
            }
        }
    }

    private ServerConnection connect(Duration limit) throws IOException {
        return ServerConnection.open(server, issuers, limit.compareTo(CONNECT) < 0 ? limit : CONNECT);
    }

    private static void requireNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw ClientException.unavailable("interrupted");
        }
    }

    private static String unknownOutcome(ServerRequest request) {
        return request.method().equals("GET") ? "" : ": the request may or may not have been executed";
    }

    private static boolean isRetryable(ServerRequest request, HttpReply reply) {
        return reply.status() == TOO_MANY_REQUESTS
                || (reply.status() == SERVICE_UNAVAILABLE
                        && request.repeat() == Repeat.FREELY
                        && reply.type().equals(HttpServer.PROBLEM_TYPE));
    }

    private ClientException notEncrypted(SSLException e) {
        return ClientException.failed("no encrypted connection to " + server + ": " + e.getMessage()
                + "; --ca names a file with the certificate of its issuer");
    }

    /** Opens an event stream. */
    InputStream events(ApiPath path, @Nullable Long last) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Accept", EVENTS);
        identify(headers);
        if (last != null) {
            headers.put("Last-Event-ID", Long.toString(last));
        }
        HttpReply reply;
        try {
            ServerConnection connection = connect(CONNECT);
            try {
                reply = connection.send("GET", path.text(), headers, null);
            } catch (IOException e) {
                connection.close();
                throw e;
            }
        } catch (SSLException e) {
            throw notEncrypted(e);
        }
        if (reply.status() != 200 || !reply.type().equals(EVENTS)) {
            try (InputStream body = reply.body()) {
                throw problem(reply.status(), reply.type(), new String(body.readNBytes(1 << 16), UTF_8));
            }
        }
        return reply.body();
    }

    RetryPolicy retryPolicy() {
        return retryPolicy.get();
    }

    private Map<String, String> headers(ServerRequest request) {
        if (request.headers().containsKey(SECRETS_HEADER)) {
            ClientToken.requireSecret("secrets are", server);
        }
        Map<String, String> headers = new LinkedHashMap<>(request.headers());
        headers.put("Accept", request.accept());
        identify(headers);
        put(headers, "Content-Type", request.mediaType());
        put(headers, KEY_HEADER, request.key());
        return headers;
    }

    private static void put(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    private void identify(Map<String, String> headers) {
        if (token != null) {
            headers.put("Authorization", "Bearer " + token);
        } else if (!user.isEmpty() && ServerConnection.socketPath(server) == null) {
            headers.put(USER_HEADER, user);
        }
    }

    /** Returns the error for a failed connection. */
    ClientException noServer(IOException e) {
        if (e instanceof UnknownHostException) {
            return ClientException.unavailable("host " + server.getHost() + " not found: check --server");
        }
        String reason = String.valueOf(e.getMessage());
        if (reason.contains("denied") && ServerConnection.socketPath(server) != null) {
            return ClientException.unavailable("no permission to use " + server
                    + ": the server lets only its own user connect; start it with --socket in another folder");
        }
        return ClientException.unavailable("no server at " + server + ": start one with sluice serve, or use --server");
    }

    private ClientException problem(int status, String type, String body) {
        if (!type.equals(HttpServer.PROBLEM_TYPE)) {
            return ClientException.failed(server + " is not a Sluice server (status " + status + "): check --server");
        }
        return ClientException.of(ClientJson.value(new ServerAnswer(status, body).tree(), ProblemDetails.class));
    }
}
