package dev.sluice.server.route;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a route answers.
 *
 * @param status the HTTP status
 * @param body what is written as JSON; or a {@link Text}, which is written as it is; or a {@link Stream}; or null for nothing
 * @param headers further headers
 */
public record ApiResponse(int status, @Nullable Object body, Map<String, String> headers) {

    /** Copies the headers. */
    public ApiResponse {
        headers = Collections.unmodifiableMap(new TreeMap<>(headers));
    }

    /**
     * A body that is no JSON made of a value.
     *
     * @param type its media type
     * @param content what is written
     */
    public record TextBody(String type, String content) {}

    /** A body that is written as it comes to be. Whoever gets one closes it, whether or not it was written. */
    public interface StreamBody extends AutoCloseable {

        /** Its media type. */
        String type();

        /**
         * Writes all of it.
         *
         * @throws IOException when nobody reads any more
         */
        void write(OutputStream out) throws IOException, InterruptedException;

        @Override
        void close();
    }

    /** All is well, and this is the answer. */
    public static ApiResponse ok(Object body) {
        return new ApiResponse(200, body, Map.of());
    }

    /** Something was made. */
    public static ApiResponse created(Object body) {
        return new ApiResponse(201, body, Map.of());
    }

    /** It is done, and there is nothing to say. */
    public static ApiResponse done() {
        return new ApiResponse(204, null, Map.of());
    }

    /** A text of this media type. */
    public static ApiResponse text(String type, String content) {
        return new ApiResponse(200, new TextBody(type, content), Map.of());
    }

    /** The same with one more header. */
    public ApiResponse withHeader(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new ApiResponse(status, body, more);
    }
}
