package dev.sluice.kubernetes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A real API server with simulated nodes; see {@code kubernetes/test-cluster/up}. */
public final class TestCluster implements AutoCloseable {

    private static final String KUBECONFIG = "  export KUBECONFIG=";

    private final Process process;
    private final BufferedReader output;
    private final Config config;

    private TestCluster(Process process) throws IOException {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
        List<String> printed = new ArrayList<>();
        String line;
        while ((line = output.readLine()) != null && !line.startsWith(KUBECONFIG)) {
            printed.add(line);
        }
        if (line == null) {
            throw new IOException("the cluster does not start:\n" + String.join("\n", printed));
        }
        config = Config.fromKubeconfig(
                Path.of(line.substring(KUBECONFIG.length())).toFile());
        config.setRequestRetryBackoffLimit(0);
    }

    /** Starts a cluster; skips the test where its programs have not been built. */
    public static TestCluster start(int nodes) throws IOException {
        Path up = Path.of("test-cluster", "up").toAbsolutePath();
        String folder = System.getenv("SLUICE_TEST_CLUSTER");
        Path programs = folder == null
                ? Path.of(System.getProperty("user.home"), ".cache", "sluice-test-cluster")
                : Path.of(folder);
        for (String program : Arrays.asList("etcd", "kube-apiserver", "kwok")) {
            assumeTrue(
                    Files.isExecutable(programs.resolve(program)),
                    program + " is not in " + programs + ": run " + up + " --build --nodes 1");
        }
        return new TestCluster(new ProcessBuilder(up.toString(), "--nodes", String.valueOf(nodes))
                .redirectErrorStream(true)
                .start());
    }

    /** Returns a new client of an administrator. */
    public KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
        output.close();
    }
}
