package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection for one HTTP request: over TCP, encrypted if the address begins with {@code https:}, or over a Unix
 * socket, with an address such as {@code unix:/run/sluice/sluice.sock}.
 */
final class ServerConnection implements Closeable {

    /** The scheme of Unix sockets. */
    static final String UNIX = "unix";

    /** Maximum length of a header line. */
    static final int LINE_MAX = 64 << 10;

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final URI server;
    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    private ServerConnection(URI server, SocketChannel channel, InputStream in, OutputStream out) {
        this.server = server;
        this.channel = channel;
        this.in = new BufferedInputStream(in);
        this.out = out;
    }

    /** Makes encrypted connections. */
    @FunctionalInterface
    interface Tls {
        SSLSocketFactory sockets();
    }

    /**
     * Connects.
     *
     * @throws ConnectException if nobody listens there, or there is no answer in time
     * @throws UnknownHostException if the host is not found
     */
    static ServerConnection open(URI server, Tls tls, Duration limit) throws IOException {
        SocketAddress address = address(server);
        SocketChannel channel = address instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        try (TimeLimit time = TimeLimit.start(limit, channel)) {
            try {
                return open(server, tls, channel, address);
            } catch (IOException e) {
                throw time.hasExpired() ? new ConnectException("timed out") : e;
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static ServerConnection open(URI server, Tls tls, SocketChannel channel, SocketAddress address)
            throws IOException {
        try {
            boolean unused = channel.connect(address);
        } catch (IOException e) {
            throw connectException(e);
        }
        if ("https".equals(server.getScheme())) {
            SSLSocket socket = encrypted(server, channel, tls);
            return new ServerConnection(server, channel, socket.getInputStream(), socket.getOutputStream());
        }
        return new ServerConnection(
                server, channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }

    private static ConnectException connectException(IOException e) {
        ConnectException exception = new ConnectException(e.getMessage());
        exception.initCause(e);
        return exception;
    }

    /** Returns the path of a Unix socket, or null if the address is another one. */
    static @Nullable String socketPath(URI server) {
        return UNIX.equals(server.getScheme()) ? server.getSchemeSpecificPart() : null;
    }

    private static SocketAddress address(URI server) throws UnknownHostException {
        String path = socketPath(server);
        if (path != null) {
            return UnixDomainSocketAddress.of(path);
        }
        InetSocketAddress address = new InetSocketAddress(server.getHost(), port(server));
        if (address.isUnresolved()) {
            throw new UnknownHostException(server.getHost());
        }
        return address;
    }

    private static int port(URI server) {
        return server.getPort() >= 0 ? server.getPort() : "https".equals(server.getScheme()) ? HTTPS_PORT : HTTP_PORT;
    }

    private static SSLSocket encrypted(URI server, SocketChannel channel, Tls tls) throws IOException {
        SSLSocket socket =
                (SSLSocket) tls.sockets().createSocket(channel.socket(), server.getHost(), port(server), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate must be for this host
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /**
     * Sends a request and reads the response up to its body.
     *
     * @param path the path and query
     * @param body the body, or null
     */
    HttpReply send(String method, String path, Map<String, String> headers, @Nullable String body) throws IOException {
        StringBuilder head = new StringBuilder(method + " ");
        boolean unix = socketPath(server) != null;
        head.append(unix ? "" : server.getRawPath()).append(path).append(" HTTP/1.1\r\n");
        head.append("Host: ")
                .append(unix ? "localhost" : server.getRawAuthority())
                .append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        byte[] content = body == null ? new byte[0] : body.getBytes(UTF_8);
        if (body != null) {
            head.append("Content-Length: ").append(content.length).append("\r\n");
        }
        head.append("Connection: close\r\n\r\n");
        try {
            out.write(head.toString().getBytes(ISO_8859_1));
            out.write(content);
            out.flush();
        } catch (IOException e) {
            return answerToPartOfRequest(e);
        }
        return readReply();
    }

    /** A server may refuse a request before it has read the body. */
    private HttpReply answerToPartOfRequest(IOException failure) throws IOException {
        try {
            return readReply();
        } catch (IOException e) {
            throw failure;
        }
    }

    private HttpReply readReply() throws IOException {
        while (true) {
            String[] first = HttpBody.line(in).split(" ", 3);
            if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("[1-5][0-9][0-9]")) {
                throw new IOException("the response is not HTTP");
            }
            int status = Integer.parseInt(first[1]);
            Map<String, String> headers = readHeaders();
            if (status >= 200) {
                return new HttpReply(status, headers, body(status, headers));
            }
        }
    }

    private Map<String, String> readHeaders() throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        int length = 0;
        for (String line = HttpBody.line(in); !line.isEmpty(); line = HttpBody.line(in)) {
            int colon = line.indexOf(':');
            length += line.length();
            if (colon < 1 || length > LINE_MAX) {
                throw new IOException("malformed header");
            }
            headers.putIfAbsent(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private InputStream body(int status, Map<String, String> headers) throws IOException {
        if (status == 204 || status == 304) {
            return new HttpBody(in, false, 0, this);
        }
        String length = headers.getOrDefault("content-length", "-1");
        if (!length.matches("-1|[0-9]{1,18}")) {
            throw new EOFException("malformed length of the response");
        }
        boolean chunked = headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked");
        return new HttpBody(in, chunked, Long.parseLong(length), this);
    }

    /** Sends a request and reads the whole response; throws {@link SocketTimeoutException} after the time limit. */
    HttpReply sendAndReadAll(
            String method, String path, Map<String, String> headers, @Nullable String body, Duration limit)
            throws IOException {
        try (TimeLimit time = TimeLimit.start(limit, channel)) {
            try {
                HttpReply reply = send(method, path, headers, body);
                byte[] all = reply.body().readAllBytes();
                return new HttpReply(reply.status(), reply.headers(), new ByteArrayInputStream(all));
            } catch (IOException e) {
                throw time.hasExpired() ? new SocketTimeoutException("timed out") : e;
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
