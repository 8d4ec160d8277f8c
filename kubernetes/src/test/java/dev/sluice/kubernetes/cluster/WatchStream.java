package dev.sluice.kubernetes.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** The events of a watch, as messages of a WebSocket or as lines of an answer that does not end. */
final class WatchStream {

    /** How events are sent. */
    enum Transport {
        /** As messages of a WebSocket (RFC 6455), for which clients ask first. */
        SOCKET,
        /** As lines in chunks, where a proxy before the API server forwards no WebSockets. */
        LINES
    }

    private static final String ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int FINAL_TEXT = 0x81;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_16_MAX = 0xFFFF;

    private final Transport transport;
    private final OutputStream output;
    private volatile boolean frozen;

    private WatchStream(Transport transport, OutputStream output) {
        this.transport = transport;
        this.output = output;
    }

    /** Begins to answer the request of a watch. */
    static WatchStream begin(Transport transport, OutputStream output, String socketKey) throws IOException {
        String head = transport == Transport.SOCKET
                ? "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: " + acceptance(socketKey) + "\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
        output.write(head.getBytes(StandardCharsets.US_ASCII));
        output.flush();
        return new WatchStream(transport, output);
    }

    private static String acceptance(String socketKey) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1")
                    .digest((socketKey + ACCEPT_SUFFIX).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From now on nothing is sent, and the end that the client asks for is not answered. */
    void freeze() {
        frozen = true;
    }

    /** Waits until the client ends the watch, or its connection. */
    void awaitEnd(InputStream input) throws IOException {
        int received = input.read();
        while (frozen && received >= 0) {
            received = input.read();
        }
    }

    /** Sends an event. */
    void send(String event) throws IOException {
        if (frozen) {
            return;
        }
        output.write(transport == Transport.SOCKET ? frame(event) : chunk(event + "\n"));
        output.flush();
    }

    /** Sends the first half of an event, and ends the connection. */
    void sendHalf(String event) throws IOException {
        byte[] whole = transport == Transport.SOCKET ? frame(event) : chunk(event.substring(0, event.length() / 2));
        output.write(transport == Transport.SOCKET ? Arrays.copyOf(whole, whole.length / 2) : whole);
        output.flush();
        close();
    }

    private static byte[] frame(String event) throws IOException {
        byte[] text = event.getBytes(StandardCharsets.UTF_8);
        if (text.length > LENGTH_16_MAX) {
            throw new IOException("an event of " + text.length + " bytes is too long for a test");
        }
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(FINAL_TEXT);
        if (text.length < LENGTH_16) {
            frame.write(text.length);
        } else {
            frame.write(LENGTH_16);
            frame.writeBytes(
                    ByteBuffer.allocate(2).putShort((short) text.length).array());
        }
        frame.writeBytes(text);
        return frame.toByteArray();
    }

    private static byte[] chunk(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream chunk = new ByteArrayOutputStream();
        chunk.writeBytes((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        chunk.writeBytes(bytes);
        chunk.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        return chunk.toByteArray();
    }

    /** Ends the connection without a word. */
    void close() throws IOException {
        output.close();
    }
}
