package dev.sluice.server.page;

import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Route;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A call of a route of the API by a page, with the caller of the page. */
final class ApiCall implements Call {

    private final Call page;
    private final Caller caller;
    private final Route route;
    private final Map<String, String> parameters;
    private final String body;
    private final JsonMapper json;

    /**
     * @param parameters path and query parameters by name
     * @param body the body; empty if there is none
     */
    ApiCall(Call page, Route route, Map<String, String> parameters, String body, JsonMapper json) {
        this.page = page;
        this.caller = page.caller(); // now, since an answer may be renewed after the page has been sent
        this.route = route;
        this.parameters = Map.copyOf(parameters);
        this.body = body;
        this.json = json;
    }

    @Override
    public String path(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("missing path parameter " + name);
        }
        return value;
    }

    @Override
    public @Nullable String query(String name) {
        String value = parameters.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    @Override
    public @Nullable String header(String name) {
        return null;
    }

    @Override
    public String text() {
        return body;
    }

    @Override
    public <T> T body(Class<T> type) {
        return json.readValue(body, type);
    }

    @Override
    public String mediaType() {
        return "application/json";
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public boolean isCallerValid() {
        return page.isCallerValid();
    }

    @Override
    public Route route() {
        return route;
    }

    @Override
    public boolean prefersYaml() {
        return false;
    }
}
