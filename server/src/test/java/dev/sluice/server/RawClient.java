package dev.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** Writes arbitrary bytes to a port and reads the response. */
public final class RawClient implements AutoCloseable {

    private final Socket socket;

    public RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
    }

    public RawClient write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
        socket.getOutputStream().flush();
        return this;
    }

    /** Reads until this text has been received. */
    public void readUntil(String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(end) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("the connection ended after " + read);
            }
            read.append((char) next);
        }
    }

    /** Reads until the server closes the connection. */
    public String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    /** Sends a request that ends the connection and reads the response. */
    public static String ask(int port, String request) throws IOException {
        try (RawClient client = new RawClient(port)) {
            return client.write(request).readAll();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
