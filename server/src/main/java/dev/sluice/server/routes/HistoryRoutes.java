package dev.sluice.server.routes;

import dev.sluice.config.field.InstantText;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.runtime.journal.FinishedOrder;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.server.api.FinishedPage;
import dev.sluice.server.api.FinishedView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Routes of finished applications, including those that have expired from the scheduler's state. */
public final class HistoryRoutes {

    private static final int PAGE = 100;
    private static final int PAGE_MAX = 1000;

    private static final List<String> SORTS = Arrays.stream(FinishedOrder.Key.values())
            .map(FinishedOrder.Key::wireName)
            .toList();

    /** What the parameter {@code sort} means. */
    private static final String SORT_TEXT = "Order: " + String.join(", ", SORTS) + "; defaults to " + SORTS.get(0)
            + ". Times and durations (from the submission to the end) are in descending order, names in ascending order;"
            + " -" + SORTS.get(2) + " and the like: the opposite order.";

    private final FinishedApplications applications;

    public HistoryRoutes(FinishedApplications applications) {
        this.applications = applications;
    }

    public List<Route> routes() {
        return List.of(withFilters(Route.get("/history/applications")
                        .named("listFinishedApplications", "history")
                        .action("reading the history")
                        .role(Role.VIEWER)
                        .summary("Lists finished applications, last ended first, including those that have expired"
                                + " from the scheduler's state. A retried application is listed once for each time it"
                                + " ended."))
                .query("sort", Parameter.Type.TEXT, SORT_TEXT)
                .query("before", Parameter.Type.NUMBER, "Value of next of the previous page, in the same order.")
                .query(
                        "limit",
                        Parameter.Type.NUMBER,
                        "Maximum number of results: 1 to " + PAGE_MAX + "; defaults to " + PAGE + ".")
                .response(200, FinishedPage.class, "The applications.")
                .problems(ProblemKind.INVALID)
                .handledBy(this::list));
    }

    /** Adds the parameters that {@link #query} reads. */
    static Route.Builder withFilters(Route.Builder route) {
        return route.query(
                        "partition",
                        Parameter.Type.TEXT,
                        "Partition; defaults to " + PartitionConfiguration.DEFAULT_NAME + ".")
                .query("id", Parameter.Type.TEXT, "Only applications with this id; ids may be reused.")
                .query("name", Parameter.Type.TEXT, "Only applications with this name.")
                .query("queue", Parameter.Type.TEXT, "Only applications of this queue or its descendants.")
                .query("user", Parameter.Type.TEXT, "Only applications of this user.")
                .query("state", Parameter.Type.TEXT, "Only applications in this state: Completed, Failed or Rejected.")
                .query("from", Parameter.Type.TEXT, "Only applications that ended at this instant or later.")
                .query("to", Parameter.Type.TEXT, "Only applications that ended before this instant.");
    }

    private ApiResponse list(Call call) {
        int limit = (int) call.number("limit", PAGE, 1, PAGE_MAX);
        long before = call.number("before", Long.MAX_VALUE, 1, Long.MAX_VALUE);
        String sort = call.query("sort");
        FinishedQuery query = sort == null || sort.equals(SORTS.get(0))
                ? query(call, before, limit + 1)
                : query(call, Long.MAX_VALUE, limit + 1).in(order(sort, before));
        List<FinishedApplication> found = applications.find(query);
        List<FinishedView> views = new ArrayList<>();
        found.subList(0, Math.min(limit, found.size())).forEach(application -> views.add(view(application)));
        return ApiResponse.ok(new FinishedPage(
                views, found.size() > limit ? found.get(limit - 1).sequence() : null));
    }

    /** Returns the order with this name, after the application whose end has a sequence number. */
    private FinishedOrder order(String sort, long before) {
        boolean reversed = sort.startsWith("-");
        String name = reversed ? sort.substring(1) : sort;
        FinishedOrder.Key key = Arrays.stream(FinishedOrder.Key.values())
                .filter(each -> each.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> ProblemException.of(
                        ProblemKind.INVALID,
                        "sort must be one of " + String.join(", ", SORTS) + ", or one of them after -, not " + sort));
        return new FinishedOrder(key, reversed, before == Long.MAX_VALUE ? null : applications.at(before));
    }

    /** Returns the query of a call with the parameters of the list. */
    static FinishedQuery query(Call call, long before, int limit) {
        String queue = call.query("queue");
        String state = call.query("state");
        return new FinishedQuery(
                partition(call),
                call.query("id"),
                null,
                call.query("name"),
                queue == null ? null : queue.toLowerCase(Locale.ROOT),
                call.query("user"),
                state == null ? null : state(state),
                optionalInstant(call, "from"),
                optionalInstant(call, "to"),
                before,
                limit);
    }

    /** Returns the name of the partition of a call with that parameter. */
    static String partition(Call call) {
        String partition = call.query("partition");
        return partition == null ? PartitionConfiguration.DEFAULT_NAME : partition;
    }

    /** Returns a query parameter as an instant, or null if absent. */
    static @Nullable Instant optionalInstant(Call call, String name) {
        String text = call.query(name);
        try {
            return text == null ? null : InstantText.parse(text);
        } catch (DateTimeParseException e) {
            throw ProblemException.of(
                    ProblemKind.INVALID, name + " must be an instant such as 2026-11-01T00:00:00Z, not " + text);
        }
    }

    static Instant instant(Call call, String name, Instant whenMissing) {
        Instant instant = optionalInstant(call, name);
        return instant == null ? whenMissing : instant;
    }

    private static ApplicationState state(String wireName) {
        for (ApplicationState state : ApplicationState.values()) {
            if (state.wireName().equalsIgnoreCase(wireName) && state.isEnded() && state != ApplicationState.EXPIRED) {
                return state;
            }
        }
        throw ProblemException.of(ProblemKind.INVALID, "state must be Completed, Failed or Rejected, not " + wireName);
    }

    private FinishedView view(FinishedApplication application) {
        SortedMap<String, Long> stops = applications.stops(application);
        return new FinishedView(
                application.sequence(),
                application.id(),
                application.partition(),
                application.name(),
                orNull(application.queue()),
                application.user(),
                application.state().wireName(),
                orNull(application.reason()),
                application.submitted(),
                application.ended(),
                stops.isEmpty() ? null : stops);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
