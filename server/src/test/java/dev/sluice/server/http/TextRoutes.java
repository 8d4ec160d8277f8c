package dev.sluice.server.http;

import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** Routes that answer anyone with a text, and servers of them. */
final class TextRoutes {

    /** The length of a text that is larger than the socket buffers. */
    static final int LARGE = 16 << 20;

    private TextRoutes() {}

    static Route get(String name, Function<Call, String> text) {
        return answering(Route.get("/" + name), name, text);
    }

    static Route post(String name, Function<Call, String> text) {
        return answering(Route.post("/" + name).documentBody(null, "A text."), name, text);
    }

    static Route answering(Route.Builder route, String name, Function<Call, String> text) {
        return route.named(name, "test")
                .role(Role.ANYONE)
                .summary("Answers with a text.")
                .textResponse("The text.", "text/plain")
                .handledBy(call -> ApiResponse.text("text/plain", text.apply(call)));
    }

    /** Returns {@code /small}, which answers with one letter, and {@code /large}, with {@link #LARGE} letters. */
    static List<Route> smallAndLarge() {
        return List.of(get("small", call -> "y"), get("large", call -> "x".repeat(LARGE)));
    }

    static HttpServer start(HttpServer.Settings settings, List<Route> routes) throws IOException {
        return HttpServer.start(
                settings, Json.mapper(), Authenticator.UNVERIFIED, routes, (route, status, nanos) -> {});
    }
}
