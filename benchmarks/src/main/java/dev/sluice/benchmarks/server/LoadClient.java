package dev.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/**
 * Sends requests over many connections from one thread, to use little of the machine. Each connection has one request
 * in flight. With a rate, requests are due at fixed instants and latencies count from then, even if no connection was
 * free (open loop); without a rate, every connection sends as soon as possible (closed loop).
 */
final class LoadClient {

    private static final int ANSWER_MAX = 1 << 16;

    private final SocketAddress address;
    private final String header;
    private final String path;
    private final int connections;
    private final LongFunction<String> bodies;

    /**
     * Creates a client.
     *
     * @param bodies the request body by number of the request
     */
    LoadClient(int port, String path, int connections, LongFunction<String> bodies) {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), "", path, connections, bodies);
    }

    /**
     * Creates a client.
     *
     * @param address a TCP port or a Unix socket
     * @param header a header line with its end, or empty
     * @param bodies the request body by number of the request
     */
    LoadClient(SocketAddress address, String header, String path, int connections, LongFunction<String> bodies) {
        this.address = address;
        this.header = header;
        this.path = path;
        this.connections = connections;
        this.bodies = bodies;
    }

    /**
     * The result of a run.
     *
     * @param answered the number of successful requests
     * @param refused the number of other requests
     * @param seconds the duration
     * @param nanos latencies in nanoseconds, from when a request was due to its response
     */
    record Outcome(long answered, long refused, double seconds, Histogram nanos) {

        double perSecond() {
            return answered / seconds;
        }
    }

    private static final class Connection {
        final SocketChannel channel;
        final ByteBuffer in = ByteBuffer.allocate(ANSWER_MAX);
        long dueNanos;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }
    }

    /** Sends requests for this duration, starting with this number. */
    Outcome run(long first, double seconds, double ratePerSecond) throws IOException {
        Histogram histogram = new Histogram(3);
        List<Connection> all = new ArrayList<>();
        Deque<Connection> free = new ArrayDeque<>();
        long answered = 0;
        long refused = 0;
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < connections; i++) {
                SocketChannel channel = SocketChannel.open(address);
                if (address instanceof InetSocketAddress) {
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                channel.configureBlocking(false);
                Connection connection = new Connection(channel);
                channel.register(selector, SelectionKey.OP_READ, connection);
                all.add(connection);
                free.add(connection);
            }
            long began = System.nanoTime();
            long end = began + (long) (seconds * 1e9);
            long sent = 0;
            long now = began;
            while (now < end || free.size() < all.size()) {
                boolean sends = now < end;
                while (sends && !free.isEmpty()) {
                    long due = ratePerSecond > 0 ? began + (long) (sent * 1e9 / ratePerSecond) : now;
                    if (due > now) {
                        break;
                    }
                    send(free.remove(), first + sent, due);
                    sent++;
                }
                // requests due within the next millisecond are sent together, because a busy loop would take processor
                // time from the server
                selector.select(1);
                Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                while (keys.hasNext()) {
                    Connection connection = (Connection) keys.next().attachment();
                    keys.remove();
                    int status = receive(connection);
                    if (status > 0) {
                        histogram.recordValue(Math.max(0, System.nanoTime() - connection.dueNanos));
                        free.add(connection);
                        if (status < 300) {
                            answered++;
                        } else {
                            refused++;
                        }
                    }
                }
                now = System.nanoTime();
            }
            double took = (System.nanoTime() - began) / 1e9;
            for (Connection connection : all) {
                connection.channel.close();
            }
            return new Outcome(answered, refused, took, histogram);
        }
    }

    private void send(Connection connection, long number, long due) throws IOException {
        byte[] body = bodies.apply(number).getBytes(UTF_8);
        byte[] head = ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header
                        + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(head.length + body.length);
        out.put(head).put(body).flip();
        connection.dueNanos = due;
        while (out.hasRemaining()) {
            connection.channel.write(out);
        }
    }

    /** Returns the status of a complete response, or 0. */
    private static int receive(Connection connection) throws IOException {
        ByteBuffer in = connection.in;
        if (connection.channel.read(in) < 0) {
            throw new EOFException("the server closed a connection");
        }
        String text = US_ASCII.decode(in.duplicate().flip()).toString();
        int head = text.indexOf("\r\n\r\n");
        if (head < 0) {
            return 0;
        }
        int at = text.indexOf("Content-Length: ");
        int length = at < 0 || at > head ? 0 : Integer.parseInt(text.substring(at + 16, text.indexOf("\r\n", at)));
        if (in.position() < head + 4 + length) {
            return 0;
        }
        int status = Integer.parseInt(text.substring(9, 12));
        in.clear();
        return status;
    }
}
