package dev.sluice.benchmarks.kubernetes;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An API server with etcd and simulated nodes; see {@code kubernetes/test-cluster/up}. */
final class ControlPlane implements AutoCloseable {

    private static final Path UP = Path.of("kubernetes/test-cluster/up");

    private final Process process;
    private final Path kubeconfig;
    private final AuditLog audit;
    private final ApiClient client;
    private int nodes = 1;

    private ControlPlane(Process process, Path kubeconfig, Path audit) throws IOException {
        this.process = process;
        this.kubeconfig = kubeconfig;
        this.audit = new AuditLog(audit);
        this.client = new ApiClient(kubeconfig);
    }

    /** Starts it with one node and these namespaces. */
    static ControlPlane start(Path folder, List<String> namespaces) throws IOException, InterruptedException {
        Path kubeconfig = folder.resolve("kubeconfig");
        // the API server appends to a file that exists, so it can be emptied
        Path audit = Files.createFile(folder.resolve("audit.log"));
        Process process = new ProcessBuilder(
                        UP.toString(),
                        "--nodes",
                        "1",
                        "--lease-seconds",
                        "0",
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--audit",
                        audit.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String line = output.readLine();
        while (line != null && !line.startsWith("ready: ")) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException("the cluster does not start");
        }
        ControlPlane started = new ControlPlane(process, kubeconfig, audit);
        for (String namespace : namespaces) {
            started.client
                    .send("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}")
                    .join();
        }
        return started;
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    AuditLog audit() {
        return audit;
    }

    ApiClient client() {
        return client;
    }

    int nodes() {
        return nodes;
    }

    /** Adds nodes of 16 cores. */
    void growTo(int count) throws InterruptedException {
        List<CompletableFuture<Void>> sent = new ArrayList<>();
        for (; nodes < count; nodes++) {
            String node = """
                    {"apiVersion": "v1", "kind": "Node",
                     "metadata": {"name": "node-%1$d",
                         "labels": {"kubernetes.io/hostname": "node-%1$d", "kubernetes.io/os": "linux"}},
                     "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110"},
                                "capacity": {"cpu": "16", "memory": "64Gi", "pods": "110"}}}
                    """.formatted(nodes);
            sent.add(client.send("POST", "/api/v1/nodes", node));
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
    }

    /** Returns the process of a program. */
    ProcessHandle process(String program) throws IOException {
        return process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith("/" + program))
                .findFirst()
                .orElseThrow(() -> new IOException(program + " does not run"));
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
