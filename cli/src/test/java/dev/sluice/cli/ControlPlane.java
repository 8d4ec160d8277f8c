package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A real Kubernetes API server with simulated nodes, and kubectl; see {@code kubernetes/test-cluster/up}. */
public final class ControlPlane implements AutoCloseable {

    private static final Path UP = PackagedProgram.REPOSITORY.resolve("kubernetes/test-cluster/up");

    /** The options of {@code up} for which further programs must have been built. */
    private static final Map<String, String> PROGRAMS =
            Map.of("--controllers", "kube-controller-manager", "--helm", "helm");

    private static final Pattern READY = Pattern.compile("ready: .*, logs in (.*)");

    private final Path kubeconfig;
    private final Path folder;
    private final Process up;

    /**
     * Starts a cluster; skips the test where its programs have not been built.
     *
     * @param kubeconfig the file for the credentials of an administrator
     * @param options further options of {@code up}
     */
    public ControlPlane(Path kubeconfig, int nodes, String... options) throws IOException {
        this.kubeconfig = kubeconfig;
        List<String> needed = new ArrayList<>(List.of("etcd", "kube-apiserver", "kwok", "kubectl"));
        for (String option : options) {
            if (PROGRAMS.containsKey(option)) {
                needed.add(PROGRAMS.get(option));
            }
        }
        for (String program : needed) {
            assumeTrue(
                    Files.isExecutable(programs().resolve(program)),
                    program + " is not in " + programs() + ": run " + UP
                            + " --build --nodes 1 --controllers --kubectl --helm");
        }
        List<String> command = new ArrayList<>(List.of(
                UP.toString(), "--nodes", String.valueOf(nodes), "--kubeconfig", kubeconfig.toString(), "--kubectl"));
        command.addAll(Arrays.asList(options));
        up = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader output = up.inputReader(StandardCharsets.UTF_8);
        String line = output.readLine();
        while (line != null && !READY.matcher(line).matches()) {
            line = output.readLine();
        }
        assertThat(line).as("the cluster starts").isNotNull();
        folder = Path.of(READY.matcher(line).replaceFirst("$1"));
    }

    /** Returns the folder of the programs. */
    public static Path programs() {
        String given = System.getenv("SLUICE_TEST_CLUSTER");
        return given == null
                ? Path.of(System.getProperty("user.home"), ".cache", "sluice-test-cluster")
                : Path.of(given);
    }

    /** Executes kubectl as administrator; returns its output and errors. */
    public String kubectl(String... arguments) throws IOException, InterruptedException {
        return kubectlReading("", arguments);
    }

    /** Executes kubectl as administrator with this standard input; returns its output and errors. */
    public String kubectlReading(String input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(programs().resolve("kubectl").toString(), "--kubeconfig", kubeconfig.toString()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return text;
    }

    /** Writes a kubeconfig file with the token of a service account, whose namespace is that of its context. */
    public void writeKubeconfig(Path file, String namespace, String account) throws IOException, InterruptedException {
        String token = kubectl("-n", namespace, "create", "token", account, "--duration", "10h")
                .strip();
        Files.writeString(
                file,
                Files.readString(kubeconfig)
                        .replaceFirst("user: \\{token: \"[^\"]*\"}", "user: {token: \"" + token + "\"}")
                        .replace("user: admin}", "user: admin, namespace: " + namespace + "}"));
    }

    /** Adds a line to the logs of all containers. */
    public void log(String line) throws IOException {
        Files.writeString(
                folder.resolve("container-log"),
                "2026-01-01T00:00:00Z stdout F " + line + "\n",
                StandardOpenOption.APPEND);
    }

    /** Kills the API server; {@code up} starts it again if it was started with {@code --restart}. */
    public void killApiServer() {
        ProcessHandle server = up.descendants()
                .filter(each -> each.info().command().orElse("").endsWith("/kube-apiserver"))
                .findFirst()
                .orElseThrow();
        server.destroyForcibly();
        server.onExit().join();
    }

    @Override
    public void close() {
        up.destroy();
        up.onExit().join();
    }
}
