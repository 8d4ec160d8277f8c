package dev.sluice.cli.client;

import dev.sluice.cli.client.ServerRequest.Repeat;
import dev.sluice.server.http.HttpServer;
import dev.sluice.server.route.ProblemDetails;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** HTTP client of the REST API, with retries of requests that are safe to repeat. */
public final class ServerClient {

    /** Header with the idempotency key. */
    static final String KEY_HEADER = "Idempotency-Key";

    private static final String VARIABLES_HEADER = "Sluice-Environment";

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
    private final HttpClient http;

    /**
     * @param server address such as {@code http://127.0.0.1:7450}
     * @param user name of the user, which a token replaces
     * @param token access token, or null
     * @param retryPolicy limit for each request, including its retries
     */
    public ServerClient(URI server, String user, @Nullable String token, Supplier<RetryPolicy> retryPolicy) {
        this.server = server;
        this.user = plain(user);
        this.token = token;
        this.retryPolicy = retryPolicy;
        this.http = HttpConnections.to(server, CONNECT);
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
        HttpResponse<String> response = exchange(request);
        if (response.statusCode() >= 400) {
            throw problem(response.statusCode(), type(response.headers()), response.body());
        }
        return new ServerAnswer(response.statusCode(), response.body());
    }

    /** Sends a request whose error statuses may carry a regular response. */
    public ServerAnswer sendAnyStatus(ServerRequest request) {
        HttpResponse<String> response = exchange(request);
        if (response.statusCode() >= 400 && !type(response.headers()).equals(ServerRequest.JSON)) {
            throw problem(response.statusCode(), type(response.headers()), response.body());
        }
        return new ServerAnswer(response.statusCode(), response.body());
    }

    private HttpResponse<String> exchange(ServerRequest request) {
        RetryPolicy left = retryPolicy.get();
        boolean lost = false;
        while (true) {
            try {
                HttpResponse<String> response =
                        http.send(message(request).timeout(left.remaining()).build(), BodyHandlers.ofString());
                if (!isRetryable(request, response) || !left.pause(retryAfter(response.headers()))) {
                    return response;
                }
            } catch (HttpConnectTimeoutException | ConnectException e) {
                // a server that has just answered may be restarting
                if (!lost || !left.pause(null)) {
                    throw noServer(e);
                }
            } catch (HttpTimeoutException e) {
                throw ClientException.unavailable(
                        "request to " + server + " timed out" + unknownOutcome(request) + "; raise --timeout");
            } catch (IOException e) {
                lost = true;
                if (request.repeat() != Repeat.FREELY || !left.pause(null)) {
                    throw ClientException.unavailable("connection to " + server + " lost" + unknownOutcome(request));
                }
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
    }

    private static String unknownOutcome(ServerRequest request) {
        return request.method().equals("GET") ? "" : ": the request may or may not have been executed";
    }

    private static boolean isRetryable(ServerRequest request, HttpResponse<String> response) {
        return response.statusCode() == TOO_MANY_REQUESTS
                || (response.statusCode() == SERVICE_UNAVAILABLE
                        && request.repeat() == Repeat.FREELY
                        && type(response.headers()).equals(HttpServer.PROBLEM_TYPE));
    }

    private static ClientException interrupted() {
        Thread.currentThread().interrupt();
        return ClientException.unavailable("interrupted");
    }

    /** Opens an event stream. */
    InputStream events(ApiPath path, @Nullable Long last) throws IOException {
        HttpRequest.Builder message =
                HttpRequest.newBuilder(URI.create(server + path.text())).header("Accept", EVENTS);
        identify(message);
        if (last != null) {
            message.header("Last-Event-ID", Long.toString(last));
        }
        HttpResponse<InputStream> response;
        try {
            response = http.send(message.build(), BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            throw interrupted();
        }
        if (response.statusCode() != 200 || !type(response.headers()).equals(EVENTS)) {
            try (InputStream body = response.body()) {
                throw problem(
                        response.statusCode(),
                        type(response.headers()),
                        new String(body.readNBytes(1 << 16), java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return response.body();
    }

    RetryPolicy retryPolicy() {
        return retryPolicy.get();
    }

    private HttpRequest.Builder message(ServerRequest request) {
        String body = request.body();
        HttpRequest.Builder message = HttpRequest.newBuilder(
                        URI.create(server + request.path().text()))
                .method(request.method(), body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Accept", request.accept());
        identify(message);
        if (request.mediaType() != null) {
            message.header("Content-Type", request.mediaType());
        }
        if (request.key() != null) {
            message.header(KEY_HEADER, request.key());
        }
        if (request.variables() != null) {
            message.header(VARIABLES_HEADER, request.variables());
        }
        return message;
    }

    private void identify(HttpRequest.Builder message) {
        if (token != null) {
            message.header("Authorization", "Bearer " + token);
        } else if (!user.isEmpty()) {
            message.header(USER_HEADER, user);
        }
    }

    /** Returns the error for a failed connection. */
    ClientException noServer(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return ClientException.unavailable("host " + server.getHost() + " not found: check --server");
            }
        }
        return ClientException.unavailable("no server at " + server + ": start one with sluice serve, or use --server");
    }

    private static String type(HttpHeaders headers) {
        String type = headers.firstValue("Content-Type").orElse("");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip();
    }

    private static @Nullable Duration retryAfter(HttpHeaders headers) {
        String seconds = headers.firstValue("Retry-After").orElse("");
        return seconds.matches("[0-9]{1,6}") ? Duration.ofSeconds(Long.parseLong(seconds)) : null;
    }

    private ClientException problem(int status, String type, String body) {
        if (!type.equals(HttpServer.PROBLEM_TYPE)) {
            return ClientException.failed(server + " is not a Sluice server (status " + status + "): check --server");
        }
        return ClientException.of(ClientJson.value(new ServerAnswer(status, body).tree(), ProblemDetails.class));
    }
}
