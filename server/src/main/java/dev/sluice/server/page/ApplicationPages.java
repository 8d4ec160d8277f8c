package dev.sluice.server.page;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.CancelDocument;
import dev.sluice.server.api.EfficiencyView;
import dev.sluice.server.api.FinishedPage;
import dev.sluice.server.api.FinishedView;
import dev.sluice.server.api.PastWaitView;
import dev.sluice.server.api.PastWaitsView;
import dev.sluice.server.api.RetryDocument;
import dev.sluice.server.api.TaskPage;
import dev.sluice.server.api.WhyView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Route;
import dev.sluice.server.routes.PermittedActions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Applications: those in the scheduler's state, finished ones, and one of them with what can be done with it. */
public final class ApplicationPages {

    private static final String PATH = "/partitions/{partition}/applications";
    private static final String ONE = PATH + "/{application}";
    private static final List<String> FILTERS = List.of("state", "queue", "user", "tag", "sort");
    private static final List<String> FINISHED_FILTERS =
            List.of("state", "id", "name", "queue", "user", "from", "to", "sort");
    private static final String ROWS_MAX = "100";
    private static final String TASKS_MAX = "100";

    /** The buttons and the routes that they call, in the order of the page. */
    private static final List<Action> ACTIONS = List.of(
            new Action("release", "releaseApplication", "Release", ""),
            new Action("hold", "holdApplication", "Hold", ""),
            new Action("retry", "retryApplication", "Retry", "Run the failed and stopped tasks again?"),
            new Action("cancel", "cancelApplication", "Cancel", "Stop its running tasks and drop the others?"));

    private final ApiCalls api;
    private final PageRoutes pages;
    private final Templates templates;
    private final Shells shells;
    private final PermittedActions permitted;

    /**
     * Something that can be done with an application.
     *
     * @param name the last part of the address of its form
     * @param route the route of the API that does it
     * @param question what the browser asks first; empty for nothing
     */
    public record Action(String name, String route, String label, String question) {}

    /** The orders of the list by name, with what they mean. */
    private static final Map<String, String> SORTS = sorts();

    /** The orders of the list of finished applications by name, with what they mean. */
    private static final Map<String, String> FINISHED_SORTS = finishedSorts();

    /**
     * The list.
     *
     * @param caption what the table shows
     *
     * @param next the address of the next page; empty if there is none
     */
    public record ListModel(
            String partition,
            Map<String, String> query,
            Map<String, String> sorts,
            String caption,
            List<ApplicationView> applications,
            String next) {}

    /**
     * The list of finished applications.
     *
     * @param caption what the table shows
     * @param first the address of the first page; empty if this is it
     */
    public record FinishedModel(
            String partition,
            Map<String, String> query,
            Map<String, String> sorts,
            String caption,
            List<FinishedView> applications,
            String first,
            String next) {}

    /**
     * One application.
     *
     * @param why why its tasks wait, or null if it has ended
     * @param past why it waited, latest first
     * @param moreTasks the address of the tasks that are not shown; empty if there are none
     * @param used what its latest runs used of what they were allocated
     */
    public record Model(
            ApplicationView application,
            List<Action> actions,
            @Nullable WhyView why,
            List<PastWaitView> past,
            TaskPage tasks,
            String moreTasks,
            Timeline timeline,
            EfficiencyView used) {}

    ApplicationPages(ApiCalls api, PageRoutes pages, Templates templates, Shells shells, PermittedActions permitted) {
        this.api = api;
        this.pages = pages;
        this.templates = templates;
        this.shells = shells;
        this.permitted = permitted;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>(List.of(
                pages.page(
                        PATH,
                        "pageApplications",
                        "listApplications",
                        Map.of(
                                "queue", "Only applications in this queue or its descendants.",
                                "user", "Only applications of this user.",
                                "state", "Only applications in this state; defaults to active.",
                                "tag", "Only applications with this tag.",
                                "sort", "Another order; only the first applications are shown.",
                                "after", "The id of the last application of the previous page."),
                        this::list),
                pages.page(
                        "/partitions/{partition}/finished",
                        "pageFinished",
                        "listFinishedApplications",
                        Map.of(
                                "queue", "Only applications of this queue or its descendants.",
                                "user", "Only applications of this user.",
                                "state", "Only applications in this state.",
                                "name", "Only applications with this name.",
                                "id", "Only applications with this id.",
                                "from", "Only applications that ended on this date or later, UTC.",
                                "to", "Only applications that ended before this date, UTC.",
                                "sort", "Another order.",
                                "before", "Value of next of the previous page."),
                        this::finished),
                pages.page(
                        ONE,
                        "pageApplication",
                        "getApplication",
                        Map.of("after", "Position of the first task that is shown."),
                        this::one)));
        for (Action action : ACTIONS) {
            routes.add(pages.form(
                    ONE + "/" + action.name(),
                    "page" + action.label() + "Application",
                    action.route(),
                    (call, fields) -> act(call, action)));
        }
        return routes;
    }

    private ApiResponse list(Call call) {
        String partition = call.path("partition");
        Map<String, String> query = PageRoutes.given(call, FILTERS);
        String after = call.query("after");
        Map<String, String> asked = new LinkedHashMap<>(query);
        asked.put("partition", partition);
        asked.put("limit", ROWS_MAX);
        String sort = query.getOrDefault("sort", "");
        if (query.getOrDefault("state", "").isEmpty()) {
            asked.put("state", "active");
        }
        asked.put("after", after == null ? "" : after);
        String address = Links.applications(partition);
        Shell shell = shells.live(
                call,
                "Applications",
                Shell.Section.APPLICATIONS,
                partition,
                Links.with(address, query, "after", after == null ? "" : after));
        ApplicationPage found = api.shared(call, "listApplications", ApplicationPage.class, asked);
        String next = found.next() == null ? "" : Links.with(address, query, "after", found.next());
        return PageAnswers.page(
                200,
                templates.render(
                        "applications",
                        shell,
                        new ListModel(partition, query, SORTS, caption(sort, found), found.items(), next)));
    }

    private static Map<String, String> sorts() {
        Map<String, String> sorts = new LinkedHashMap<>();
        sorts.put("", "submission");
        sorts.put("newest", "newest first");
        sorts.put("changed", "last change first");
        sorts.put("running", "most running tasks first");
        sorts.put("pending", "most pending tasks first");
        sorts.put("failed", "most failed tasks first");
        sorts.put("tried", "as tried by the queue");
        return sorts;
    }

    private static Map<String, String> finishedSorts() {
        Map<String, String> sorts = new LinkedHashMap<>();
        sorts.put("", "last ended first");
        sorts.put("-ended", "first ended first");
        sorts.put("submitted", "last submitted first");
        sorts.put("-submitted", "first submitted first");
        sorts.put("duration", "longest first");
        sorts.put("-duration", "shortest first");
        sorts.put("queue", "by queue");
        sorts.put("user", "by user");
        return sorts;
    }

    private static String caption(String sort, ApplicationPage found) {
        return sort.isEmpty()
                ? "Applications, in submission order"
                : "Applications, " + SORTS.getOrDefault(sort, sort)
                        + (found.items().size() == Integer.parseInt(ROWS_MAX) ? ": the first " + ROWS_MAX : "");
    }

    private ApiResponse finished(Call call) {
        String partition = call.path("partition");
        Map<String, String> query = PageRoutes.given(call, FINISHED_FILTERS);
        String before = call.query("before");
        Map<String, String> asked = new LinkedHashMap<>(query);
        for (String date : List.of("from", "to")) {
            asked.computeIfPresent(date, (name, day) -> day.isEmpty() ? "" : day + "T00:00:00Z");
        }
        asked.put("partition", partition);
        asked.put("limit", ROWS_MAX);
        asked.put("before", before == null ? "" : before);
        Shell shell = shells.still(call, "Finished applications", Shell.Section.APPLICATIONS, partition);
        FinishedPage found = api.get(call, "listFinishedApplications", FinishedPage.class, asked);
        String next = found.next() == null
                ? ""
                : Links.with(Links.finished(partition), query, "before", Long.toString(found.next()));
        return PageAnswers.page(
                200,
                templates.render(
                        "finished",
                        shell,
                        new FinishedModel(
                                partition,
                                query,
                                FINISHED_SORTS,
                                "Finished applications, "
                                        + FINISHED_SORTS.getOrDefault(query.getOrDefault("sort", ""), ""),
                                found.items(),
                                before == null ? "" : Links.with(Links.finished(partition), query),
                                next)));
    }

    private static Map<String, String> named(Call call) {
        return Map.of("partition", call.path("partition"), "application", call.path("application"));
    }

    private ApiResponse one(Call call) {
        String partition = call.path("partition");
        String id = call.path("application");
        String after = call.query("after");
        String address = Links.application(partition, id);
        Shell shell = shells.live(
                call,
                id,
                Shell.Section.APPLICATIONS,
                partition,
                Links.with(address, Map.of("after", after == null ? "" : after)));
        ApplicationView application = api.get(call, "getApplication", ApplicationView.class, named(call));
        boolean ended = isEnded(application.state());
        WhyView why = ended ? null : api.get(call, "whyApplication", WhyView.class, named(call));
        List<PastWaitView> past =
                api.get(call, "listPastWaits", PastWaitsView.class, named(call)).items();
        Map<String, String> asked = new LinkedHashMap<>(named(call));
        asked.put("limit", TASKS_MAX);
        asked.put("after", after == null ? "" : after);
        TaskPage tasks = api.get(call, "listTasks", TaskPage.class, asked);
        String more = tasks.next() == null ? "" : Links.with(address, Map.of("after", tasks.next()));
        return PageAnswers.page(
                200,
                templates.render(
                        "application",
                        shell,
                        new Model(
                                application,
                                actions(call, application, ended),
                                why,
                                past,
                                tasks,
                                more,
                                Timeline.of(application, tasks.items(), why, past, shell.now()),
                                api.get(call, "getEfficiency", EfficiencyView.class, named(call)))));
    }

    private static boolean isEnded(String state) {
        return Arrays.stream(ApplicationState.values())
                .anyMatch(each -> each.wireName().equals(state) && each.isEnded());
    }

    /** Returns what the caller may do with an application in its state. */
    private List<Action> actions(Call call, ApplicationView application, boolean ended) {
        List<String> allowed = permitted.of(
                call,
                application.partition(),
                application.id(),
                ACTIONS.stream().map(action -> api.route(action.route())).toList());
        return ACTIONS.stream()
                .filter(action -> allowed.contains(action.route()))
                .filter(action -> switch (action.name()) {
                    case "release" -> !ended && application.held();
                    case "hold" -> !ended && !application.held();
                    case "retry" ->
                        ended
                                && application.tasks().failed()
                                                + application.tasks().stopped()
                                        > 0;
                    default -> !ended;
                })
                .toList();
    }

    private ApiResponse act(Call call, Action action) {
        Object document = switch (action.name()) {
            case "cancel" -> new CancelDocument(null);
            case "retry" -> new RetryDocument(null);
            default -> Map.of();
        };
        api.change(call, action.route(), named(call), document);
        return PageAnswers.redirect(Links.application(call.path("partition"), call.path("application")));
    }
}
