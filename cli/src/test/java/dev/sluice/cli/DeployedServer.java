package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The packaged server in place of the container of the chart's Deployment, since simulated nodes run no containers: it
 * has the arguments of that container, with files and the database of this machine, and the token of its service
 * account.
 */
final class DeployedServer implements AutoCloseable {

    /** The files of the secret {@code tls.secretName}, in the folder of the server. */
    static final String CERTIFICATES = "tls";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern LISTENING = Pattern.compile("listening on https?://127\\.0\\.0\\.1:(\\d+)");

    private final ControlPlane cluster;
    private final Path folder;
    private final String database;
    private @Nullable Process process;
    private @Nullable JsonNode running;

    /**
     * Starts nothing yet.
     *
     * @param folder its files
     * @param database the address of the database, whatever the chart says
     */
    DeployedServer(ControlPlane cluster, Path folder, String database) {
        this.cluster = cluster;
        this.folder = folder;
        this.database = database;
    }

    Path socket() {
        return folder.resolve("sluice.sock");
    }

    private Path log() {
        return folder.resolve("server.log");
    }

    private JsonNode get(String... query) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-n", "sluice", "get", "-o", "json"));
        arguments.addAll(List.of(query));
        return JSON.readTree(cluster.kubectl(arguments.toArray(String[]::new)));
    }

    /** Starts the server as the Deployment says, or again if that has changed. */
    void follow() throws IOException, InterruptedException {
        JsonNode container = get("deployment", "sluice").at("/spec/template/spec/containers/0");
        if (container.equals(running)) {
            return;
        }
        stop();
        await("the Deployment has created a pod").atMost(PATIENCE).until(this::isUpdated);
        String pod = newestPod();
        Path kubeconfig = folder.resolve("kubeconfig-server");
        cluster.writeKubeconfig(kubeconfig, "sluice", "sluice");
        List<String> arguments = arguments(container.get("args"), pod);
        arguments.addAll(List.of("--kubeconfig", kubeconfig.toString(), "--port", "0"));
        if (arguments.contains("--lease")) {
            arguments.addAll(List.of("--lease-duration", "2m")); // on a busy machine nobody would start it again
        }
        Files.deleteIfExists(log());
        ProcessBuilder builder = PackagedProgram.process(arguments.toArray(String[]::new));
        builder.environment().put("HOSTNAME", pod);
        Process started =
                builder.redirectErrorStream(true).redirectOutput(log().toFile()).start();
        process = started;
        running = container;
        await("the server listens")
                .atMost(PATIENCE)
                .until(() -> LISTENING.matcher(Files.readString(log())).find() || !started.isAlive());
        assertThat(started.isAlive()).as(Files.readString(log())).isTrue();
    }

    private boolean isUpdated() throws IOException, InterruptedException {
        JsonNode deployment = get("deployment", "sluice");
        return deployment.at("/status/updatedReplicas").asInt(0) > 0
                && deployment.at("/status/observedGeneration").equals(deployment.at("/metadata/generation"));
    }

    private String newestPod() throws IOException, InterruptedException {
        JsonNode pods = get("pods", "-l", "app.kubernetes.io/name=sluice").get("items");
        return StreamSupport.stream(pods.spliterator(), false)
                .map(pod -> pod.get("metadata"))
                .filter(metadata -> !metadata.has("deletionTimestamp"))
                .max(Comparator.comparing(
                        metadata -> metadata.get("creationTimestamp").asString()))
                .orElseThrow()
                .get("name")
                .asString();
    }

    private List<String> arguments(JsonNode given, String pod) {
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            String argument = given.get(i).asString();
            String local = switch (argument) {
                case "--data" -> folder.resolve("data").toString();
                case "--socket" -> socket().toString();
                case "--database-url" -> database;
                case "--listen" -> "127.0.0.1";
                case "--lease-pod" -> pod;
                case "--tls-certificate", "--tls-key" ->
                    folder.resolve(CERTIFICATES)
                            .resolve(Path.of(given.get(i + 1).asString())
                                    .getFileName()
                                    .toString())
                            .toString();
                default -> null;
            };
            if (argument.equals("--password-file")) {
                i++; // the database of the test has no password
            } else {
                arguments.add(argument);
                if (local != null) {
                    arguments.add(local);
                    i++;
                }
            }
        }
        return arguments;
    }

    int port() throws IOException {
        Matcher listening = LISTENING.matcher(Files.readString(log()));
        assertThat(listening.find()).isTrue();
        return Integer.parseInt(listening.group(1));
    }

    void stop() {
        if (process != null) {
            process.destroy();
            process.onExit().join();
            process = null;
            running = null;
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }
}
