package dev.sluice.benchmarks.kubernetes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Who binds pods. */
enum Contender {
    /** The load generator, each pod once it is created, to the nodes in turn: the most that the API server can do. */
    NOBODY("no scheduler", "", ""),
    KUBE_SCHEDULER("kube-scheduler, 5,000 QPS", "default-scheduler", "kube-scheduler"),
    SLUICE("Sluice", "sluice", "fabric8-kubernetes-client"),
    KUBE_SCHEDULER_DEFAULT("kube-scheduler, 50 QPS (default)", "default-scheduler", "kube-scheduler");

    private final String title;
    private final String scheduler;
    private final String agent;

    Contender(String title, String scheduler, String agent) {
        this.title = title;
        this.scheduler = scheduler;
        this.agent = agent;
    }

    /** Returns a contender by its name in lower case with hyphens. */
    static Contender named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    String title() {
        return title;
    }

    /** Returns the {@code schedulerName} of its pods; empty if the load generator binds them. */
    String scheduler() {
        return scheduler;
    }

    /** Returns the user agent of its requests. */
    String agent() {
        return agent;
    }

    /** Starts it, with its log and data in a folder. */
    SchedulerProcess start(Path kubeconfig, Path folder) throws IOException {
        Path log = folder.resolve("log");
        return switch (this) {
            case NOBODY -> SchedulerProcess.NONE;
            case KUBE_SCHEDULER ->
                SchedulerProcess.kubeScheduler(kubeconfig, log, "--kube-api-qps", "5000", "--kube-api-burst", "5000");
            case KUBE_SCHEDULER_DEFAULT -> SchedulerProcess.kubeScheduler(kubeconfig, log);
            case SLUICE -> SchedulerProcess.sluice(kubeconfig, folder.resolve("data"), log);
        };
    }
}
