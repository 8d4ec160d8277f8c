package dev.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An HTTP client that checks every response against the {@link OpenApiContract}. */
final class TestHttpClient {

    static final String JSON = "application/json";
    static final String YAML = "application/yaml";

    /** A body that is sent as one byte of invalid UTF-8. */
    static final String ONE_WRONG_BYTE = "\ufffe";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final int port;
    private @Nullable OpenApiContract contract;

    TestHttpClient(int port) {
        this.port = port;
    }

    /** Returns the address of an absolute path. */
    String address(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    synchronized OpenApiContract contract() {
        OpenApiContract known = contract;
        if (known == null) {
            known = new OpenApiContract(
                    raw("GET", "/api/v1/openapi.json", "", "").text());
            contract = known;
        }
        return known;
    }

    /** Waits until an application of the default partition has this state. */
    void awaitState(String application, String state) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> get("/partitions/default/applications/" + encoded(application))
                        .at("/state")
                        .equals(state));
    }

    Reply get(String path) {
        return send("GET", path, "", "");
    }

    Reply post(String path, String body) {
        return send("POST", path, body, body.isEmpty() ? "" : JSON);
    }

    Reply put(String path, String body) {
        return send("PUT", path, body, JSON);
    }

    Reply delete(String path) {
        return send("DELETE", path, "", "");
    }

    /** Sends a request to a path below {@code /api/v1}, or to an absolute path if it starts with two slashes. */
    Reply send(String method, String path, String body, String type, String... headers) {
        String whole = path.startsWith("//") ? path.substring(1) : "/api/v1" + path;
        Reply reply = raw(method, whole, body, type, headers);
        int query = whole.indexOf('?');
        contract().check(method, query < 0 ? whole : whole.substring(0, query), body, type, reply);
        return reply;
    }

    /**
     * Sends a request to an absolute path. Checks the response against the contract, but not the request body, which
     * may be invalid and accepted nevertheless.
     */
    Reply sendAnything(String method, String path, String body, String type, String... headers) {
        Reply reply = raw(method, path, body, type, headers);
        int query = path.indexOf('?');
        contract().check(method, query < 0 ? path : path.substring(0, query), "", "", reply);
        return reply;
    }

    private Reply raw(String method, String path, String body, String type, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address(path)))
                .timeout(Duration.ofSeconds(60))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(bytes(body)));
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8));
            return new Reply(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(String body) {
        return body.equals(ONE_WRONG_BYTE) ? new byte[] {(byte) 0xff} : body.getBytes(UTF_8);
    }

    /** Percent-encodes a path segment. */
    static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20").replace(".", "%2E");
    }
}
