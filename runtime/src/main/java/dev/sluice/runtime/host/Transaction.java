package dev.sluice.runtime.host;

/**
 * Code that runs on the thread of the scheduler, between its cycles: it reads the state, executes commands, or both.
 *
 * <p>Its result is returned to the caller when everything that it wrote or could read is durable in the journal. It
 * must be fast, because it blocks the scheduler, and must not retain references to the state.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface Transaction<T> {

    /** Executes the transaction. Exceptions are passed on to the caller; commands executed before remain applied. */
    T run(TransactionContext context);
}
