package dev.sluice.kubernetes.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.kubernetes.translation.PodVolumes;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Claims of namespace {@code team-a} on an API server, with a provisioner, and with faults that a test asks for. */
final class FakeClaims implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CLAIMS = "/api/v1/namespaces/team-a/persistentvolumeclaims/";

    /** What happens to a claim that is annotated. */
    enum Provisioner {
        NOTHING,
        BIND,
        REFUSE,
        DELETE
    }

    private final HttpServer server;
    private final Map<String, ObjectNode> claims = new ConcurrentHashMap<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private int created;

    /** The methods of the requests. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    volatile Provisioner provisioner = Provisioner.NOTHING;

    FakeClaims() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(CLAIMS, this::handle);
        server.start();
    }

    KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    void create(String name) {
        created++;
        ObjectNode claim = JSON.createObjectNode();
        claim.putObject("metadata")
                .put("name", name)
                .put("uid", "c" + created)
                .put("resourceVersion", "1")
                .putObject("annotations");
        claim.putObject("spec");
        claims.put(name, claim);
    }

    /** Answers the next requests with these status codes instead; 200 is none, {@code lost} closes the connection. */
    void fail(String... next) {
        faults.addAll(List.of(next));
    }

    void annotate(String name, String node) {
        annotations(name).put(PodVolumes.SELECTED_NODE, node);
    }

    void bind(String name) {
        claim(name).withObject("/spec").put("volumeName", "pv-" + name);
        annotations(name).put("pv.kubernetes.io/bind-completed", "yes");
    }

    void markDeleted(String name) {
        claim(name).withObject("/metadata").put("deletionTimestamp", "2026-01-01T12:00:00Z");
    }

    String selected(String name) {
        return annotations(name).path(PodVolumes.SELECTED_NODE).asText();
    }

    private ObjectNode claim(String name) {
        return Objects.requireNonNull(claims.get(name));
    }

    private ObjectNode annotations(String name) {
        return claim(name).withObject("/metadata/annotations");
    }

    private void handle(HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring(CLAIMS.length());
        JsonNode body = JSON.readTree(exchange.getRequestBody());
        requests.add(exchange.getRequestMethod());
        String fault = faults.isEmpty() ? "200" : faults.remove();
        ObjectNode claim = claims.get(name);
        if (fault.equals("lost") && claim != null) {
            patch(name, claim, body);
            exchange.close();
        } else if (!fault.equals("200")) {
            answer(exchange, Integer.parseInt(fault), status());
        } else if (claim == null) {
            answer(exchange, 404, status());
        } else if (exchange.getRequestMethod().equals("PATCH") && !isOf(claim, body)) {
            answer(exchange, 409, status());
        } else {
            patch(name, claim, body);
            answer(exchange, 200, claim);
        }
    }

    private static boolean isOf(ObjectNode claim, JsonNode patch) {
        return claim.at("/metadata/uid").equals(patch.at("/metadata/uid"))
                && claim.at("/metadata/resourceVersion").equals(patch.at("/metadata/resourceVersion"));
    }

    private void patch(String name, ObjectNode claim, JsonNode patch) {
        String node =
                patch.at("/metadata/annotations").path(PodVolumes.SELECTED_NODE).asText();
        if (claim == null || node.isEmpty()) {
            return;
        }
        annotate(name, node);
        switch (provisioner) {
            case BIND -> bind(name);
            case REFUSE -> annotations(name).remove(PodVolumes.SELECTED_NODE);
            case DELETE -> claims.remove(name);
            default -> {}
        }
    }

    private static ObjectNode status() {
        return JSON.createObjectNode().put("kind", "Status").put("message", "because");
    }

    private static void answer(HttpExchange exchange, int code, ObjectNode body) throws IOException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
