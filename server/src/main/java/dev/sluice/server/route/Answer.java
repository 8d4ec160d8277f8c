package dev.sluice.server.route;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a route answers.
 *
 * @param status the HTTP status
 * @param body what is written as JSON; or a {@link Text}, which is written as it is; or null for nothing
 * @param headers further headers
 */
public record Answer(int status, @Nullable Object body, Map<String, String> headers) {

    /** Copies the headers. */
    public Answer {
        headers = Collections.unmodifiableMap(new TreeMap<>(headers));
    }

    /**
     * A body that is no JSON made of a value.
     *
     * @param type its media type
     * @param content what is written
     */
    public record Text(String type, String content) {}

    /** All is well, and this is the answer. */
    public static Answer ok(Object body) {
        return new Answer(200, body, Map.of());
    }

    /** Something was made. */
    public static Answer created(Object body) {
        return new Answer(201, body, Map.of());
    }

    /** It is done, and there is nothing to say. */
    public static Answer done() {
        return new Answer(204, null, Map.of());
    }

    /** A text of this media type. */
    public static Answer text(String type, String content) {
        return new Answer(200, new Text(type, content), Map.of());
    }

    /** The same with one more header. */
    public Answer withHeader(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Answer(status, body, more);
    }
}
