package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ControlPlane;
import dev.sluice.server.testing.RestartableDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private final Path folder;
    private final ControlPlane api;
    private final RestartableDatabase database;

    /** Starts all but the servers; skips the test where the programs of the cluster have not been built. */
    ReplicaCluster(Path folder, int nodes) throws IOException, InterruptedException {
        this.folder = folder;
        api = new ControlPlane(
                kubeconfig("admin"), nodes, "--audit", audit().toString(), "--restart", hold().toString());
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
        return api.kubectl(arguments);
    }

    String kubectlReading(String input, String... arguments) throws IOException, InterruptedException {
        return api.kubectlReading(input, arguments);
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
        api.writeKubeconfig(kubeconfig(name), "default", name);
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

    /** Kills the API server, which is started again at once unless it is held. */
    void killApiServer() {
        api.killApiServer();
    }

    boolean isReady() throws IOException, InterruptedException {
        return kubectl("get", "--raw", "/readyz").equals("ok");
    }

    /** Returns the pods of all namespaces. */
    List<JsonNode> pods() throws IOException, InterruptedException {
        JsonNode list = JSON.readTree(kubectl("get", "pods", "--all-namespaces", "-o", "json"));
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
        api.close();
    }
}
