package dev.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures what knowing the caller costs: durable submissions of one task per second, without credentials, with a
 * token, and over a Unix socket, alternating on one server.
 */
public final class CallerBenchmark {

    /** Name of the Unix socket in the data folder of the measured server. */
    static final String SOCKET = "callers.sock";

    private static final int CONNECTIONS = 128;
    private static final int WARM_UPS = 2;

    private CallerBenchmark() {}

    /** Runs the benchmark; the arguments are the seconds per measurement (5) and the number of rounds (5). */
    public static void main(String[] args) throws Exception {
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 5;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        Path data = Files.createTempDirectory("callers");
        SubmissionBenchmark.serve(data, (server, port, idlePort) -> measure(data, port, seconds, rounds));
    }

    private static void measure(Path data, int port, double seconds, int rounds) throws IOException {
        InetSocketAddress tcp = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Map<String, LoadClient> clients = new LinkedHashMap<>();
        clients.put("no credentials", client(tcp, ""));
        clients.put("token", client(tcp, "Authorization: Bearer " + token(port) + "\r\n"));
        clients.put("Unix socket", client(UnixDomainSocketAddress.of(data.resolve(SOCKET)), ""));
        Map<String, List<Double>> figures = new LinkedHashMap<>();
        long number = 0;
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (Map.Entry<String, LoadClient> client : clients.entrySet()) {
                LoadClient.Outcome outcome = client.getValue().run(number, seconds, 0);
                number += outcome.answered() + outcome.refused() + 1;
                System.err.printf(
                        Locale.ROOT,
                        "%-15s %,9.0f per second, %d refused%n",
                        client.getKey(),
                        outcome.perSecond(),
                        outcome.refused());
                if (round >= 0) {
                    figures.computeIfAbsent(client.getKey(), name -> new ArrayList<>())
                            .add(outcome.perSecond());
                }
            }
        }
        figures.forEach((name, values) -> {
            List<Double> sorted = values.stream().sorted().toList();
            System.out.printf(
                    Locale.ROOT,
                    "%-15s %,9.0f per second (%,.0f to %,.0f)%n",
                    name,
                    sorted.get(sorted.size() / 2),
                    sorted.get(0),
                    sorted.get(sorted.size() - 1));
        });
    }

    private static LoadClient client(java.net.SocketAddress address, String header) {
        return new LoadClient(
                address, header, SubmissionBenchmark.APPLICATIONS, CONNECTIONS, SubmissionBenchmark::single);
    }

    private static String token(int port) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/tokens"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"user\": \"bench\"}"))
                .build();
        try {
            String answer = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString(UTF_8))
                    .body();
            return answer.replaceAll("(?s).*\"token\" *: *\"([^\"]+)\".*", "$1");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
