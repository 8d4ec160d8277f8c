package dev.sluice.runtime.process;

/**
 * Is told when a task's process is over.
 *
 * @param <K> what tasks are known by
 */
@FunctionalInterface
public interface ProcessListener<K> {

    /**
     * The process of this task ended or could not be started. Called exactly once for every call of
     * {@link ProcessRunner#start}, always on the same thread; it may come before that call has returned.
     */
    void ended(K task, ProcessExit exit);
}
