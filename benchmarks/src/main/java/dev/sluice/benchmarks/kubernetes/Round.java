package dev.sluice.benchmarks.kubernetes;

import dev.sluice.benchmarks.kubernetes.AuditLog.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Measures a scheduler once, from its start. */
final class Round {

    private static final double STEADY_SECONDS = 10;
    private static final double THOUSAND = 1000;

    private final ControlPlane cluster;
    private final Load load;
    private final Contender contender;
    private final int pods;
    private final double perSecond;
    private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);

    /**
     * Creates a round.
     *
     * @param pods how many pods are created as fast as possible
     * @param perSecond how many are created per second when latencies are measured
     */
    Round(ControlPlane cluster, Load load, Contender contender, int pods, double perSecond) {
        this.cluster = cluster;
        this.load = load;
        this.contender = contender;
        this.pods = pods;
        this.perSecond = perSecond;
    }

    /** Measures, with the data and log of the scheduler in a new folder. */
    Map<Figure, Double> measure(Path folder) throws IOException, InterruptedException {
        Files.createDirectory(folder);
        try (SchedulerProcess process = contender.start(cluster.kubeconfig(), folder)) {
            load.run(process, contender.scheduler(), pods / 5, 0); // warms up
            if (contender != Contender.NOBODY) {
                Requests steady = new Requests(
                        load.run(process, contender.scheduler(), (int) (perSecond * STEADY_SECONDS), perSecond));
                figures.put(Figure.STEADY_P50, steady.millisToBinding(0.5));
                figures.put(Figure.STEADY_P99, steady.millisToBinding(0.99));
            }
            double heap = contender == Contender.SLUICE ? process.liveHeap() : 0;
            burst(process);
            if (contender != Contender.NOBODY) {
                figures.put(Figure.RSS, process.mebibytes("VmRSS"));
                figures.put(Figure.RSS_MAX, process.mebibytes("VmHWM"));
            }
            if (contender == Contender.SLUICE) {
                figures.put(Figure.HEAP_PER_POD, (process.liveHeap() - heap) / pods);
            }
        }
        if (contender == Contender.KUBE_SCHEDULER || contender == Contender.SLUICE) {
            restart(folder);
        }
        load.deleteAll();
        return figures;
    }

    private void burst(SchedulerProcess process) throws IOException, InterruptedException {
        Map<Figure, ProcessHandle> processes = new LinkedHashMap<>();
        process.handle().ifPresent(handle -> processes.put(Figure.CPU_SCHEDULER, handle));
        processes.put(Figure.CPU_API_SERVER, cluster.process("kube-apiserver"));
        processes.put(Figure.CPU_ETCD, cluster.process("etcd"));
        processes.put(Figure.CPU_KWOK, cluster.process("kwok"));
        processes.put(Figure.CPU_GENERATOR, ProcessHandle.current());
        Map<Figure, Double> before = new EnumMap<>(Figure.class);
        processes.forEach((figure, handle) -> before.put(figure, SchedulerProcess.cpuSeconds(handle)));
        long begin = System.nanoTime();

        Requests requests = new Requests(load.run(process, contender.scheduler(), pods, 0));

        double seconds = (System.nanoTime() - begin) / 1e9;
        processes.forEach((figure, handle) -> figures.put(
                figure,
                (SchedulerProcess.cpuSeconds(handle) - Objects.requireNonNull(before.get(figure))) * THOUSAND / pods));
        figures.put(
                Figure.API_SERVER_CORES,
                Objects.requireNonNull(figures.get(Figure.CPU_API_SERVER)) * pods / THOUSAND / seconds);
        figures.put(Figure.BOUND_PER_SECOND, requests.boundPerSecond());
        figures.put(Figure.CREATED_PER_SECOND, requests.createdPerSecond());
        figures.put(Figure.BURST_P50, requests.millisToBinding(0.5));
        figures.put(Figure.BURST_P99, requests.millisToBinding(0.99));
        if (contender != Contender.NOBODY) {
            figures.put(Figure.REQUESTS_PER_POD, requests.perPod(contender.agent()));
        }
    }

    /** Measures the time from the start of the program, with all pods running, to the binding of a new pod. */
    private void restart(Path folder) throws IOException, InterruptedException {
        load.createOne(contender.scheduler());
        cluster.audit().poll();
        cluster.audit().take();
        Instant start = Instant.now();
        try (SchedulerProcess process = contender.start(cluster.kubeconfig(), folder)) {
            load.await(process, 1, 1);
            long bound = new Requests(cluster.audit().take()).lastBindingMicros();
            figures.put(Figure.START_UP, bound / 1e6 - ChronoUnit.MICROS.between(Instant.EPOCH, start) / 1e6);
        }
    }

    /** What an audit log says about pods. */
    static final class Requests {

        private final Map<String, Request> created = new LinkedHashMap<>();
        private final Map<String, Request> bound = new LinkedHashMap<>();
        private final List<Request> all;

        Requests(List<Request> all) {
            this.all = all;
            for (Request request : all) {
                if (request.isSuccess() && request.verb().equals("create")) {
                    if (request.resource().equals("pods")) {
                        created.put(request.object(), request);
                    } else if (request.resource().equals("pods/binding")) {
                        bound.put(request.object(), request);
                    }
                }
            }
        }

        private static double seconds(long micros) {
            return micros / 1e6;
        }

        private long firstMicros() {
            return created.values().stream()
                    .mapToLong(Request::receivedMicros)
                    .min()
                    .orElseThrow();
        }

        long lastBindingMicros() {
            return bound.values().stream()
                    .mapToLong(Request::answeredMicros)
                    .max()
                    .orElseThrow();
        }

        /** Returns the number of pods per second from the first creation to the last binding. */
        double boundPerSecond() {
            return bound.size() / seconds(lastBindingMicros() - firstMicros());
        }

        double createdPerSecond() {
            long last = created.values().stream()
                    .mapToLong(Request::answeredMicros)
                    .max()
                    .orElseThrow();
            return created.size() / seconds(last - firstMicros());
        }

        /** Returns a quantile of the times between the answers to the creation and to the binding of a pod. */
        double millisToBinding(double quantile) {
            long[] micros = bound.entrySet().stream()
                    .filter(each -> created.containsKey(each.getKey()))
                    .mapToLong(each -> each.getValue().answeredMicros()
                            - Objects.requireNonNull(created.get(each.getKey())).answeredMicros())
                    .sorted()
                    .toArray();
            return micros[(int) Math.ceil(quantile * micros.length) - 1] / THOUSAND;
        }

        /** Returns the number of requests of a program per pod. */
        double perPod(String agent) {
            return (double) all.stream()
                            .filter(each -> each.agent().equals(agent))
                            .count()
                    / bound.size();
        }
    }
}
