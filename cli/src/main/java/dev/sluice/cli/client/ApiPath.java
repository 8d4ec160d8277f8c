package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.server.route.Route;
import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/**
 * A path of the REST API with its query.
 *
 * @param text the path as appended to the server address
 */
public record ApiPath(String text) {

    /** Returns a path of these segments, which are percent-encoded. */
    public static ApiPath of(String... parts) {
        StringBuilder path = new StringBuilder(Route.BASE);
        for (String part : parts) {
            path.append('/').append(encoded(part));
        }
        return new ApiPath(path.toString());
    }

    /** Returns this path with another query parameter, or unchanged if the value is null. */
    public ApiPath with(String name, @Nullable Object value) {
        return value == null
                ? this
                : new ApiPath(text + (text.indexOf('?') < 0 ? "?" : "&") + name + "=" + encoded(value.toString()));
    }

    private static String encoded(String part) {
        if (part.equals(".") || part.equals("..")) {
            return part.replace(".", "%2E"); // dot segments would be resolved
        }
        return URLEncoder.encode(part, UTF_8).replace("+", "%20");
    }
}
