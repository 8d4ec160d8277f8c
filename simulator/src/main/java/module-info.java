/** Runs the engine in virtual time on workloads and measures it; begin with {@link dev.sluice.simulator.simulation}. */
module dev.sluice.simulator {
    requires static org.jspecify;
    requires transitive dev.sluice.config;
    requires transitive dev.sluice.core;
    requires dev.sluice.runtime;

    exports dev.sluice.simulator.figures to
            dev.sluice.cli,
            dev.sluice.server;
    exports dev.sluice.simulator.report to
            dev.sluice.cli,
            dev.sluice.server;
    exports dev.sluice.simulator.simulation to
            dev.sluice.cli,
            dev.sluice.server;
    exports dev.sluice.simulator.workload to
            dev.sluice.cli,
            dev.sluice.server;
    exports dev.sluice.simulator.workload.csv to
            dev.sluice.cli;
    exports dev.sluice.simulator.workload.jobs to
            dev.sluice.cli,
            dev.sluice.server;
    exports dev.sluice.simulator.workload.swf to
            dev.sluice.cli;
    exports dev.sluice.simulator.workload.synthetic to
            dev.sluice.cli;
}
