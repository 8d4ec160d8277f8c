package dev.sluice.server.routes;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.WaitHistory;
import dev.sluice.runtime.journal.WaitHistory.Wait;
import dev.sluice.runtime.journal.WaitHistory.WaitingApplication;
import dev.sluice.server.api.PastWaitView;
import dev.sluice.server.api.PastWaitsView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The route of why an application waited in the past. */
public final class WaitRoutes {

    private final Requests requests;
    private final FinishedApplications finished;
    private final WaitHistory history;

    public WaitRoutes(Requests requests, JournalStore store) {
        this.requests = requests;
        this.finished = new FinishedApplications(store);
        this.history = store.waits();
    }

    public List<Route> routes() {
        return List.of(Route.get(ApplicationRoutes.APPLICATION + "/waits")
                .named("listPastWaits", "reasons")
                .action("reading wait reasons")
                .role(Role.VIEWER)
                .summary("Returns why an application waited since its submission: the reason of most of its waiting"
                        + " tasks, whenever it changed, the latest " + WaitHistory.WAITS_MAX
                        + ". Reasons are read each 10 seconds, so shorter waits may be missing.")
                .response(200, PastWaitsView.class, "The waits.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(this::list));
    }

    private ApiResponse list(Call call) {
        String partition = call.path("partition");
        String id = call.path("application");
        try {
            List<Wait> waits = history.find(
                    new WaitingApplication(partition, id, submitted(call, partition, id)), WaitHistory.WAITS_MAX);
            return ApiResponse.ok(
                    new PastWaitsView(id, waits.stream().map(WaitRoutes::view).toList()));
        } catch (StoreException e) {
            throw FinishedApplications.unreadable(e);
        }
    }

    /** Returns when an application was submitted that is in the state or in the history. */
    private Instant submitted(Call call, String partitionName, String id) {
        Optional<Instant> known = requests.read(call, context -> {
            Partition partition = context.state().partition(partitionName);
            Application application = partition == null ? null : partition.application(id);
            return Optional.ofNullable(application).map(Application::submitted);
        });
        if (known.isPresent()) {
            return known.get();
        }
        FinishedApplication latest = finished.latest(partitionName, id);
        if (latest == null) {
            throw Lookup.noApplication(call);
        }
        return latest.submitted();
    }

    private static PastWaitView view(Wait wait) {
        return new PastWaitView(wait.from(), wait.seen(), wait.code(), wait.detail(), wait.tasks());
    }
}
