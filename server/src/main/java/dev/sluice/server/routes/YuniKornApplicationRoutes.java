package dev.sluice.server.routes;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import dev.sluice.server.yunikorn.YuniKornApplication;
import dev.sluice.server.yunikorn.YuniKornViews;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reads of applications with their tasks. */
final class YuniKornApplicationRoutes {

    /** Maximum number of applications in one response. */
    private static final int APPLICATIONS_MAX = 10_000;

    private static final String READING_APPLICATIONS = "reading applications";

    private final Requests requests;

    YuniKornApplicationRoutes(Requests requests) {
        this.requests = requests;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        String bound =
                "; at most " + APPLICATIONS_MAX + ", with at most " + YuniKornTaskAllowance.TASKS_MAX + " tasks.";
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.PARTITION + "/applications/{state}",
                        "Applications",
                        READING_APPLICATIONS,
                        "Lists the applications of a partition in a state" + bound)
                .query("status", Parameter.Type.TEXT, "Only applications in this state, such as Running.")
                .listResponse(YuniKornApplication.class, "The applications.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                .handledBy(call -> ApiResponse.ok(applications(call, call.path("state"), null))));
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.QUEUE + "/applications",
                        "QueueApplications",
                        READING_APPLICATIONS,
                        "Lists the active applications of a queue" + bound)
                .listResponse(YuniKornApplication.class, "The applications.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(applications(call, "active", queuePath(call)))));
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.QUEUE + "/applications/{state}",
                        "QueueApplicationsByState",
                        READING_APPLICATIONS,
                        "Lists the applications of a queue in a state" + bound)
                .query("status", Parameter.Type.TEXT, "Only applications in this state, such as Running.")
                .listResponse(YuniKornApplication.class, "The applications.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                .handledBy(call -> ApiResponse.ok(applications(call, call.path("state"), queuePath(call)))));
        for (String path : List.of(YuniKornRoutes.PARTITION, YuniKornRoutes.QUEUE)) {
            routes.add(YuniKornRoutes.get(
                            path + "/application/{application}",
                            path.equals(YuniKornRoutes.PARTITION) ? "Application" : "QueueApplication",
                            READING_APPLICATIONS,
                            "Returns an application with its pending and allocated tasks, at most "
                                    + YuniKornViews.LISTED_MAX + ".")
                    .response(200, YuniKornApplication.class, "The application.")
                    .problems(ProblemKind.NOT_FOUND)
                    .handledBy(this::application));
        }
        return routes;
    }

    private String queuePath(Call call) {
        return requests.read(
                call,
                context -> Lookup.queue(Lookup.partition(context.state(), call), call.path("queue"))
                        .path());
    }

    private List<YuniKornApplication> applications(Call call, String group, @Nullable String queue) {
        ApplicationFilter states = ApplicationFilter.of(null, null, stateOf(group), null);
        String status = queue != null && call.route().path().endsWith("/applications") ? null : call.query("status");
        ApplicationFilter narrower = status == null ? states : ApplicationFilter.of(null, null, status, null);
        List<YuniKornApplication> found = new ArrayList<>();
        YuniKornTaskAllowance tasks = new YuniKornTaskAllowance();
        return requests.query(
                call,
                new ApplicationScan<>(
                        call.path("partition"),
                        (partition, application, budget) -> {
                            if (states.matches(application)
                                    && narrower.matches(application)
                                    && isIn(queue, application)) {
                                YuniKornApplication view =
                                        YuniKornViews.application(partition, application, tasks.next());
                                int listed = view.allocations().size()
                                        + view.requests().size();
                                tasks.used(view.allocations().size());
                                budget.takeUpTo(listed);
                                found.add(view);
                            }
                            return found.size() < APPLICATIONS_MAX;
                        },
                        partition -> found));
    }

    private static String stateOf(String group) {
        return switch (group) {
            case "active" -> "active";
            case "completed" -> "ended";
            case "rejected" -> "rejected";
            default ->
                throw ProblemException.of(
                        ProblemKind.INVALID, "unknown state " + group + "; use active, completed or rejected");
        };
    }

    private static boolean isIn(@Nullable String queue, Application application) {
        Queue of = application.hasQueue() ? application.queue() : null;
        return queue == null || (of != null && of.path().equals(queue));
    }

    private ApiResponse application(Call call) {
        return ApiResponse.ok(requests.read(call, context -> {
            Partition partition = Lookup.partition(context.state(), call);
            Application application = Lookup.application(partition, call);
            if (call.route().path().startsWith(YuniKornRoutes.QUEUE) && !isIn(call.path("queue"), application)) {
                throw Lookup.noApplication(call);
            }
            return YuniKornViews.application(partition, application, YuniKornViews.LISTED_MAX);
        }));
    }
}
