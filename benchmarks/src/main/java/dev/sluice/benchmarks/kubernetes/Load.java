package dev.sluice.benchmarks.kubernetes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Creates and deletes pods: ten per application, and the applications in a hundred namespaces, one after the other. */
final class Load {

    /** The namespaces, each of which has a queue of its own. */
    static final List<String> NAMESPACES =
            IntStream.range(0, 100).mapToObj(i -> "queue-" + i).toList();

    private static final int APPLICATION = 10;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final ControlPlane cluster;
    private int batches;

    Load(ControlPlane cluster) {
        this.cluster = cluster;
    }

    /**
     * Creates pods, and waits until all of them run.
     *
     * @param scheduler the name of the scheduler that binds them; empty: they are bound here, without deciding
     * @param perSecond how many are created per second; 0 for as many as possible
     * @return the requests meanwhile
     */
    List<AuditLog.Request> run(SchedulerProcess process, String scheduler, int pods, double perSecond)
            throws IOException, InterruptedException {
        cluster.audit().poll();
        cluster.audit().take();
        String prefix = "b" + batches;
        batches++;
        List<CompletableFuture<Void>> sent = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < pods; i++) {
            if (perSecond > 0) {
                sleepUntil(begin + (long) (i / perSecond * 1e9));
            }
            sent.add(create(prefix, i, scheduler));
            if (i % 1000 == 999) {
                cluster.audit().poll();
            }
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
        await(process, pods, pods);
        return cluster.audit().take();
    }

    /** Creates a pod without waiting for its binding. */
    void createOne(String scheduler) throws InterruptedException {
        create("one" + batches, 0, scheduler).join();
        batches++;
    }

    private CompletableFuture<Void> create(String prefix, int i, String scheduler) throws InterruptedException {
        int application = i / APPLICATION;
        String namespace = NAMESPACES.get(application % NAMESPACES.size());
        String path = "/api/v1/namespaces/" + namespace + "/pods";
        String name = prefix + "-" + application + "-" + i % APPLICATION;
        String pod = """
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"name": "%s", "labels": {"sluice.dev/application": "%s-%d"}},
                 "spec": {"schedulerName": "%s", "restartPolicy": "Never", "terminationGracePeriodSeconds": 0,
                     "containers": [{"name": "main", "image": "none",
                         "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}}}]}}
                """.formatted(name, prefix, application, scheduler.isEmpty() ? "nobody" : scheduler);
        if (!scheduler.isEmpty()) {
            return cluster.client().send("POST", path, pod);
        }
        String binding = """
                {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "%s"},
                 "target": {"apiVersion": "v1", "kind": "Node", "name": "node-%d"}}
                """.formatted(name, i % cluster.nodes());
        return cluster.client().send(path, pod, path + "/" + name + "/binding", binding);
    }

    /** Waits until so many pods have been bound, and so many run, since the requests were taken. */
    void await(SchedulerProcess process, int bindings, int running) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        AuditLog audit = cluster.audit();
        audit.poll();
        while (audit.bindings() < bindings || audit.statuses() < running) {
            if (System.nanoTime() - end > 0 || !process.isAlive()) {
                throw new IOException((process.isAlive() ? "after five minutes " : "the scheduler has ended: ")
                        + audit.bindings() + " of " + bindings + " pods are bound, and " + audit.statuses() + " of "
                        + running + " run");
            }
            sleepUntil(System.nanoTime() + POLL_NANOS);
            audit.poll();
        }
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Deletes all pods, and forgets the requests so far. */
    void deleteAll() throws IOException, InterruptedException {
        List<CompletableFuture<Void>> sent = new ArrayList<>();
        for (String namespace : NAMESPACES) {
            sent.add(cluster.client().send("DELETE", "/api/v1/namespaces/" + namespace + "/pods", null));
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
        cluster.audit().truncate();
    }
}
