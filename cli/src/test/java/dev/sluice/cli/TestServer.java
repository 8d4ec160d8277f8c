package dev.sluice.cli;

import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.RetryPolicy;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.client.Target;
import dev.sluice.cli.serve.ServerProcess;
import dev.sluice.server.route.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A packaged server, used over its Unix socket. Commands run in this JVM, which is faster than a process each;
 * {@link EveryCommandTest} covers the packaged commands.
 */
final class TestServer implements AutoCloseable {

    private final ServerProcess process;
    private final Path data;

    private TestServer(Path data, ServerProcess process) {
        this.data = data;
        this.process = process;
    }

    /** Starts a server with a local node of four slots. */
    static TestServer withNode(Path data) throws IOException {
        return new TestServer(data, ServerProcess.startSecure(data, "--slots", "4"));
    }

    /** Starts a server with a local node of four slots, a configuration and further options. */
    static TestServer withNode(Path data, String queues, String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--slots", "4", "--config", file(data, queues)));
        all.addAll(Arrays.asList(options));
        return new TestServer(data, ServerProcess.startSecure(data, all.toArray(String[]::new)));
    }

    private static String file(Path data, String queues) throws IOException {
        return Files.writeString(data.resolveSibling(data.getFileName() + "-queues.yaml"), queues)
                .toString();
    }

    /** Starts a server with a configuration and no node, so that tasks never end by themselves. */
    static TestServer withQueues(Path data, String queues) throws IOException {
        return new TestServer(data, ServerProcess.startSecure(data, "--no-node", "--config", file(data, queues)));
    }

    String address() {
        return "unix:" + data.resolve("sluice.sock");
    }

    int port() {
        return process.port();
    }

    /** Runs a command against this server. */
    Program.ProgramResult execute(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        int end = all.indexOf("--");
        all.addAll(end < 0 ? all.size() : end, List.of("--server", address()));
        return Program.execute(all.toArray(String[]::new));
    }

    /** Sends a request that no command sends. */
    void post(String path, String json) {
        new ServerClient(Target.address(address(), ""), "", null, () -> RetryPolicy.of(Duration.ofSeconds(30)))
                .send(ServerRequest.post(new ApiPath(Route.BASE + path), ServerRequest.JSON, json));
    }

    @Override
    public void close() {
        process.close();
    }
}
