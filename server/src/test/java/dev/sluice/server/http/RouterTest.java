package dev.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class RouterTest {

    private static final Route LIST = route(Route.get("/things"), "list");
    private static final Route MAKE = route(Route.post("/things"), "make");
    private static final Route ONE = route(Route.get("/things/{thing}"), "one");
    private static final Route ALL = route(Route.get("/things/all"), "all");
    private static final Route PART = route(Route.delete("/things/{thing}/parts/{part}"), "part");
    private static final Route METRICS = route(Route.getAtRoot("/metrics"), "metrics");

    private final Router router = new Router(List.of(LIST, MAKE, ONE, ALL, PART, METRICS));

    private static Route route(Route.Builder draft, String name) {
        return draft.named(name, "things").emptyResponse("Always.").handledBy(call -> ApiResponse.done());
    }

    private Router.RouteMatch found(String path) {
        Router.RouteMatch found = router.find(path);
        assertThat(found).as(path).isNotNull();
        return found;
    }

    @Test
    void path_withoutParameters_matchesRouteOfMethod() {
        assertThat(found("/api/v1/things").route("GET")).isSameAs(LIST);
        assertThat(found("/api/v1/things").route("HEAD")).isSameAs(LIST);
        assertThat(found("/api/v1/things").route("POST")).isSameAs(MAKE);
        assertThat(found("/api/v1/things").route("PUT")).isNull();
        assertThat(found("/api/v1/things/").route("GET")).isSameAs(LIST);
        assertThat(found("/metrics").route("GET")).isSameAs(METRICS);
    }

    @Test
    void path_withParameters_isDecoded() {
        Router.RouteMatch found = found("/api/v1/things/a%2Fb+c/parts/%C3%A4%25");
        assertThat(found.route("DELETE")).isSameAs(PART);
        assertThat(found.parameters(PART)).isEqualTo(Map.of("thing", "a/b+c", "part", "ä%"));
    }

    @Test
    void literal_withoutMethod_fallsBackToParameter() {
        Route stop = route(Route.delete("/things/{thing}"), "stop");
        Router both = new Router(List.of(ALL, ONE, stop));
        Router.RouteMatch found = Objects.requireNonNull(both.find("/api/v1/things/all"));
        assertThat(found.route("GET")).isSameAs(ALL);
        assertThat(found.route("DELETE")).isSameAs(stop);
        assertThat(found.parameters(stop)).isEqualTo(Map.of("thing", "all"));
        assertThat(found.parameters(ALL)).isEmpty();
        assertThat(found.allowed()).isEqualTo("DELETE, GET, HEAD, OPTIONS");
    }

    @Test
    void literal_precedesParameter_unlessDeadEnd() {
        assertThat(found("/api/v1/things/all").route("GET")).isSameAs(ALL);
        assertThat(found("/api/v1/things/other").route("GET")).isSameAs(ONE);
        Router.RouteMatch found = found("/api/v1/things/all/parts/x");
        assertThat(found.route("DELETE")).isSameAs(PART);
        assertThat(found.parameters(PART)).isEqualTo(Map.of("thing", "all", "part", "x"));
    }

    @Test
    void path_unknown_isNotFound() {
        for (String path :
                List.of("", "/", "*", "/api", "/api/v1", "/api/v1//things", "/api/v1/things/a/parts", "/Metrics")) {
            assertThat(router.find(path)).as(path).isNull();
        }
    }

    @Test
    void percentEncoding_malformed_isRefused() {
        assertThatThrownBy(() -> router.find("/api/v1/things/a%2"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("a%2");
    }

    @Test
    void methods_allowed_areListed() {
        assertThat(found("/api/v1/things").allowed()).isEqualTo("GET, HEAD, OPTIONS, POST");
        assertThat(found("/api/v1/things/a/parts/b").allowed()).isEqualTo("DELETE, OPTIONS");
    }

    @Test
    void routes_duplicate_areRefused() {
        assertThatThrownBy(() -> new Router(List.of(LIST, route(Route.get("/things"), "again"))))
                .hasMessageContaining("duplicate route GET /api/v1/things");
    }
}
