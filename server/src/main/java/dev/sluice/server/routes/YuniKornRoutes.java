package dev.sluice.server.routes;

import dev.sluice.server.api.HealthView;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.live.EventStreams;
import dev.sluice.server.live.LiveFeed;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.yunikorn.YuniKornHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The REST reads of Apache YuniKorn, at the paths and in the format that its documentation describes. */
public final class YuniKornRoutes {

    static final String ROOT = "/ws/v1";
    static final String PARTITION = ROOT + "/partition/{partition}";
    static final String QUEUE = PARTITION + "/queue/{queue}";
    static final String TOPIC = "yunikorn";

    private final List<Route> routes = new ArrayList<>();

    /**
     * Creates the routes.
     *
     * @param feed the events
     * @param streams opens streams of them
     * @param health describes the health of the server
     * @param history the numbers of applications and tasks over time
     */
    public YuniKornRoutes(
            Requests requests,
            Configurations configurations,
            LiveFeed feed,
            EventStreams streams,
            Supplier<HealthView> health,
            YuniKornHistory history) {
        routes.addAll(new YuniKornPartitionRoutes(requests, health).routes());
        routes.addAll(new YuniKornApplicationRoutes(requests).routes());
        routes.addAll(new YuniKornUsageRoutes(requests).routes());
        routes.addAll(new YuniKornServerRoutes(requests, configurations, feed, streams, health, history).routes());
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /** Returns a route below the root of all, which any viewer may read. */
    static Route.Builder get(String path, String name, String action, String summary) {
        return Route.getAtRoot((path.startsWith(ROOT) ? "" : ROOT) + path)
                .named("yunikorn" + name, TOPIC)
                .action(action)
                .role(Role.VIEWER)
                .summary(summary);
    }
}
