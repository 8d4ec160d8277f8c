package dev.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Reads an event stream on its own thread. */
final class StreamReader implements AutoCloseable {

    private final Socket socket;
    private final Thread thread = new Thread(this::read, "stream reader");
    private final List<Long> ids = new CopyOnWriteArrayList<>();
    private final List<String> types = new CopyOnWriteArrayList<>();
    private final List<String> comments = new CopyOnWriteArrayList<>();
    private volatile @Nullable String status;

    StreamReader(int port, String query, String header) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        String request = "GET /api/v1/events/stream" + query + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Accept: text/event-stream\r\n" + header + "\r\n";
        socket.getOutputStream().write(request.getBytes(UTF_8));
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            String id = "";
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("HTTP/1.1 ")) {
                    status = line.substring(9, 12);
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    types.add(line.substring(7));
                } else if (line.startsWith("data: ") && !id.isEmpty()) {
                    ids.add(Long.parseLong(id));
                } else if (line.startsWith(": ")) {
                    comments.add(line);
                }
            }
        } catch (IOException e) {
            comments.add("ended: " + e);
        }
    }

    @Nullable String status() {
        return status;
    }

    List<Long> ids() {
        return ids;
    }

    List<String> types() {
        return types;
    }

    List<String> comments() {
        return comments;
    }

    boolean hasEnded() {
        return !thread.isAlive();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
