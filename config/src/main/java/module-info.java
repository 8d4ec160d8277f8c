/** Reads, checks and writes {@code queues.yaml}, snapshots and job files; begin with {@link dev.sluice.config.snapshot}. */
module dev.sluice.config {
    requires static org.jspecify;
    requires transitive dev.sluice.core;
    requires org.snakeyaml.engine;

    exports dev.sluice.config.field;
    exports dev.sluice.config.notification;
    exports dev.sluice.config.output;
    exports dev.sluice.config.problem;
    exports dev.sluice.config.queues;
    exports dev.sluice.config.reference;
    exports dev.sluice.config.snapshot;
    exports dev.sluice.config.yaml;
}
