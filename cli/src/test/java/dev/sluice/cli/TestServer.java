package dev.sluice.cli;

import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.server.Daemon;
import dev.sluice.server.DaemonSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** A real server on a free port. */
final class TestServer implements AutoCloseable {

    private final Daemon daemon;
    private final HttpClient http = HttpClient.newHttpClient();

    private TestServer(Daemon daemon) {
        this.daemon = daemon;
    }

    /** One that runs the tasks itself, on a node with four slots and two queues. */
    static TestServer withNode(Path data) throws Exception {
        return new TestServer(Daemon.start(
                DaemonSettings.in(data)
                        .withNode(new DaemonSettings.OwnNode(
                                "default", "here", Resources.parse("slots", "4", "vcore", "4"), new TreeMap<>())),
                InstantSource.system(),
                ReplayListener.NONE));
    }

    /** One with this configuration and without a node, on which nothing ends of its own accord. */
    static TestServer withQueues(Path data, String queues) throws Exception {
        return new TestServer(Daemon.start(
                DaemonSettings.in(data)
                        .withConfiguration(QueueConfigurationReader.read("queues.yaml", queues)
                                .value()),
                InstantSource.system(),
                ReplayListener.NONE));
    }

    String address() {
        return "http://127.0.0.1:" + daemon.port();
    }

    /** The answer of the program to these arguments, asked about this server. */
    Program.Answer execute(String... arguments) {
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
        daemon.close();
    }
}
