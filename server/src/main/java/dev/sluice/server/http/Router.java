package dev.sluice.server.http;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import dev.sluice.server.route.Verb;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route of a path: a tree with a place for every part between slashes, so that finding takes as long as the path is, however many
 * routes there are. What is written out goes before what is a parameter.
 */
final class Router {

    /** What every place knows, besides what it has routes for. */
    private static final String OPTIONS = "OPTIONS";

    private static final String HEAD = "HEAD";

    private final PathNode root = new PathNode();

    private static final class PathNode {
        final Map<String, PathNode> named = new HashMap<>();
        final Map<String, Route> routes = new HashMap<>();

        @Nullable PathNode any;
    }

    /**
     * The routes of a path.
     *
     * @param routes by method
     * @param values the parts of the path
     */
    record RouteMatch(Map<String, Route> routes, List<String> values) {

        /** The route of this method, or null; HEAD is as GET. */
        @Nullable Route route(String method) {
            return routes.get(method.equals(HEAD) ? Verb.GET.name() : method);
        }

        /** The methods that can be asked for here, as the header Allow has them. */
        String allowed() {
            TreeSet<String> names = new TreeSet<>(routes.keySet());
            names.add(OPTIONS);
            if (names.contains(Verb.GET.name())) {
                names.add(HEAD);
            }
            return String.join(", ", names);
        }

        /** The parameters of the path by their names. */
        Map<String, String> parameters(Route route) {
            Map<String, String> byName = new HashMap<>();
            List<String> names = parts(route.path());
            for (int i = 0; i < names.size(); i++) {
                if (names.get(i).startsWith("{")) {
                    byName.put(names.get(i).substring(1, names.get(i).length() - 1), decoded(values.get(i)));
                }
            }
            return byName;
        }
    }

    Router(List<Route> routes) {
        for (Route route : routes) {
            PathNode place = root;
            for (String part : parts(route.path())) {
                if (part.startsWith("{")) {
                    PathNode any = place.any == null ? new PathNode() : place.any;
                    place.any = any;
                    place = any;
                } else {
                    place = place.named.computeIfAbsent(part, name -> new PathNode());
                }
            }
            if (place.routes.put(route.verb().name(), route) != null) {
                throw new IllegalArgumentException("duplicate route " + route.verb() + " " + route.path());
            }
        }
    }

    /**
     * What is at this path, which is still encoded; null if nothing is. Where a path can be read in several ways, a part that is named in a
     * route goes before a parameter, method by method.
     */
    @Nullable RouteMatch find(String path) {
        List<String> parts = parts(path);
        parts.forEach(Router::decoded); // a broken escape is told before anything else
        Map<String, Route> routes = new HashMap<>();
        collect(root, parts, 0, routes);
        return routes.isEmpty() ? null : new RouteMatch(routes, parts);
    }

    private static void collect(PathNode place, List<String> parts, int next, Map<String, Route> routes) {
        if (next == parts.size()) {
            place.routes.forEach(routes::putIfAbsent);
            return;
        }
        PathNode named = place.named.get(parts.get(next));
        if (named != null) {
            collect(named, parts, next + 1, routes);
        }
        if (place.any != null) {
            collect(place.any, parts, next + 1, routes);
        }
    }

    /** What stands between the slashes; one at the end does not count. */
    private static List<String> parts(String path) {
        List<String> parts = new ArrayList<>(8);
        int from = 1;
        while (from < path.length()) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 ? path.length() : slash;
            parts.add(path.substring(from, to));
            from = to + 1;
        }
        return parts;
    }

    private static String decoded(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        try {
            // a plus is a plus in a path, other than in a form
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(ProblemKind.MALFORMED, "malformed percent-encoding in the path: " + part);
        }
    }
}
