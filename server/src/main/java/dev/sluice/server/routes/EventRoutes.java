package dev.sluice.server.routes;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.EventPage;
import dev.sluice.server.api.EventView;
import dev.sluice.server.live.LiveFeed;
import dev.sluice.server.route.Answer;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Duration;
import java.util.List;

/** What has happened, and who did it. */
public final class EventRoutes {

    private static final int PAGE = 100;
    private static final int PAGE_MAX = 1000;

    private final LiveFeed feed;

    /** The routes of this feed. */
    public EventRoutes(LiveFeed feed) {
        this.feed = feed;
    }

    /** All of them. */
    public List<Route> routes() {
        return List.of(Route.get("/events")
                .named("listEvents", "events")
                .role(Role.VIEWER)
                .summary("Lists what has happened, with who did it, from the journal.")
                .query("after", Parameter.Type.NUMBER, "Only what has a larger number.")
                .query("last", Parameter.Type.NUMBER, "Only the last so many, where after is left out.")
                .query(
                        "limit",
                        Parameter.Type.NUMBER,
                        "At most so many: 1 to " + PAGE_MAX + ", " + PAGE + " if left out.")
                .answers(200, EventPage.class, "What has happened.")
                .problems(ProblemKind.INVALID)
                .by(this::list));
    }

    private Answer list(Call call) {
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
            return Answer.ok(new EventPage(events, next));
        } catch (StoreException e) {
            throw ProblemException.retry(
                    ProblemKind.UNAVAILABLE, "the journal cannot be read: " + e.getMessage(), Duration.ofSeconds(5), e);
        }
    }
}
