package dev.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A minimal client of the REST API. */
final class RetryingTestClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final String base;

    RetryingTestClient(int port) {
        this.base = "http://127.0.0.1:" + port + "/api/v1";
    }

    record TestResponse(int status, String text) {

        JsonNode json() {
            return JSON.readTree(text);
        }

        boolean isOk() {
            return status / 100 == 2;
        }
    }

    /** Encodes an id as a path segment. */
    static String part(String id) {
        return URLEncoder.encode(id, UTF_8).replace("+", "%20");
    }

    TestResponse get(String path) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(base + path)).GET(), Map.of());
    }

    TestResponse post(String path, String body) throws IOException {
        return post(path, body, Map.of());
    }

    TestResponse post(String path, String body, Map<String, String> headers) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return send(request, headers);
    }

    TestResponse postJson(String path, Object body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
        return send(request, Map.of());
    }

    TestResponse delete(String path) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(base + path)).DELETE(), Map.of());
    }

    private TestResponse send(HttpRequest.Builder request, Map<String, String> headers) throws IOException {
        headers.forEach(request::header);
        try {
            HttpResponse<String> response = http.send(
                    request.timeout(Duration.ofSeconds(40)).build(), HttpResponse.BodyHandlers.ofString(UTF_8));
            return new TestResponse(response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
