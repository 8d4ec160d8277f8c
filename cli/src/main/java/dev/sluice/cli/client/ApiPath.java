package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.server.route.Route;
import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/**
 * A path of the server's interface, with its query.
 *
 * @param text as it stands behind the address of the server
 */
public record ApiPath(String text) {

    /** The path of these parts, each of which may hold any character. */
    public static ApiPath of(String... parts) {
        StringBuilder path = new StringBuilder(Route.BASE);
        for (String part : parts) {
            path.append('/').append(encoded(part));
        }
        return new ApiPath(path.toString());
    }

    /** The same with one more parameter; without it if there is no value. */
    public ApiPath with(String name, @Nullable Object value) {
        return value == null
                ? this
                : new ApiPath(text + (text.indexOf('?') < 0 ? "?" : "&") + name + "=" + encoded(value.toString()));
    }

    private static String encoded(String part) {
        if (part.equals(".") || part.equals("..")) {
            return part.replace(".", "%2E"); // or it would be taken for a step in the path
        }
        return URLEncoder.encode(part, UTF_8).replace("+", "%20");
    }
}
