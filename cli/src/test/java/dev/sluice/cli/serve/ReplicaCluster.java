package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.cli.PackagedProgram;
import dev.sluice.server.testing.RestartableDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real API server with simulated nodes, a PostgreSQL server, and accounts for servers that schedule its pods as
 * replicas. The API server can be killed, and is started again.
 */
final class ReplicaCluster implements AutoCloseable {

    static final JsonMapper JSON = JsonMapper.builder().build();

    /** The lease of the servers, in seconds. */
    static final int LEASE_SECONDS = 5;

    private static final String ACCOUNT = "system:serviceaccount:default:";
    private static final Path UP = PackagedProgram.REPOSITORY.resolve("kubernetes/test-cluster/up");

    private final Path folder;
    private final Path programs;
    private final Process up;
    private final RestartableDatabase database;

    /** Starts all but the servers; skips the test where the programs of the cluster have not been built. */
    ReplicaCluster(Path folder, int nodes) throws IOException, InterruptedException {
        this.folder = folder;
        String given = System.getenv("SLUICE_TEST_CLUSTER");
        programs = given == null
                ? Path.of(System.getProperty("user.home"), ".cache", "sluice-test-cluster")
                : Path.of(given);
        for (String program : List.of("etcd", "kube-apiserver", "kwok", "kubectl")) {
            assumeTrue(
                    Files.isExecutable(programs.resolve(program)),
                    program + " is not in " + programs + ": run " + UP + " --build --nodes 1 --kubectl");
        }
        up = new ProcessBuilder(
                        UP.toString(),
                        "--nodes",
                        String.valueOf(nodes),
                        "--kubeconfig",
                        kubeconfig("admin").toString(),
                        "--audit",
                        audit().toString(),
                        "--restart",
                        hold().toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader output = up.inputReader(StandardCharsets.UTF_8);
        String line = output.readLine();
        while (line != null && !line.startsWith("ready: ")) {
            line = output.readLine();
        }
        assertThat(line).as("the cluster starts").isNotNull();
        database = new RestartableDatabase(folder.resolve("database"));
    }

    private Path kubeconfig(String account) {
        return folder.resolve("kubeconfig-" + account);
    }

    private Path audit() {
        return folder.resolve("audit");
    }

    /** Returns the file that prevents the start of a killed API server. */
    Path hold() {
        return folder.resolve("hold");
    }

    RestartableDatabase database() {
        return database;
    }

    String kubectl(String... arguments) throws IOException, InterruptedException {
        return kubectlReading("", arguments);
    }

    /** Executes kubectl; returns its output and errors. */
    String kubectlReading(String input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                programs.resolve("kubectl").toString(),
                "--kubeconfig",
                kubeconfig("admin").toString()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return text;
    }

    /** Creates the account of a replica. */
    void addReplica(String name) throws IOException, InterruptedException {
        assertThat(kubectl("create", "serviceaccount", name)).contains("created");
        assertThat(kubectl(
                        "create",
                        "clusterrolebinding",
                        name,
                        "--clusterrole=cluster-admin",
                        "--serviceaccount=default:" + name))
                .contains("created");
        String token = kubectl("create", "token", name, "--duration", "10h").strip();
        String config = Files.readString(kubeconfig("admin"));
        Files.writeString(
                kubeconfig(name),
                config.replaceFirst("user: \\{token: \"[^\"]*\"}", "user: {token: \"" + token + "\"}"));
    }

    /** Starts the server of a replica. */
    ServerProcess begin(String name, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--no-node",
                "--kubernetes",
                "--kubeconfig",
                kubeconfig(name).toString(),
                "--config-namespace",
                "default",
                "--database-url",
                database.address(),
                "--lease",
                "sluice",
                "--lease-duration",
                LEASE_SECONDS + "s"));
        arguments.addAll(List.of(more));
        return ServerProcess.begin(folder.resolve(name), arguments.toArray(String[]::new));
    }

    private ProcessHandle program(String name) {
        return up.descendants()
                .filter(each -> each.info().command().orElse("").endsWith("/" + name))
                .findFirst()
                .orElseThrow();
    }

    /** Kills the API server, which is started again at once unless it is held. */
    void killApiServer() {
        ProcessHandle server = program("kube-apiserver");
        server.destroyForcibly();
        server.onExit().join();
    }

    boolean isReady() throws IOException, InterruptedException {
        return kubectl("get", "--raw", "/readyz").equals("ok");
    }

    /** Returns all pods. */
    List<JsonNode> pods() throws IOException, InterruptedException {
        JsonNode list = JSON.readTree(kubectl("get", "pods", "-o", "json"));
        List<JsonNode> pods = new ArrayList<>();
        list.get("items").forEach(pods::add);
        return pods;
    }

    /** Returns what the API server has answered, in the order of its audit log. */
    List<ApiRequest> requests() throws IOException {
        List<ApiRequest> requests = new ArrayList<>();
        for (String line : Files.readAllLines(audit())) {
            if (!line.endsWith("}")) {
                continue; // the API server was killed while it wrote it
            }
            JsonNode entry = JSON.readTree(line);
            if (entry.get("stage").asString().equals("ResponseComplete")) {
                requests.add(ApiRequest.of(entry));
            }
        }
        return requests;
    }

    static boolean isOf(String replica, ApiRequest request) {
        return request.user().equals(ACCOUNT + replica);
    }

    @Override
    public void close() throws IOException {
        database.close();
        up.destroy();
        up.onExit().join();
    }
}
