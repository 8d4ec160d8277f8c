package dev.sluice.server.routes;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Visits the applications of a partition in submission order, until the visitor has enough. An application that is
 * resubmitted between two steps is visited again.
 *
 * @param <T> the type of answers
 */
final class ApplicationScan<T> implements IncrementalQuery<T> {

    /** Visits applications. */
    interface Visitor {

        /**
         * Visits an application; returns false to end the scan.
         *
         * @param budget to be reduced by what the visit costs beyond one unit
         */
        boolean visit(Partition partition, Application application, StepBudget budget);
    }

    private final String partitionName;
    private final Visitor visitor;
    private final Function<Partition, T> answer;
    private @Nullable Partition partition;
    private @Nullable Application position;
    private @Nullable T result;

    /**
     * Creates a scan of this partition.
     *
     * @param answer returns the answer after the last application
     */
    ApplicationScan(String partitionName, Visitor visitor, Function<Partition, T> answer) {
        this.partitionName = partitionName;
        this.visitor = visitor;
        this.answer = answer;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Partition current = Lookup.requireSame(context.state(), partitionName, partition);
        partition = current;
        while (budget.take()) {
            Application application = current.nextApplication(position);
            if (application == null || !visitor.visit(current, application, budget)) {
                result = answer.apply(current);
                return true;
            }
            position = application;
        }
        return false;
    }

    @Override
    public T answer() {
        T found = result;
        if (found == null) {
            throw new IllegalStateException("the scan has not ended");
        }
        return found;
    }
}
