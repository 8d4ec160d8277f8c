package dev.sluice.benchmarks.kubernetes;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The audit log of an API server, which is read while it grows. The times of requests are those of the API server. */
final class AuditLog {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String BINDING = "\"subresource\":\"binding\"";
    private static final String STATUS = "\"subresource\":\"status\"";

    /**
     * A request that has been answered.
     *
     * @param verb the verb, such as {@code create}
     * @param resource the resource with its subresource, such as {@code pods/binding}
     * @param object the namespace and name of the object
     * @param agent the program that has sent it, without its version
     * @param code the HTTP status code
     * @param receivedMicros when it was received, in microseconds since 1970
     * @param answeredMicros when it was answered
     */
    record Request(
            String verb,
            String resource,
            String object,
            String agent,
            int code,
            long receivedMicros,
            long answeredMicros) {

        /** Parses a line. */
        static Request parse(String line) {
            JsonNode json = JSON.readTree(line);
            JsonNode object = json.path("objectRef");
            String sub = object.path("subresource").asString("");
            String agent = json.path("userAgent").asString("");
            int version = agent.indexOf('/');
            return new Request(
                    json.path("verb").asString(""),
                    object.path("resource").asString("") + (sub.isEmpty() ? "" : "/" + sub),
                    object.path("namespace").asString("") + "/"
                            + object.path("name").asString(""),
                    version < 0 ? agent : agent.substring(0, version),
                    json.path("responseStatus").path("code").asInt(0),
                    micros(json.path("requestReceivedTimestamp").asString()),
                    micros(json.path("stageTimestamp").asString()));
        }

        private static long micros(String time) {
            return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
        }

        boolean isSuccess() {
            return code >= 200 && code < 300;
        }
    }

    private final Path file;
    private final List<String> lines = new ArrayList<>();
    private String rest = "";
    private long position;
    private int bindings;
    private int statuses;

    AuditLog(Path file) {
        this.file = file;
    }

    /** Reads what has been added. */
    void poll() throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            byte[] added = new byte[(int) Math.min(1 << 26, Math.max(0, open.length() - position))];
            open.seek(position);
            open.readFully(added);
            position += added.length;
            String text = rest + new String(added, StandardCharsets.ISO_8859_1);
            int begin = 0;
            for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
                add(text.substring(begin, end));
                begin = end + 1;
            }
            rest = text.substring(begin);
        }
    }

    private void add(String line) {
        lines.add(line);
        bindings += line.contains(BINDING) && line.contains("\"code\":201") ? 1 : 0;
        statuses += line.contains(STATUS) && line.contains("\"userAgent\":\"kwok/") ? 1 : 0;
    }

    /** Returns the number of successful bindings that were read and not taken. */
    int bindings() {
        return bindings;
    }

    /** Returns the number of changes of a status by kwok that were read and not taken. */
    int statuses() {
        return statuses;
    }

    /** Returns the requests that were read, and forgets them. */
    List<Request> take() {
        List<Request> requests = lines.stream()
                .filter(line -> line.contains("\"stage\":\"ResponseComplete\""))
                .map(Request::parse)
                .toList();
        lines.clear();
        bindings = 0;
        statuses = 0;
        return requests;
    }

    /** Empties the file; the API server continues at its beginning. */
    void truncate() throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(0);
        }
        position = 0;
        rest = "";
        take();
    }
}
