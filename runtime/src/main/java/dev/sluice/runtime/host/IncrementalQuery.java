package dev.sluice.runtime.host;

import dev.sluice.core.explain.StepBudget;

/**
 * A query of the state that may visit many elements and is therefore executed in steps; see
 * {@link IncrementalQueryRunner}.
 *
 * <p>The state may change arbitrarily between two steps: applications, tasks, nodes, queues and whole partitions are
 * added and removed. A query therefore keeps positions that remain valid (the current application, an index into an
 * append-only list, a copy of a list of references) rather than iterators of the state, and its intermediate results
 * are immutable. Each part of the result is consistent with the state when it was visited; elements added or removed
 * between steps may or may not be included. If nothing changes, the result is a consistent snapshot, whatever the
 * number of steps.
 *
 * @param <T> the type of the result
 */
public interface IncrementalQuery<T> {

    /**
     * Continues the query where the previous step ended, on the scheduler's thread. Takes one unit of the budget per
     * visited element, and returns when the budget is exhausted.
     *
     * @return whether the query is complete
     */
    boolean step(TransactionContext context, StepBudget budget);

    /** Builds the result once the query is complete; called on the thread of the caller. */
    T answer();
}
