package dev.sluice.server.route;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The response of a route.
 *
 * @param status the HTTP status code
 * @param body a value written as JSON, a {@link TextBody}, a {@link StreamBody}, or null for no content
 * @param headers additional headers
 */
public record ApiResponse(int status, @Nullable Object body, Map<String, String> headers) {

    public ApiResponse {
        headers = Collections.unmodifiableMap(new TreeMap<>(headers));
    }

    /**
     * A text body.
     *
     * @param type its media type
     * @param content the text
     */
    public record TextBody(String type, String content) {}

    /** A body written as it is produced. The receiver closes it, whether or not it was written. */
    public interface StreamBody extends AutoCloseable {

        /** Returns the media type. */
        String type();

        /**
         * Writes the whole body.
         *
         * @throws IOException if the client has disconnected
         */
        void write(OutputStream out) throws IOException, InterruptedException;

        @Override
        void close();
    }

    /** Returns a response with status 200. */
    public static ApiResponse ok(Object body) {
        return new ApiResponse(200, body, Map.of());
    }

    /** Returns a response with status 201. */
    public static ApiResponse created(Object body) {
        return new ApiResponse(201, body, Map.of());
    }

    /** Returns a response with status 204. */
    public static ApiResponse done() {
        return new ApiResponse(204, null, Map.of());
    }

    /** Returns a text response with status 200. */
    public static ApiResponse text(String type, String content) {
        return new ApiResponse(200, new TextBody(type, content), Map.of());
    }

    /** Returns a copy with one more header. */
    public ApiResponse withHeader(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new ApiResponse(status, body, more);
    }
}
