package dev.sluice.server.routes;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.server.api.EfficiencyView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The route of what an application used of what it was allocated. */
public final class EfficiencyRoutes {

    private final Requests requests;
    private final TaskHistory history;

    public EfficiencyRoutes(Requests requests, TaskHistory history) {
        this.requests = requests;
        this.history = history;
    }

    public List<Route> routes() {
        return List.of(Route.get("/partitions/{partition}/applications/{application}/efficiency")
                .named("getEfficiency", "tasks")
                .action("reading tasks")
                .role(Role.VIEWER)
                .summary("Compares the processor time and memory that the latest ended runs of an application used with"
                        + " what they were allocated. Only runs on the server's own machine are measured.")
                .response(200, EfficiencyView.class, "What they used, by what they were allocated.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(this::efficiency));
    }

    private ApiResponse efficiency(Call call) {
        Optional<Instant> submitted = requests.read(call, context -> {
            Partition partition = context.state().partition(call.path("partition"));
            Application application = partition == null ? null : partition.application(call.path("application"));
            return Optional.ofNullable(application).map(Application::submitted);
        });
        return ApiResponse.ok(history.efficiency(
                call.path("partition"), call.path("application"), submitted.orElseGet(() -> expired(call))));
    }

    private Instant expired(Call call) {
        FinishedApplication expired = history.latest(call.path("partition"), call.path("application"));
        if (expired == null) {
            throw Lookup.noApplication(call);
        }
        return expired.submitted();
    }
}
