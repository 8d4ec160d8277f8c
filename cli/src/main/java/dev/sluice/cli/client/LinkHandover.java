package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Leads a browser of this user to a secret link. Other users can read the command line with which a browser is started,
 * so that contains {@link #address} instead: there this process answers the first request of a process of the same user
 * with the link.
 */
public final class LinkHandover implements AutoCloseable {

    /** How long a connection may take to send its request; browsers also open some that they do not use. */
    private static final Duration REQUEST_MAX = Duration.ofSeconds(1);

    private static final int TOKEN_BYTES = 16;
    private static final int LINES_MAX = 200;

    private final String link;
    private final PeerUser user;
    private final String path;
    private final ServerSocket socket;

    /** Finds out whether the process at the other end of a connection is one of this user. */
    @FunctionalInterface
    public interface PeerUser {
        boolean isSame(InetSocketAddress peer, InetSocketAddress local) throws IOException;
    }

    /** Listens on the loopback address. */
    public LinkHandover(String link, PeerUser user) throws IOException {
        this.link = link;
        this.user = user;
        byte[] token = new byte[TOKEN_BYTES]; // keeps out pages that are open in the browser
        new SecureRandom().nextBytes(token);
        this.path = "/" + HexFormat.of().formatHex(token);
        this.socket = new ServerSocket(0, 0, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    }

    /** Returns the address for the command line of the browser. */
    public String address() {
        return "http://127.0.0.1:" + socket.getLocalPort() + path;
    }

    /** Waits until a browser has received the link; returns whether one has. */
    public boolean await(Duration timeout) throws IOException {
        long end = System.nanoTime() + timeout.toNanos();
        for (long left = timeout.toMillis();
                left > 0 && !socket.isClosed();
                left = (end - System.nanoTime()) / 1_000_000) {
            socket.setSoTimeout((int) left);
            try (Socket connection = socket.accept()) {
                if (answer(connection)) {
                    return true;
                }
            } catch (SocketTimeoutException | SocketException e) {
                // no connection, or one without a request or that was broken off: the next one
            }
        }
        return false;
    }

    private boolean answer(Socket connection) throws IOException {
        connection.setSoTimeout((int) REQUEST_MAX.toMillis());
        InetSocketAddress peer = (InetSocketAddress) connection.getRemoteSocketAddress();
        InetSocketAddress local = (InetSocketAddress) connection.getLocalSocketAddress();
        boolean isAsked = isAsked(connection) && user.isSame(peer, local);
        String status = isAsked ? "303 See Other\r\nLocation: " + link : "403 Forbidden";
        connection
                .getOutputStream()
                .write(("HTTP/1.1 " + status + "\r\nCache-Control: no-store\r\nContent-Length: 0\r\n"
                                + "Connection: close\r\n\r\n")
                        .getBytes(ISO_8859_1));
        return isAsked;
    }

    /** Reads a request; returns whether it is for the address. */
    private boolean isAsked(Socket connection) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(connection.getInputStream(), ISO_8859_1));
        String first = in.readLine();
        String line = first;
        for (int lines = 0; line != null && !line.isEmpty() && lines < LINES_MAX; lines++) {
            line = in.readLine();
        }
        return first != null && first.startsWith("GET " + path + " ");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
