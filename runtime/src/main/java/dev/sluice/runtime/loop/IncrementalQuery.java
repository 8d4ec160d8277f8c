package dev.sluice.runtime.loop;

import dev.sluice.core.explain.StepBudget;

/**
 * A question about the state that may have to look at much, and is therefore asked in pieces; see {@link IncrementalQueryRunner}.
 *
 * <p>Between two pieces anything may happen: applications, tasks, nodes, queues and whole partitions come and go. So a question holds
 * positions that stay valid (the application that it has come to, an index into what only grows, a copy of a list of references) and no
 * iterators of the state, and what it has gathered is immutable. Each part of its answer is as it was when it was looked at; what came or
 * went between the pieces may be in it or not. While nothing changes the answer is that of one instant, however many pieces there are.
 *
 * @param <T> what it answers
 */
public interface IncrementalQuery<T> {

    /**
     * Looks at the state where it stopped before, on the scheduler's thread. Takes one look for each thing that it looks at, and stops when
     * there are no more.
     *
     * @return whether it has seen all that it needs
     */
    boolean step(TransactionContext context, StepBudget looks);

    /** The answer, made of what was gathered, when everything was seen; on the thread of whoever asks. */
    T answer();
}
