package dev.sluice.runtime.host;

/** Keeps the revisions of the configuration. */
@FunctionalInterface
public interface ConfigurationRecorder {

    /**
     * Records a new revision if this transaction has changed the configuration.
     *
     * @param by who has changed it; empty for the program itself
     * @param note what for
     */
    void record(TransactionContext context, String by, String note);
}
