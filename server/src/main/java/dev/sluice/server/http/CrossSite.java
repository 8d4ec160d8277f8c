package dev.sluice.server.http;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * Refuses cross-site requests: browsers on this machine let pages of other sites reach the loopback address, too.
 *
 * <p>The host of every request must be a name of this machine's loopback, which prevents DNS rebinding. A request that
 * changes something must not come from a page of another origin, nor have a media type that pages may send to other
 * origins without a CORS preflight.
 */
final class CrossSite {

    private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost", "[::1]");

    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    /** Media types that a form, or a script without a CORS preflight, can send. */
    private static final Set<String> SIMPLE =
            Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

    private CrossSite() {}

    /** Throws if the host is not a name of this server. */
    static void checkHost(HttpFields headers) {
        List<String> hosts = headers.getValuesList("Host");
        if (hosts.size() != 1 || !HOSTS.contains(withoutPort(hosts.get(0)))) {
            throw ProblemException.of(
                    ProblemKind.CROSS_SITE,
                    "invalid Host header; expected 127.0.0.1 or localhost, not "
                            + (hosts.isEmpty() ? "nothing" : String.join(", ", hosts)));
        }
    }

    static void check(HttpFields headers, Route route, String mediaType) {
        // recipients disagree which of several headers counts, so each of them must be allowed
        List<String> sites = headers.getValuesList("Sec-Fetch-Site");
        if (sites.contains("cross-site")) {
            throw crossSite("another site");
        }
        if (route.verb().isSafe()) {
            return;
        }
        for (String origin : headers.getValuesList("Origin")) {
            if (!isOwn(origin, headers.get("Host"))) {
                throw crossSite(origin);
            }
        }
        if (!OWN_SITES.containsAll(sites)) {
            throw crossSite("another site");
        }
        if (headers.getValuesList("Content-Type").size() > 1) {
            throw ProblemException.of(ProblemKind.MEDIA_TYPE, "duplicate header Content-Type");
        }
        Route.Content content = route.body();
        List<String> accepted = content == null ? List.of() : content.mediaTypes();
        if (SIMPLE.contains(mediaType) || (content != null && !mediaType.isEmpty() && !accepted.contains(mediaType))) {
            throw ProblemException.of(
                    ProblemKind.MEDIA_TYPE,
                    (accepted.isEmpty() ? "send no body" : "send " + String.join(" or ", accepted)) + ", not "
                            + mediaType);
        }
    }

    private static ProblemException crossSite(String origin) {
        return ProblemException.of(ProblemKind.CROSS_SITE, "requests from pages of " + origin + " are not allowed");
    }

    private static boolean isOwn(String origin, @Nullable String host) {
        return origin.equalsIgnoreCase("http://" + host);
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        String name = colon > host.lastIndexOf(']') && colon >= 0 ? host.substring(0, colon) : host;
        return name.toLowerCase(Locale.ROOT);
    }
}
