package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
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

    private final ServerSocketChannel socket;
    private final URI address;
    private final Deque<String> answers = new ArrayDeque<>();
    private final List<Request> requests = new ArrayList<>();
    private final Thread thread;

    /** A received request; header names are in lower case. */
    public record Request(String line, Map<String, String> headers, String body) {}

    /** @param answers the responses as sent over the wire */
    public FakeServer(String... answers) throws IOException {
        this(ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), answers);
    }

    private FakeServer(ServerSocketChannel socket, String... answers) throws IOException {
        this.socket = socket;
        this.address = socket.getLocalAddress() instanceof InetSocketAddress local
                ? URI.create("http://127.0.0.1:" + local.getPort())
                : Target.address("unix:" + socket.getLocalAddress(), "");
        this.answers.addAll(List.of(answers));
        this.thread = new Thread(this::serve, "fake-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Starts a server on a Unix socket. */
    static FakeServer onSocket(Path path, String... answers) throws IOException {
        return new FakeServer(
                ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path)), answers);
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
        return address;
    }

    /** Returns the requests received so far. */
    public List<Request> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    private void serve() {
        while (!answers.isEmpty()) {
            try (SocketChannel client = socket.accept()) {
                Request request = read(client);
                synchronized (requests) {
                    requests.add(request);
                }
                String answer = answers.remove();
                if (answer.equals(RESET)) {
                    client.setOption(StandardSocketOptions.SO_LINGER, 0);
                } else {
                    Channels.newOutputStream(client).write(answer.getBytes(UTF_8));
                }
            } catch (IOException e) {
                if (!socket.isOpen()) {
                    return;
                }
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Request read(SocketChannel client) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(Channels.newInputStream(client), UTF_8));
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
