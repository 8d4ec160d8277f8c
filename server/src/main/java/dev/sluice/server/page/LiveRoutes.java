package dev.sluice.server.page;

import dev.sluice.server.live.EventStreams;
import dev.sluice.server.live.StateVersions;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What every page loads: its scripts and styles, and the stream that says when something has changed. */
final class LiveRoutes {

    /** Number of parts up to which unknown addresses are answered with a page: one more than pages have. */
    private static final int UNKNOWN_PARTS_MAX = 8;

    private final PageRoutes routes;
    private final StateVersions versions;
    private final EventStreams streams;

    LiveRoutes(PageRoutes routes, StateVersions versions, EventStreams streams) {
        this.routes = routes;
        this.versions = versions;
        this.streams = streams;
    }

    List<Route> routes() {
        List<Route> all = new ArrayList<>(List.of(
                routes.page(
                        "/changes",
                        "pageChanges",
                        "streamEvents",
                        Map.of("after", "Sequence number of the last event that the page shows."),
                        this::changes),
                routes.open("/", "pageRoot", call -> PageAnswers.redirect(Links.ROOT)),
                routes.open(Links.ROOT + "/assets/{asset}", "pageAsset", LiveRoutes::asset)));
        StringBuilder path = new StringBuilder(Links.ROOT);
        for (char part = 'a'; part < 'a' + UNKNOWN_PARTS_MAX; part++) {
            path.append("/{").append(part).append('}');
            int parts = part - 'a' + 1;
            all.add(routes.open(path.toString(), "pageUnknown" + parts, call -> {
                throw ProblemException.of(
                        ProblemKind.NOT_FOUND,
                        "page " + call.path(String.valueOf((char) ('a' + parts - 1))) + " not found");
            }));
        }
        return all;
    }

    private ApiResponse changes(Call call) {
        long after = call.number("after", versions.current(), 0, Long.MAX_VALUE);
        return new ApiResponse(
                200, streams.openChanges(after, versions, call::isCallerValid), Map.of("X-Accel-Buffering", "no"));
    }

    private static ApiResponse asset(Call call) {
        String name = call.path("asset");
        Assets.Asset asset = Assets.find(name);
        if (asset == null) {
            throw ProblemException.of(ProblemKind.NOT_FOUND, "asset " + name + " not found");
        }
        return PageAnswers.asset(asset, asset.digest().equals(call.query("v")));
    }
}
