package dev.sluice.server.routes;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.EventPage;
import dev.sluice.server.api.EventView;
import dev.sluice.server.live.EventStreams;
import dev.sluice.server.live.LiveFeed;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Routes of events. */
public final class EventRoutes {

    private static final int PAGE = 100;
    private static final int PAGE_MAX = 1000;
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final LiveFeed feed;
    private final EventStreams streams;

    public EventRoutes(LiveFeed feed, EventStreams streams) {
        this.feed = feed;
        this.streams = streams;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/events")
                        .named("listEvents", "events")
                        .action("reading events")
                        .role(Role.VIEWER)
                        .summary("Lists events from the journal with their causes.")
                        .query("after", Parameter.Type.NUMBER, "Only events after this sequence number.")
                        .query("last", Parameter.Type.NUMBER, "Only the last N events; ignored if after is given.")
                        .query(
                                "limit",
                                Parameter.Type.NUMBER,
                                "Maximum number of results: 1 to " + PAGE_MAX + "; defaults to " + PAGE + ".")
                        .response(200, EventPage.class, "The events.")
                        .problems(ProblemKind.INVALID)
                        .handledBy(this::list),
                Route.get("/events/stream")
                        .named("streamEvents", "events")
                        .action("reading events")
                        .role(Role.VIEWER)
                        .summary("Streams events as server-sent events: id is the sequence number, event the type,"
                                + " data the event as"
                                + " in listEvents. Starts with the next event, or after the given one; an"
                                + " event named gap means that"
                                + " the journal no longer has the events before first. Comments are sent as"
                                + " heartbeats.")
                        .header(
                                LAST_EVENT_ID,
                                "Sequence number of the last event received; the stream starts after it.")
                        .query("after", Parameter.Type.NUMBER, "Same as Last-Event-ID; used if the header is absent.")
                        .query("partition", Parameter.Type.TEXT, "Only events of this partition.")
                        .query("application", Parameter.Type.TEXT, "Only events of the application with this id.")
                        .query(
                                "type",
                                Parameter.Type.TEXT,
                                "Only events of this type, such as task.placed, or with this type prefix, such as"
                                        + " task.")
                        .textResponse(
                                "The events, until the client or the server closes the stream; the server does so when the token"
                                        + " of the caller expires or is revoked.",
                                "text/event-stream")
                        .problems(ProblemKind.INVALID)
                        .handledBy(this::stream));
    }

    private ApiResponse stream(Call call) {
        String named = call.header(LAST_EVENT_ID);
        long last = feed.last();
        long after = named == null || named.isBlank()
                ? call.number("after", last, 0, Long.MAX_VALUE)
                : number(named.strip());
        if (after > last) {
            throw ProblemException.of(
                    ProblemKind.INVALID,
                    "event " + after + " does not exist, the last one is " + last
                            + "; if the server uses another journal now, start without a position");
        }
        return new ApiResponse(
                200, streams.open(after, filter(call), call::isCallerValid), Map.of("X-Accel-Buffering", "no"));
    }

    private static long number(String text) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw ProblemException.of(
                    ProblemKind.INVALID, LAST_EVENT_ID + " must be the sequence number of an event, not " + text);
        }
        throw ProblemException.of(
                ProblemKind.INVALID, LAST_EVENT_ID + " must be the sequence number of an event, not " + text);
    }

    private static Predicate<EventView> filter(Call call) {
        String partition = call.query("partition");
        String application = call.query("application");
        String type = call.query("type");
        return event -> (partition == null || partition.equals(event.partition()))
                && (application == null || application.equals(event.data().get("application")))
                && (type == null || event.type().equals(type) || event.type().startsWith(type + "."));
    }

    private ApiResponse list(Call call) {
        int limit = (int) call.number("limit", PAGE, 1, PAGE_MAX);
        long last = call.number("last", Long.MAX_VALUE, 1, Long.MAX_VALUE);
        try {
            long first = feed.firstSequence();
            long from = last == Long.MAX_VALUE ? 0 : Math.max(0, feed.last() - last);
            long after = Math.max(first - 1, call.number("after", from, 0, Long.MAX_VALUE));
            List<EventView> events = feed.after(after, limit);
            String next = events.isEmpty()
                    ? null
                    : Long.toString(events.get(events.size() - 1).sequence());
            return ApiResponse.ok(new EventPage(events, next));
        } catch (StoreException e) {
            throw ProblemException.retry(
                    ProblemKind.UNAVAILABLE, "cannot read the journal: " + e.getMessage(), Duration.ofSeconds(5), e);
        }
    }
}
