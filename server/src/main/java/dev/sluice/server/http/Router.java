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
 * Finds the route of a path with a tree of path segments, in time linear in the length of the path. Literal segments
 * take precedence over parameters.
 */
final class Router {

    /** A method that every path allows. */
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
     * @param routes the routes by method
     * @param values the segments of the path, decoded
     */
    record RouteMatch(Map<String, Route> routes, List<String> values) {

        /** Returns the route of this method, or null; HEAD is handled as GET. */
        @Nullable Route route(String method) {
            return routes.get(method.equals(HEAD) ? Verb.GET.name() : method);
        }

        /** Returns the methods of this path in the format of the header Allow. */
        String allowed() {
            TreeSet<String> names = new TreeSet<>(routes.keySet());
            names.add(OPTIONS);
            if (names.contains(Verb.GET.name())) {
                names.add(HEAD);
            }
            return String.join(", ", names);
        }

        /** Returns the path parameters by name. */
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
            PathNode node = root;
            for (String part : parts(route.path())) {
                if (part.startsWith("{")) {
                    PathNode any = node.any == null ? new PathNode() : node.any;
                    node.any = any;
                    node = any;
                } else {
                    node = node.named.computeIfAbsent(part, name -> new PathNode());
                }
            }
            if (node.routes.put(route.verb().name(), route) != null) {
                throw new IllegalArgumentException("duplicate route " + route.verb() + " " + route.path());
            }
        }
    }

    /**
     * Returns the routes of this path, which is still encoded, or null. If several routes match, a literal segment
     * takes precedence over a parameter, method by method.
     */
    @Nullable RouteMatch find(String path) {
        List<String> parts = parts(path);
        parts.forEach(Router::decoded); // report malformed percent-encoding before anything else
        Map<String, Route> routes = new HashMap<>();
        collect(root, parts, 0, routes);
        return routes.isEmpty() ? null : new RouteMatch(routes, parts);
    }

    private static void collect(PathNode node, List<String> parts, int next, Map<String, Route> routes) {
        if (next == parts.size()) {
            node.routes.forEach(routes::putIfAbsent);
            return;
        }
        PathNode named = node.named.get(parts.get(next));
        if (named != null) {
            collect(named, parts, next + 1, routes);
        }
        if (node.any != null) {
            collect(node.any, parts, next + 1, routes);
        }
    }

    /** Splits a path at its slashes; ignores a trailing slash. */
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
            // in a path, unlike in a form, a plus is a plus
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(ProblemKind.MALFORMED, "malformed percent-encoding in the path: " + part);
        }
    }
}
