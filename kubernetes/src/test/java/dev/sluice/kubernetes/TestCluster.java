package dev.sluice.kubernetes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A real API server with simulated nodes; see {@code kubernetes/test-cluster/up}. */
public final class TestCluster implements AutoCloseable {

    private static final String KUBECONFIG = "  export KUBECONFIG=";

    private static final Path UP = Path.of("test-cluster", "up").toAbsolutePath();

    private final Process process;
    private final BufferedReader output;
    private final Config config;
    private final Path folder;

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
        Path kubeconfig = Path.of(line.substring(KUBECONFIG.length()));
        folder = kubeconfig.resolveSibling("");
        config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setRequestRetryBackoffLimit(0);
    }

    /**
     * Starts a cluster; skips the test where its programs have not been built.
     *
     * @param options further options of {@code up}
     */
    public static TestCluster start(int nodes, String... options) throws IOException {
        for (String program : Arrays.asList("etcd", "kube-apiserver", "kwok")) {
            program(program, "--nodes 1");
        }
        List<String> command = new ArrayList<>(List.of(UP.toString(), "--nodes", String.valueOf(nodes)));
        command.addAll(Arrays.asList(options));
        if (command.contains("--controllers")) {
            program("kube-controller-manager", "--controllers");
        }
        return new TestCluster(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Returns the path of a program; skips the test if it has not been built, which this option does. */
    static Path program(String name, String option) {
        String folder = System.getenv("SLUICE_TEST_CLUSTER");
        Path programs = folder == null
                ? Path.of(System.getProperty("user.home"), ".cache", "sluice-test-cluster")
                : Path.of(folder);
        Path program = programs.resolve(name);
        assumeTrue(Files.isExecutable(program), name + " is not in " + programs + ": run " + UP + " --build " + option);
        return program;
    }

    /** Returns a new client of an administrator. */
    public KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Returns the address of the API server. */
    public InetSocketAddress address() {
        URI server = URI.create(config.getMasterUrl());
        return new InetSocketAddress(server.getHost(), server.getPort());
    }

    /** Returns a new client of an administrator that connects to a proxy at this port of this machine. */
    public KubernetesClient clientThrough(int port, Interceptor interceptor) {
        Config other = new ConfigBuilder(config)
                .withMasterUrl("https://127.0.0.1:" + port)
                .build();
        return new KubernetesClientBuilder()
                .withConfig(other)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("test", interceptor))
                .build();
    }

    /** Adds a line to the logs of all containers. */
    public void log(String line) throws IOException {
        Files.writeString(
                folder.resolve("container-log"),
                "2026-01-01T00:00:00Z stdout F " + line + "\n",
                StandardOpenOption.APPEND);
    }

    /** Removes the history of all objects from etcd, so that no watch can begin before now. */
    public void compact() throws IOException, InterruptedException {
        JsonNode latest = etcd("range", "{\"key\": \"AA==\"}");
        etcd("compaction", "{\"physical\": true, \"revision\": " + latest.at("/header/revision") + "}");
    }

    private JsonNode etcd(String action, String body) throws IOException, InterruptedException {
        String url = Files.readString(folder.resolve("etcd-url")).strip();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/v3/kv/" + action))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (answer.statusCode() != 200) {
            throw new IOException("etcd answers " + answer.statusCode() + ": " + answer.body());
        }
        return new ObjectMapper().readTree(answer.body());
    }

    /** Kills the API server, which {@code up} starts again if it was started with {@code --restart}. */
    public void killApiServer() {
        ProcessHandle server = process.descendants()
                .filter(each -> each.info().command().orElse("").endsWith("/kube-apiserver"))
                .findFirst()
                .orElseThrow();
        server.destroyForcibly();
        server.onExit().join();
    }

    /** Returns a new client of who has this token. */
    public KubernetesClient client(String token) {
        Config other = new ConfigBuilder(Config.empty())
                .withMasterUrl(config.getMasterUrl())
                .withCaCertFile(config.getCaCertFile())
                .withOauthToken(token)
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(other).build();
    }

    /** Returns a new client of a user, whom the administrator impersonates. */
    public KubernetesClient clientOf(String user, String... groups) {
        Config other = new ConfigBuilder(config)
                .withImpersonateUsername(user)
                .withImpersonateGroups(groups)
                .build();
        return new KubernetesClientBuilder().withConfig(other).build();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
        output.close();
    }
}
