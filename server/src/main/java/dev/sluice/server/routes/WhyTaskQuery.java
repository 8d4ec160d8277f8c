package dev.sluice.server.routes;

import dev.sluice.core.application.TaskRef;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.RunObstacles;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.WhyView;
import dev.sluice.server.route.Call;
import dev.sluice.server.view.Reasons;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Explains why a task is waiting, or describes its state. */
final class WhyTaskQuery implements IncrementalQuery<WhyView> {

    private final Call call;
    private final RunObstacles obstacles;
    private @Nullable Partition partition;
    private @Nullable Application application;
    private @Nullable Explainer explainer;
    private @Nullable WhyView view;

    /** Creates a query of the task of the call. */
    WhyTaskQuery(Call call, RunObstacles obstacles) {
        this.obstacles = obstacles;
        this.call = call;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Partition current = Lookup.requireSame(context.state(), call.path("partition"), partition);
        partition = current;
        Application known = application;
        if (known == null) {
            known = Lookup.application(current, call);
            application = known;
        }
        if (known.isForgotten()) {
            throw Lookup.noApplication(call);
        }
        TaskRef task = Lookup.task(known, call);
        Explainer begun = explainer == null ? new Explainer(current, context.now()) : explainer;
        explainer = begun;
        view = Reasons.of(
                begun, Lookup.group(known, task), task, obstacles.obstacles(current.name(), known.id()), budget);
        return view != null;
    }

    @Override
    public WhyView answer() {
        return Objects.requireNonNull(view);
    }
}
