package dev.sluice.benchmarks.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to the measured server. */
final class PageClient {

    private static final String API = "/api/v1";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String origin;

    PageClient(int port) {
        this.origin = "http://127.0.0.1:" + port;
    }

    HttpClient http() {
        return http;
    }

    /** Returns a request of a page, or of anything else outside the API. */
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(origin + path)).timeout(Duration.ofMinutes(2));
    }

    /** Opens a page; returns its size in bytes. */
    int open(String path) throws IOException, InterruptedException {
        return body(request(path).build()).length;
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return JSON.readTree(body(request(API + path).build()));
    }

    void send(String method, String path, String type, String document) throws IOException, InterruptedException {
        body(request(API + path)
                .header("Content-Type", type)
                .method(method, HttpRequest.BodyPublishers.ofString(document))
                .build());
    }

    void post(String path, String document) throws IOException, InterruptedException {
        send("POST", path, "application/json", document);
    }

    private byte[] body(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() >= 300) {
            throw new IOException(request.method() + " " + request.uri() + ": " + response.statusCode() + " "
                    + new String(response.body(), UTF_8));
        }
        return response.body();
    }
}
