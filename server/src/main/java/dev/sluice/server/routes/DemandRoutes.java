package dev.sluice.server.routes;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.runtime.journal.DemandHistory;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.DemandStepView;
import dev.sluice.server.api.DemandStepsView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.usage.DemandSteps;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/** The route of what waited in queues over time. */
public final class DemandRoutes {

    private final DemandSteps steps;
    private final InstantSource clock;

    public DemandRoutes(DemandHistory history, InstantSource clock) {
        this.steps = new DemandSteps(history);
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(Route.get("/history/demand/steps")
                .named("getDemandSteps", "history")
                .action("reading the demand of queues")
                .role(Role.VIEWER)
                .summary(
                        "Returns what waited in a queue and what it was due in each step of a span, on average. Queues are"
                                + " read once per minute; means of 5 minutes are kept for a day, and means of hours, from which"
                                + " steps of an hour or longer are computed, for 31 days.")
                .query(
                        "partition",
                        Parameter.Type.TEXT,
                        "Partition; defaults to " + PartitionConfiguration.DEFAULT_NAME + ".")
                .query("queue", Parameter.Type.TEXT, "Path of the queue; defaults to " + DemandSteps.ROOT + ".")
                .query("step", Parameter.Type.TEXT, HistorySteps.STEP_TEXT)
                .query("from", Parameter.Type.TEXT, HistorySteps.FROM_TEXT)
                .query("to", Parameter.Type.TEXT, HistorySteps.TO_TEXT)
                .response(200, DemandStepsView.class, "The demand in each step.")
                .problems(ProblemKind.INVALID)
                .handledBy(this::steps));
    }

    private ApiResponse steps(Call call) {
        String partition = HistoryRoutes.partition(call);
        String asked = call.query("queue");
        String queue = asked == null || asked.isBlank()
                ? DemandSteps.ROOT
                : asked.strip().toLowerCase(Locale.ROOT);
        HistorySteps range = HistorySteps.of(call, clock.instant());
        try {
            return ApiResponse.ok(new DemandStepsView(
                    partition,
                    queue,
                    steps.steps(partition, queue, range.from(), range.step(), range.count()).stream()
                            .map(DemandRoutes::view)
                            .toList()));
        } catch (StoreException e) {
            throw FinishedApplications.unreadable(e);
        }
    }

    private static DemandStepView view(DemandSteps.Step step) {
        return new DemandStepView(
                step.from(), step.to(), step.intervals(), step.pendingTasks(), step.pending(), step.due());
    }
}
