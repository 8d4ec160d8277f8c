package dev.sluice.server.routes;

import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Route;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A call with parameters of the path, the query and headers, by name. */
record PathCall(Map<String, String> parameters) implements Call {

    @Override
    public String path(String name) {
        return Objects.requireNonNull(parameters.get(name));
    }

    @Override
    public @Nullable String query(String name) {
        return parameters.get(name);
    }

    @Override
    public long number(String name, long whenMissing, long min, long max) {
        return whenMissing;
    }

    @Override
    public @Nullable String header(String name) {
        return parameters.get(name);
    }

    @Override
    public String text() {
        return "";
    }

    @Override
    public <T> T body(Class<T> type) {
        throw new UnsupportedOperationException("there is no body");
    }

    @Override
    public String mediaType() {
        return "";
    }

    @Override
    public Route route() {
        throw new UnsupportedOperationException("there is no route");
    }

    @Override
    public Caller caller() {
        return Caller.unverified("");
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
