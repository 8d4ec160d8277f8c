package dev.sluice.server.routes;

import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.Explanation;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.RunObstacles;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.api.WhyView;
import dev.sluice.server.route.Call;
import dev.sluice.server.view.Reasons;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Explains why the tasks of an application are waiting. */
final class WhyApplicationQuery implements IncrementalQuery<WhyView> {

    private final Call call;
    private final RunObstacles obstacles;
    private List<WaitView> hindered = List.of();
    private final List<Reasons.ReasonEntry> reasons = new ArrayList<>();
    private @Nullable Partition partition;
    private @Nullable Application application;
    private @Nullable Explanation explanation;
    private Reasons.@Nullable Summary summary;

    /** Creates a query of the application of the call. */
    WhyApplicationQuery(Call call, RunObstacles obstacles) {
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
        if (known.unallocated() + known.preempting() > 0 && !explain(current, known, context.now(), budget)) {
            return false;
        }
        hindered = Reasons.obstacles(known, obstacles.obstacles(current.name(), known.id()));
        long tasks = hindered.stream().mapToLong(WaitView::tasks).sum();
        summary = Reasons.summary(known, reasons.size() + hindered.size(), tasks);
        return true;
    }

    private boolean explain(Partition current, Application known, Instant now, StepBudget budget) {
        Explanation begun = explanation == null ? new Explainer(current, now).begin(known) : explanation;
        explanation = begun;
        if (!begun.step(budget)) {
            return false;
        }
        return begun.listTo(waiting -> reasons.add(Reasons.reason(waiting)), Reasons.NAMES_MAX, budget);
    }

    @Override
    public WhyView answer() {
        return Reasons.view(Objects.requireNonNull(summary), reasons, hindered);
    }
}
