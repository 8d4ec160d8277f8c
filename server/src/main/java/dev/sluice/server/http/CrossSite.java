package dev.sluice.server.http;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * Refuses cross-site requests: browsers on this machine let pages of other sites reach the loopback address, too.
 *
 * <p>The host of every request must be a name of this server, which prevents DNS rebinding. A request that
 * changes something must not come from a page of another origin, nor have a media type that pages may send to other
 * origins without a CORS preflight, unless the route has forms, whose handlers check a token of the page. A page may be
 * opened by a link from another site: that site cannot read it.
 */
final class CrossSite {

    private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost", "[::1]");

    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    /** Media types that a form, or a script without a CORS preflight, can send. */
    private static final Set<String> SIMPLE =
            Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

    private final String address;
    private final Set<String> configured;
    private final Supplier<Set<String>> certified;

    /**
     * @param address the address on which the server listens, as in a URL
     * @param configured more names of the server
     * @param certified returns the names in its certificate
     */
    CrossSite(String address, Collection<String> configured, Supplier<Set<String>> certified) {
        this.address = address;
        this.configured = Set.copyOf(configured);
        this.certified = certified;
    }

    /** Throws if the host is not a name of this server. */
    void checkHost(HttpFields headers) {
        List<String> hosts = headers.getValuesList("Host");
        if (hosts.size() != 1 || !isOwnHost(withoutPort(hosts.get(0)))) {
            throw ProblemException.of(
                    ProblemKind.CROSS_SITE,
                    "invalid Host header; expected 127.0.0.1, localhost or a name given with --host-name, not "
                            + (hosts.isEmpty() ? "nothing" : String.join(", ", hosts)));
        }
    }

    private boolean isOwnHost(String host) {
        if (HOSTS.contains(host) || host.equals(address) || configured.contains(host)) {
            return true;
        }
        Set<String> names = certified.get();
        int dot = host.indexOf('.');
        return names.contains(host)
                || (dot > 0 && names.contains("*" + host.substring(dot)))
                || (host.startsWith("[") && names.contains(host.substring(1, host.length() - 1)));
    }

    /** @param secure whether the connection is encrypted */
    void check(HttpFields headers, Route route, String mediaType, boolean secure) {
        // recipients disagree which of several headers counts, so each of them must be allowed
        List<String> sites = headers.getValuesList("Sec-Fetch-Site");
        if (sites.contains("cross-site") && !isLinked(headers, route)) {
            throw crossSite("another site");
        }
        if (route.verb().isSafe()) {
            return;
        }
        for (String origin : headers.getValuesList("Origin")) {
            if (!isOwn(origin, headers.get("Host"), secure)) {
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
        boolean isAccepted = accepted.contains(mediaType);
        if (!isAccepted && (SIMPLE.contains(mediaType) || (content != null && !mediaType.isEmpty()))) {
            throw ProblemException.of(
                    ProblemKind.MEDIA_TYPE,
                    (accepted.isEmpty() ? "send no body" : "send " + String.join(" or ", accepted)) + ", not "
                            + mediaType);
        }
    }

    /** Returns whether somebody follows a link to a page. */
    private static boolean isLinked(HttpFields headers, Route route) {
        return route.isPage()
                && route.verb().isSafe()
                && headers.getValuesList("Sec-Fetch-Mode").equals(List.of("navigate"))
                && headers.getValuesList("Sec-Fetch-Dest").equals(List.of("document"));
    }

    private static ProblemException crossSite(String origin) {
        return ProblemException.of(ProblemKind.CROSS_SITE, "requests from pages of " + origin + " are not allowed");
    }

    /** A proxy in front of a server with a configured name may encrypt connections in its place. */
    private boolean isOwn(String origin, @Nullable String host, boolean secure) {
        boolean encrypted = secure || (host != null && configured.contains(withoutPort(host)));
        return (!secure && origin.equalsIgnoreCase("http://" + host))
                || (encrypted && origin.equalsIgnoreCase("https://" + host));
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        String name = colon > host.lastIndexOf(']') && colon >= 0 ? host.substring(0, colon) : host;
        return name.toLowerCase(Locale.ROOT);
    }
}
