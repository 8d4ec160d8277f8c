package dev.sluice.server.page;

import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of a page by the server itself, which may only read.
 *
 * @param parameters path and query parameters by name
 */
record WarmUpCall(Route route, Map<String, String> parameters) implements Call {

    private static final Caller READER = new Caller("", List.of(), Role.VIEWER, Caller.Source.NONE);

    WarmUpCall {
        parameters = Map.copyOf(parameters);
    }

    @Override
    public String path(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no path parameter " + name);
        }
        return value;
    }

    @Override
    public @Nullable String query(String name) {
        return parameters.get(name);
    }

    @Override
    public @Nullable String header(String name) {
        return null;
    }

    @Override
    public String text() {
        return "";
    }

    @Override
    public <T> T body(Class<T> type) {
        throw new IllegalStateException("pages have no body");
    }

    @Override
    public String mediaType() {
        return "";
    }

    @Override
    public Caller caller() {
        return READER;
    }

    @Override
    public boolean isCallerValid() {
        return true;
    }

    @Override
    public boolean prefersYaml() {
        return false;
    }
}
