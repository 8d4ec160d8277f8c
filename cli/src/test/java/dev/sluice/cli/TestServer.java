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
 * A server of the packaged program on a free port. Commands are run within this JVM, which saves the start of one for each of them; that the
 * packaged program takes them all is what {@link EveryCommandTest} is for.
 */
final class TestServer implements AutoCloseable {

    private final ServerProcess process;
    private final HttpClient http = HttpClient.newHttpClient();

    private TestServer(ServerProcess process) {
        this.process = process;
    }

    /** One that runs the tasks itself, on a node with four slots. */
    static TestServer withNode(Path data) throws IOException {
        return new TestServer(ServerProcess.start(data, "--slots", "4"));
    }

    /** The same with this configuration. */
    static TestServer withNode(Path data, String queues) throws IOException {
        return new TestServer(ServerProcess.start(data, "--slots", "4", "--config", file(data, queues)));
    }

    private static String file(Path data, String queues) throws IOException {
        return Files.writeString(data.resolveSibling(data.getFileName() + "-queues.yaml"), queues)
                .toString();
    }

    /** One with this configuration and without a node, on which nothing ends of its own accord. */
    static TestServer withQueues(Path data, String queues) throws IOException {
        return new TestServer(ServerProcess.start(data, "--no-node", "--config", file(data, queues)));
    }

    String address() {
        return "http://127.0.0.1:" + process.port();
    }

    /** The answer of the program to these arguments, asked about this server. */
    Program.ProgramResult execute(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.add("--server");
        all.add(address());
        return Program.execute(all.toArray(String[]::new));
    }

    /** Sends something that the program has no command for. */
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
