package dev.sluice.server.routes;

import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.Explanation;
import dev.sluice.core.explain.Looks;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.runtime.loop.Question;
import dev.sluice.server.api.WhyView;
import dev.sluice.server.route.Call;
import dev.sluice.server.view.Reasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why the tasks of an application wait. */
final class WhyApplication implements Question<WhyView> {

    private final Call call;
    private final List<Reasons.Reason> reasons = new ArrayList<>();
    private @Nullable Partition partition;
    private @Nullable Application application;
    private @Nullable Explanation explanation;
    private Reasons.@Nullable Summary summary;

    /** Of the application that the path names. */
    WhyApplication(Call call) {
        this.call = call;
    }

    @Override
    public boolean look(Desk desk, Looks looks) {
        Partition current = Lookup.same(desk.state(), call.path("partition"), partition);
        partition = current;
        Application known = application;
        if (known == null) {
            known = Lookup.application(current, call);
            application = known;
        }
        if (known.isForgotten()) {
            throw Lookup.noApplication(call);
        }
        if (known.unplaced() + known.leaving() > 0 && !explain(current, known, looks)) {
            return false;
        }
        summary = Reasons.summary(known, reasons.size());
        return true;
    }

    private boolean explain(Partition current, Application known, Looks looks) {
        Explanation begun = explanation == null ? new Explainer(current).begin(known) : explanation;
        explanation = begun;
        if (!begun.look(looks)) {
            return false;
        }
        return begun.listTo(waiting -> reasons.add(Reasons.reason(waiting)), Reasons.NAMES_MAX, looks);
    }

    @Override
    public WhyView answer() {
        return Reasons.view(Objects.requireNonNull(summary), reasons);
    }
}
