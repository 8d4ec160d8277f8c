package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sends predefined responses in order; an empty response resets the connection after the request was read. */
public final class FakeServer implements AutoCloseable {

    /** Response that resets the connection. */
    public static final String RESET = "";

    private final ServerSocket socket;
    private final Deque<String> answers = new ArrayDeque<>();
    private final List<Request> requests = new ArrayList<>();
    private final Thread thread;

    /** A received request; header names are in lower case. */
    public record Request(String line, Map<String, String> headers, String body) {}

    /** @param answers the responses as sent over the wire */
    public FakeServer(String... answers) throws IOException {
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.answers.addAll(List.of(answers));
        this.thread = new Thread(this::serve, "fake-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns a response. */
    public static String answer(String status, String type, String body, String... headers) {
        return "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\nContent-Length: " + body.getBytes(UTF_8).length
                + "\r\nConnection: close\r\n"
                + String.join("", List.of(headers).stream().map(h -> h + "\r\n").toList())
                + "\r\n" + body;
    }

    /** Returns a problem response. */
    public static String problem(int status, String word, String detail, String... headers) {
        return answer(
                status + " x",
                "application/problem+json",
                "{\"type\":\"urn:sluice:problem:" + word + "\",\"title\":\"x\",\"status\":" + status + ",\"detail\":\""
                        + detail + "\"}",
                headers);
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    /** Returns the requests received so far. */
    public List<Request> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    private void serve() {
        while (!answers.isEmpty()) {
            try (Socket client = socket.accept()) {
                Request request = read(client);
                synchronized (requests) {
                    requests.add(request);
                }
                String answer = answers.remove();
                if (answer.equals(RESET)) {
                    client.setSoLinger(true, 0);
                } else {
                    client.getOutputStream().write(answer.getBytes(UTF_8));
                    client.getOutputStream().flush();
                }
            } catch (IOException e) {
                if (socket.isClosed()) {
                    return;
                }
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Request read(Socket client) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
        String first = reader.readLine();
        Map<String, String> headers = new LinkedHashMap<>();
        String line;
        while ((line = reader.readLine()) != null && !line.isEmpty()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        char[] body = new char[Integer.parseInt(headers.getOrDefault("content-length", "0"))];
        int read = 0;
        while (read < body.length) {
            read += reader.read(body, read, body.length - read);
        }
        return new Request(String.valueOf(first), headers, new String(body));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
