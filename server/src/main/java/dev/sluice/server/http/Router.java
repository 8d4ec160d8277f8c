package dev.sluice.server.http;

import dev.sluice.server.route.Parameter;
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

    private final Place root = new Place();

    private static final class Place {
        final Map<String, Place> named = new HashMap<>();
        final Map<String, Route> routes = new HashMap<>();

        @Nullable Place any;
    }

    /**
     * A place of the tree that has routes.
     *
     * @param routes by method
     * @param values of the parameters of the path, in its order
     */
    record Found(Map<String, Route> routes, List<String> values) {

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
            int next = 0;
            for (Parameter parameter : route.parameters()) {
                if (parameter.place() == Parameter.Place.PATH) {
                    byName.put(parameter.name(), values.get(next));
                    next++;
                }
            }
            return byName;
        }
    }

    Router(List<Route> routes) {
        for (Route route : routes) {
            Place place = root;
            for (String part : parts(route.path())) {
                if (part.startsWith("{")) {
                    Place any = place.any == null ? new Place() : place.any;
                    place.any = any;
                    place = any;
                } else {
                    place = place.named.computeIfAbsent(part, name -> new Place());
                }
            }
            if (place.routes.put(route.verb().name(), route) != null) {
                throw new IllegalArgumentException("two routes for " + route.verb() + " " + route.path());
            }
        }
    }

    /** What is at this path, which is still encoded; null if nothing is. */
    @Nullable Found find(String path) {
        List<String> parts = parts(path);
        List<String> values = new ArrayList<>(4);
        Place place = find(root, parts, 0, values);
        return place == null ? null : new Found(place.routes, values);
    }

    private static @Nullable Place find(Place place, List<String> parts, int next, List<String> values) {
        if (next == parts.size()) {
            return place.routes.isEmpty() ? null : place;
        }
        Place named = place.named.get(parts.get(next));
        Place found = named == null ? null : find(named, parts, next + 1, values);
        Place any = place.any;
        if (found != null || any == null) {
            return found;
        }
        int before = values.size();
        values.add(decoded(parts.get(next)));
        found = find(any, parts, next + 1, values);
        if (found == null) {
            values.subList(before, values.size()).clear();
        }
        return found;
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
            throw ProblemException.of(ProblemKind.MALFORMED, "the path has a broken escape: " + part);
        }
    }
}
