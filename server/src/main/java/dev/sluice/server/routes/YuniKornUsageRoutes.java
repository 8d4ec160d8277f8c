package dev.sluice.server.routes;

import dev.sluice.core.state.LimitUsage;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import dev.sluice.server.yunikorn.YuniKornUsage;
import dev.sluice.server.yunikorn.YuniKornUsageReport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reads of what users and groups use of their limits. */
final class YuniKornUsageRoutes {

    private static final String READING_USAGE = "reading the usage of limits";

    private final Requests requests;

    YuniKornUsageRoutes(Requests requests) {
        this.requests = requests;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.PARTITION + "/usage/users",
                        "Users",
                        READING_USAGE,
                        "Lists what users use in each queue.")
                .listResponse(YuniKornUsage.OfUser.class, "The users that have active applications.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(
                        usage(call, LimitUsage.Subject.USER, null).users())));
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.PARTITION + "/usage/user/{user}",
                        "User",
                        READING_USAGE,
                        "Returns what a user uses.")
                .response(200, YuniKornUsage.OfUser.class, "The user.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> only(
                        usage(call, LimitUsage.Subject.USER, call.path("user")).users(), "user " + call.path("user"))));
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.PARTITION + "/usage/groups",
                        "Groups",
                        READING_USAGE,
                        "Lists what groups with a limit use in each queue.")
                .listResponse(YuniKornUsage.OfGroup.class, "The groups that have active applications.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(
                        usage(call, LimitUsage.Subject.GROUP, null).groups())));
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.PARTITION + "/usage/group/{group}",
                        "Group",
                        READING_USAGE,
                        "Returns what a group uses.")
                .response(200, YuniKornUsage.OfGroup.class, "The group.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> only(
                        usage(call, LimitUsage.Subject.GROUP, call.path("group"))
                                .groups(),
                        "group " + call.path("group"))));
        return routes;
    }

    private YuniKornUsageReport usage(Call call, LimitUsage.Subject kind, @Nullable String only) {
        YuniKornUsageReport report = new YuniKornUsageReport(kind, only);
        return requests.query(
                call,
                new ApplicationScan<>(
                        call.path("partition"),
                        (partition, application, budget) -> {
                            report.add(partition, application);
                            return true;
                        },
                        partition -> report));
    }

    private static ApiResponse only(List<?> found, String what) {
        if (found.isEmpty()) {
            throw ProblemException.of(ProblemKind.NOT_FOUND, what + " has no active application");
        }
        return ApiResponse.ok(found.get(0));
    }
}
