package dev.sluice.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An API server with a node, a pod that fits there and one that does not. It accepts all requests. */
final class FakeCluster implements AutoCloseable {

    private static final Map<String, String> OBJECTS = Map.of(
            "nodes",
            "{\"metadata\": {\"name\": \"worker-1\", \"resourceVersion\": \"1\"}, \"spec\": {}, \"status\":"
                    + " {\"allocatable\": {\"cpu\": \"4\", \"memory\": \"8Gi\", \"pods\": \"10\"}, \"conditions\":"
                    + " [{\"type\": \"Ready\", \"status\": \"True\"}]}}",
            "pods",
            pod("large", 5) + "," + pod("small", 1));

    private static String pod(String name, int cores) {
        return "{\"metadata\": {\"name\": \"%s\", \"namespace\": \"default\", \"uid\": \"%s\",".formatted(name, name)
                + " \"resourceVersion\": \"1\"},"
                + " \"spec\": {\"schedulerName\": \"sluice\", \"containers\": [{\"name\": \"c\", \"resources\":"
                + " {\"requests\": {\"cpu\": \"%d\"}}}]}, \"status\": {\"phase\": \"Pending\"}}".formatted(cores);
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(step -> {
        Thread thread = new Thread(step, "fake-cluster");
        thread.setDaemon(true);
        return thread;
    });

    FakeCluster() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** Writes a file with which clients find the server. */
    Path kubeconfig(Path folder) {
        String text = """
                apiVersion: v1
                kind: Config
                current-context: fake
                clusters: [{name: fake, cluster: {server: "http://127.0.0.1:%d"}}]
                contexts: [{name: fake, context: {cluster: fake, user: fake}}]
                users: [{name: fake, user: {}}]
                """.formatted(server.getAddress().getPort());
        try {
            return Files.writeString(folder.resolve("kubeconfig"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        boolean isSocket = exchange.getRequestHeaders().containsKey("Upgrade"); // clients then try without
        if (!isSocket && exchange.getRequestMethod().equals("GET") && query.contains("watch=true")) {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0); // the watch stays open until the server is closed
            exchange.getResponseBody().flush();
            return;
        }
        if (exchange.getRequestMethod().equals("GET")) {
            String path = exchange.getRequestURI().getPath();
            String objects = OBJECTS.getOrDefault(path.substring(path.lastIndexOf('/') + 1), "");
            body = ("{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": [" + objects + "]}")
                    .getBytes(StandardCharsets.UTF_8);
        }
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
