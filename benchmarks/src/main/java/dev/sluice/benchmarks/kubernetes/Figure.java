package dev.sluice.benchmarks.kubernetes;

/** What is measured. */
enum Figure {
    BOUND_PER_SECOND("pods bound per second"),
    CREATED_PER_SECOND("pods created per second"),
    BURST_P50("creation to binding, all at once, ms: p50"),
    BURST_P99("same, p99"),
    STEADY_P50("creation to binding, at a steady rate, ms: p50"),
    STEADY_P99("same, p99"),
    CPU_SCHEDULER("processor time per 1,000 pods, s: scheduler"),
    CPU_API_SERVER("same, kube-apiserver"),
    CPU_ETCD("same, etcd"),
    CPU_KWOK("same, kwok"),
    CPU_GENERATOR("same, load generator"),
    API_SERVER_CORES("cores that kube-apiserver uses"),
    REQUESTS_PER_POD("requests of the scheduler per pod"),
    RSS("resident memory of the scheduler after the burst, MiB"),
    RSS_MAX("same, maximum"),
    HEAP_PER_POD("live heap per pod, KiB"),
    START_UP("start with all pods running to the first binding, s");

    private final String title;

    Figure(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
