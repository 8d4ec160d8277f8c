package dev.sluice.server.sampling;

import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.Explanation;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.WaitHistory.WaitingApplication;
import dev.sluice.server.view.Reasons;
import dev.sluice.server.view.Reasons.ReasonEntry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains why applications wait, as many as the bounds allow, beginning after the last one of the previous query; and
 * finds those that do not wait any more. A query that reaches the last application ends there: the next one begins with
 * the first.
 */
final class WaitQuery implements IncrementalQuery<WaitQuery.Waits> {

    /** Maximum number of applications that a query explains. */
    static final int EXPLAINED_MAX = 200;

    /** Maximum number of units of {@link StepBudget} that a query takes to find and explain applications. */
    static final int UNITS_MAX = 100_000;

    /**
     * What a query found.
     *
     * @param cursor where the next query goes on; null to begin with the first application
     */
    record Waits(
            List<Explained> explained,
            List<WaitingApplication> ended,
            @Nullable Cursor cursor) {}

    /** The last application that a query visited. */
    record Cursor(Partition partition, Application application) {}

    /** Why an application waits; immutable, so that the words of the reasons can be built on any thread. */
    record Explained(WaitingApplication application, List<ReasonEntry> reasons) {}

    private final Deque<WaitingApplication> followed;
    private final List<Explained> explained = new ArrayList<>();
    private final List<WaitingApplication> ended = new ArrayList<>();
    private @Nullable Deque<Partition> partitions;
    private @Nullable Cursor cursor;
    private @Nullable Application explaining;
    private @Nullable Explanation explanation;
    private int units;
    private int unitsBefore;

    /**
     * Creates a query.
     *
     * @param followed the applications that waited at the last query that explained them
     * @param cursor what the previous query returned
     */
    WaitQuery(Collection<WaitingApplication> followed, @Nullable Cursor cursor) {
        this.followed = new ArrayDeque<>(followed);
        this.cursor = cursor;
    }

    /** Returns whether tasks of an application wait. */
    private static boolean waits(Application application) {
        return !application.isForgotten()
                && !application.state().isEnded()
                && application.unallocated() + application.preempting() > 0;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        while (!followed.isEmpty()) {
            if (!budget.take()) {
                return false;
            }
            WaitingApplication application = followed.remove();
            if (!waits(context.state(), application)) {
                ended.add(application);
            }
        }
        int before = budget.taken();
        boolean complete = explain(context.state(), context.now(), budget);
        units += budget.taken() - before;
        if (!complete && units >= UNITS_MAX) {
            abandon();
            return true;
        }
        return complete;
    }

    private static boolean waits(SchedulerState state, WaitingApplication waiting) {
        Partition partition = state.partition(waiting.partition());
        Application application = partition == null ? null : partition.application(waiting.id());
        return application != null && application.submitted().equals(waiting.submitted()) && waits(application);
    }

    /** Leaves the explanation at hand to the next query, unless it takes so long that it would never end. */
    private void abandon() {
        Application application = explaining;
        Deque<Partition> left = partitions;
        if (application != null && left != null && units - unitsBefore > UNITS_MAX / 2) {
            cursor = new Cursor(left.element(), application);
        }
    }

    private boolean explain(SchedulerState state, Instant now, StepBudget budget) {
        Deque<Partition> left = partitions;
        if (left == null) {
            left = new ArrayDeque<>(state.partitions());
            Cursor from = cursor;
            if (from != null && left.contains(from.partition())) {
                while (left.element() != from.partition()) {
                    left.remove();
                }
            } else {
                cursor = null;
            }
            partitions = left;
        }
        while (!left.isEmpty()) {
            Partition partition = left.element();
            if (state.partition(partition.name()) == partition) {
                if (!explain(partition, now, budget)) {
                    return false;
                }
                if (explained.size() >= EXPLAINED_MAX) {
                    return true;
                }
            }
            left.remove();
            explaining = null;
            explanation = null;
            cursor = null;
        }
        return true;
    }

    /** Explains the applications of a partition after the cursor; returns whether there are no more to explain. */
    private boolean explain(Partition partition, Instant now, StepBudget budget) {
        while (explained.size() < EXPLAINED_MAX) {
            Application application = explaining;
            if (application == null) {
                if (!budget.take()) {
                    return false;
                }
                application = partition.nextApplication(cursor == null ? null : cursor.application());
                if (application == null) {
                    return true;
                }
                explaining = application;
                unitsBefore = units;
            }
            if (waits(application) && !explain(partition, application, now, budget)) {
                return false;
            }
            cursor = new Cursor(partition, application);
            explaining = null;
            explanation = null;
        }
        return true;
    }

    private boolean explain(Partition partition, Application application, Instant now, StepBudget budget) {
        Explanation begun = explanation == null ? new Explainer(partition, now).begin(application) : explanation;
        explanation = begun;
        if (!begun.step(budget)) {
            return false;
        }
        List<ReasonEntry> reasons = new ArrayList<>();
        if (!begun.listTo(waiting -> reasons.add(Reasons.reason(waiting)), 1, budget)) {
            return false;
        }
        explained.add(new Explained(
                new WaitingApplication(partition.name(), application.id(), application.submitted()), reasons));
        return true;
    }

    @Override
    public Waits answer() {
        return new Waits(explained, ended, cursor);
    }
}
