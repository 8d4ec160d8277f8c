package dev.sluice.cli;

import dev.sluice.cli.serve.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A packaged server on a free port. Commands run in this JVM, which is faster than a process each;
 * {@link EveryCommandTest} covers the packaged commands.
 */
final class TestServer implements AutoCloseable {

    private final ServerProcess process;
    private final HttpClient http = HttpClient.newHttpClient();

    private TestServer(ServerProcess process) {
        this.process = process;
    }

    /** Starts a server with a local node of four slots. */
    static TestServer withNode(Path data) throws IOException {
        return new TestServer(ServerProcess.start(data, "--slots", "4"));
    }

    /** Starts a server with a local node and a configuration. */
    static TestServer withNode(Path data, String queues) throws IOException {
        return new TestServer(ServerProcess.start(data, "--slots", "4", "--config", file(data, queues)));
    }

    private static String file(Path data, String queues) throws IOException {
        return Files.writeString(data.resolveSibling(data.getFileName() + "-queues.yaml"), queues)
                .toString();
    }

    /** Starts a server with a configuration and no node, so that tasks never end by themselves. */
    static TestServer withQueues(Path data, String queues) throws IOException {
        return new TestServer(ServerProcess.start(data, "--no-node", "--config", file(data, queues)));
    }

    String address() {
        return "http://127.0.0.1:" + process.port();
    }

    /** Runs a command against this server. */
    Program.ProgramResult execute(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        int end = all.indexOf("--");
        all.addAll(end < 0 ? all.size() : end, List.of("--server", address()));
        return Program.execute(all.toArray(String[]::new));
    }

    /** Sends a request that no command sends. */
    void post(String path, String json) throws Exception {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create(address() + "/api/v1" + path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IllegalStateException(response.body());
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
