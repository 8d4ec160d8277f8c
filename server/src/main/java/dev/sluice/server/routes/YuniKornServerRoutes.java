package dev.sluice.server.routes;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.EventView;
import dev.sluice.server.api.HealthView;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.live.EventStreams;
import dev.sluice.server.live.LiveFeed;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.yunikorn.YuniKornEventRecords;
import dev.sluice.server.yunikorn.YuniKornEvents;
import dev.sluice.server.yunikorn.YuniKornHealth;
import dev.sluice.server.yunikorn.YuniKornHistory;
import dev.sluice.server.yunikorn.YuniKornSample;
import dev.sluice.server.yunikorn.YuniKornValidation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The reads of the configuration, the health, the history and the events of the server. */
final class YuniKornServerRoutes {

    private static final int EVENTS = 10_000;

    private final Requests requests;
    private final Configurations configurations;
    private final LiveFeed feed;
    private final EventStreams streams;
    private final Supplier<HealthView> health;
    private final YuniKornHistory history;

    YuniKornServerRoutes(
            Requests requests,
            Configurations configurations,
            LiveFeed feed,
            EventStreams streams,
            Supplier<HealthView> health,
            YuniKornHistory history) {
        this.requests = requests;
        this.configurations = configurations;
        this.feed = feed;
        this.streams = streams;
        this.health = health;
        this.history = history;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(YuniKornRoutes.get(
                        "/config", "Configuration", "reading the configuration", "Returns the current configuration.")
                .textResponse("The queues.yaml.", "application/yaml")
                .handledBy(call -> ApiResponse.text(
                        "application/yaml", QueueConfigurationWriter.yaml(configurations.partitions()))));
        routes.add(Route.postAtRoot(YuniKornRoutes.ROOT + "/validate-conf")
                .named("yunikornValidate", YuniKornRoutes.TOPIC)
                .action("validating a configuration")
                .role(Role.VIEWER)
                .summary("Says whether a configuration could be applied.")
                .documentBody(null, "A queues.yaml.")
                .response(200, YuniKornValidation.class, "Whether it could be applied, and why not.")
                .handledBy(this::validate));
        routes.add(YuniKornRoutes.get(
                        "/scheduler/healthcheck",
                        "Health",
                        "reading the health of the server",
                        "Returns the server's health.")
                .response(200, YuniKornHealth.class, "The server is healthy.")
                .response(503, YuniKornHealth.class, "It is not.")
                .handledBy(call -> health()));
        routes.add(YuniKornRoutes.get(
                        "/history/apps",
                        "ApplicationHistory",
                        "reading usage",
                        "Lists how many applications were active, each minute of the last day since the server's start.")
                .listResponse(YuniKornSample.OfApplications.class, "The numbers, oldest first.")
                .handledBy(call -> ApiResponse.ok(history.applications())));
        routes.add(YuniKornRoutes.get(
                        "/history/containers",
                        "ContainerHistory",
                        "reading usage",
                        "Lists how many tasks were allocated, each minute of the last day since the server's start.")
                .listResponse(YuniKornSample.OfContainers.class, "The numbers, oldest first.")
                .handledBy(call -> ApiResponse.ok(history.containers())));
        routes.add(YuniKornRoutes.get("/events/batch", "Events", "reading events", "Lists events.")
                .query("start", Parameter.Type.NUMBER, "Number of the first event; defaults to the oldest.")
                .query("count", Parameter.Type.NUMBER, "Maximum number of events: 1 to " + EVENTS + ", the default.")
                .response(200, YuniKornEvents.class, "The events.")
                .problems(ProblemKind.INVALID)
                .handledBy(this::events));
        routes.add(YuniKornRoutes.get(
                        "/events/stream",
                        "EventStream",
                        "reading events",
                        "Streams events: one JSON object per line, as in a page of events; empty lines are heartbeats.")
                .query(
                        "count",
                        Parameter.Type.NUMBER,
                        "Number of past events before new ones: 0, the default, to " + EVENTS + ".")
                .textResponse(
                        "The events, until the client or the server closes the stream; the server does so when the"
                                + " token of the caller expires or is revoked.",
                        EventStreams.LINES)
                .problems(ProblemKind.INVALID)
                .handledBy(this::stream));
        return routes;
    }

    private ApiResponse validate(Call call) {
        ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read("body", call.text());
        if (!reading.isOk()) {
            return ApiResponse.ok(new YuniKornValidation(false, reading.report()));
        }
        Optional<Refusal> refusal = requests.query(call, new ConfigurationQuery(reading.value()));
        return ApiResponse.ok(new YuniKornValidation(
                refusal.isEmpty(), refusal.map(Refusal::message).orElse("")));
    }

    private ApiResponse health() {
        HealthView view = health.get();
        boolean healthy = view.status().equals("up");
        YuniKornHealth.Check check = new YuniKornHealth.Check(
                "Server", healthy, "The server accepts work and starts tasks", view.status() + ": " + view.parts());
        return new ApiResponse(healthy ? 200 : 503, new YuniKornHealth(healthy, List.of(check)), Map.of());
    }

    private ApiResponse events(Call call) {
        int count = (int) call.number("count", EVENTS, 1, EVENTS);
        try {
            long lowest = feed.firstSequence();
            long start = Math.max(lowest, call.number("start", lowest, 0, Long.MAX_VALUE));
            List<EventView> events = feed.after(start - 1, count);
            return ApiResponse.ok(new YuniKornEvents(
                    lowest,
                    feed.last(),
                    events.stream().map(YuniKornEventRecords::of).toList()));
        } catch (StoreException e) {
            throw ProblemException.retry(
                    ProblemKind.UNAVAILABLE, "cannot read the journal: " + e.getMessage(), Duration.ofSeconds(5), e);
        }
    }

    private ApiResponse stream(Call call) {
        long after = feed.last() - call.number("count", 0, 0, EVENTS);
        return new ApiResponse(
                200,
                streams.openLines(Math.max(0, after), YuniKornEventRecords::of, call::isCallerValid),
                Map.of("X-Accel-Buffering", "no"));
    }
}
