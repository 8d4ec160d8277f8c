package dev.sluice.kubernetes.binding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Pods and bindings of an API server, with faults that a test asks for. */
final class FakeApiServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PODS = "/api/v1/namespaces/team-a/pods/";

    /** What happens to a request to bind. */
    enum Fault {
        /** It is answered with 429 and a delay of one second. */
        THROTTLED,
        /** It is answered with 500. */
        BROKEN,
        /** It is answered with 403. */
        FORBIDDEN,
        /** The connection is closed before it has an effect. */
        LOST,
        /** The connection is closed after it has had its effect. */
        ANSWER_LOST,
        /** The pod is bound to another node before, by somebody else. */
        OVERTAKEN
    }

    /** A pod as the server knows it; the node is empty while it is not bound. */
    private record Stored(String uid, String node) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Stored> pods = new ConcurrentHashMap<>();
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();

    /** The requests, such as {@code POST p} and {@code GET p}. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    FakeApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext(PODS, this::handle);
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

    void create(PodRef pod) {
        pods.put(pod.name(), new Stored(pod.uid(), ""));
    }

    void delete(PodRef pod) {
        pods.remove(pod.name());
    }

    void fail(Fault... next) {
        faults.addAll(List.of(next));
    }

    String nodeOf(PodRef pod) {
        return pods.getOrDefault(pod.name(), new Stored("", "")).node();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring(PODS.length());
        if (exchange.getRequestMethod().equals("POST") && path.endsWith("/binding")) {
            bind(exchange, path.substring(0, path.indexOf('/')));
        } else {
            get(exchange, path);
        }
    }

    private void bind(HttpExchange exchange, String name) throws IOException {
        JsonNode binding = JSON.readTree(exchange.getRequestBody());
        String node = binding.at("/target/name").asText();
        requests.add("POST " + name);
        Fault fault = faults.poll();
        if (fault == Fault.OVERTAKEN) {
            pods.computeIfPresent(name, (key, pod) -> new Stored(pod.uid(), "stolen"));
        }
        if (fault == Fault.LOST) {
            exchange.close();
        } else if (fault == Fault.THROTTLED) {
            answer(exchange, 429, status(429, ", \"details\": {\"retryAfterSeconds\": 1}"));
        } else if (fault == Fault.BROKEN) {
            answer(exchange, 500, status(500, ""));
        } else if (fault == Fault.FORBIDDEN) {
            answer(exchange, 403, status(403, ""));
        } else {
            int code = bind(name, binding.at("/metadata/uid").asText(), node);
            if (fault == Fault.ANSWER_LOST) {
                exchange.close();
            } else {
                answer(exchange, code, status(code, ""));
            }
        }
    }

    private synchronized int bind(String name, String uid, String node) {
        Stored pod = pods.get(name);
        if (pod == null) {
            return 404;
        }
        if (!pod.uid().equals(uid) || !pod.node().isEmpty()) {
            return 409;
        }
        pods.put(name, new Stored(uid, node));
        return 201;
    }

    private void get(HttpExchange exchange, String name) throws IOException {
        requests.add("GET " + name);
        Stored pod = pods.get(name);
        if (pod == null) {
            answer(exchange, 404, status(404, ""));
            return;
        }
        answer(exchange, 200, """
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"namespace": "team-a", "name": "%s", "uid": "%s"},
                 "spec": {"containers": [], "nodeName": "%s"}}""".formatted(name, pod.uid(), pod.node()));
    }

    private static String status(int code, String more) {
        return "{\"apiVersion\": \"v1\", \"kind\": \"Status\", \"code\": " + code + ", \"status\": \""
                + (code < 300 ? "Success" : "Failure") + "\", \"message\": \"because\"" + more + "}";
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
