/** The host of the engine, its journal, and executors of tasks; begin with {@link dev.sluice.runtime.host}. */
module dev.sluice.runtime {
    requires static org.jspecify;
    requires transitive dev.sluice.config;
    requires transitive dev.sluice.core;
    requires jdk.management;

    exports dev.sluice.runtime.executor;
    exports dev.sluice.runtime.file;
    exports dev.sluice.runtime.host;
    exports dev.sluice.runtime.journal;
    exports dev.sluice.runtime.local;
    exports dev.sluice.runtime.machine;
    exports dev.sluice.runtime.secret;
    exports dev.sluice.runtime.detached to
            dev.sluice.server;
    exports dev.sluice.runtime.process to
            dev.sluice.cli,
            dev.sluice.kubernetes,
            dev.sluice.server;
}
