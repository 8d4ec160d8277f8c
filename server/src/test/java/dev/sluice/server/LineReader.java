package dev.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a response of JSON objects, one per line. */
final class LineReader implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpURLConnection connection;
    private final BufferedReader lines;

    LineReader(String address) throws IOException {
        connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
        connection.setReadTimeout(TIMEOUT_MILLIS);
        lines = new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8));
    }

    String type() {
        return connection.getContentType();
    }

    /** Returns the next line, which may be empty. */
    String line() throws IOException {
        return Objects.requireNonNull(lines.readLine(), "the stream has ended");
    }

    /** Returns the next object about this. */
    JsonNode next(String objectId) throws IOException {
        while (true) {
            String line = line();
            if (!line.isEmpty()
                    && JSON.readTree(line).at("/objectID").asString().equals(objectId)) {
                return JSON.readTree(line);
            }
        }
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
