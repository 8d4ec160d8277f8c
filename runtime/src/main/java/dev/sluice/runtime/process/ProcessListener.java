package dev.sluice.runtime.process;

import dev.sluice.runtime.executor.RunExit;

/**
 * Receives the end of a task's process.
 *
 * @param <K> the type that identifies tasks
 */
@FunctionalInterface
public interface ProcessListener<K> {

    /**
     * Called when the process of this task has ended or could not be started: exactly once per call of
     * {@link ProcessRunner#start}, always on the same thread, possibly before that call returns.
     */
    void ended(K task, RunExit exit);
}
