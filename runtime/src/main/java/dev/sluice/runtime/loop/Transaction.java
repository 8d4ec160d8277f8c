package dev.sluice.runtime.loop;

/**
 * Something that is done on the thread of the scheduler, between its cycles: a question about the state, commands, or both.
 *
 * <p>What it answers is handed out when everything is safely in the journal that it did or could see. It must be quick, since nothing else is
 * done meanwhile, and must keep nothing of the state for later.
 *
 * @param <T> what it answers
 */
@FunctionalInterface
public interface Transaction<T> {

    /** Does it; what it throws is handed out as it is. What its commands did before remains done. */
    T run(TransactionContext context);
}
