package dev.sluice.server.http;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection that recognizes a HEAD request even if its request line is malformed. Jetty gives such a request the
 * method {@code BAD}, so its response would have a body, which the client would take for the next response.
 */
final class RequestConnection extends HttpConnection {

    private static final String UNKNOWN = "BAD";

    /** The parser's handler; assigned while the super constructor runs. */
    private HttpConnection.@Nullable RequestHandler handler;

    private RequestConnection(HttpConfiguration configuration, Connector connector, EndPoint endPoint) {
        super(configuration, connector, endPoint);
    }

    static final class Factory extends HttpConnectionFactory {

        Factory(HttpConfiguration configuration) {
            super(configuration);
        }

        @Override
        public Connection newConnection(Connector connector, EndPoint endPoint) {
            HttpConnection connection = new RequestConnection(getHttpConfiguration(), connector, endPoint);
            connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
            return configure(connection, connector, endPoint);
        }
    }

    @Override
    protected HttpConnection.RequestHandler newRequestHandler() {
        HttpConnection.RequestHandler created = super.newRequestHandler();
        handler = created;
        return created;
    }

    @Override
    protected HttpParser newHttpParser(HttpCompliance compliance) {
        Parser parser = new Parser(
                Objects.requireNonNull(handler), getHttpConfiguration().getRequestHeaderSize(), compliance);
        parser.setHeaderCacheSize(getHttpConfiguration().getHeaderCacheSize());
        parser.setHeaderCacheCaseSensitive(getHttpConfiguration().isHeaderCacheCaseSensitive());
        return parser;
    }

    @Override
    protected HttpStreamOverHTTP1 newHttpStream(String method, String uri, HttpVersion version) {
        boolean head = method.equals(UNKNOWN) && getParser() instanceof Parser parser && parser.isHead();
        return super.newHttpStream(head ? HttpMethod.HEAD.asString() : method, uri, version);
    }

    /** Returns whether a request has arrived in part. */
    boolean isReceiving() {
        return getParser() instanceof Parser parser && parser.isReceiving;
    }

    /** Returns the time since the beginning of the request arrived, in nanoseconds. */
    long nanos(long now) {
        return getParser() instanceof Parser parser ? now - parser.since : 0;
    }

    /** Returns the number of bytes of the request that have arrived. */
    long received() {
        return getParser() instanceof Parser parser ? parser.received : 0;
    }

    /** A parser that remembers the start of the request, and how fast it arrives. */
    private static final class Parser extends HttpParser {

        private static final String HEAD = HttpMethod.HEAD.asString() + " ";

        private final StringBuilder beginning = new StringBuilder();

        /** Whether a request has begun and not ended. The thread that reads the connection writes these fields. */
        private volatile boolean isReceiving;

        private volatile long since;
        private volatile long received;

        Parser(HttpParser.RequestHandler handler, int headerMax, HttpCompliance compliance) {
            super(handler, headerMax, compliance);
        }

        @Override
        public boolean parseNext(ByteBuffer buffer) {
            if (isStart()) {
                beginning.setLength(0);
            }
            if (!isReceiving && buffer.hasRemaining()) {
                received = 0;
                since = System.nanoTime();
                isReceiving = true;
            }
            for (int i = buffer.position(); i < buffer.limit() && beginning.length() < HEAD.length(); i++) {
                char c = (char) buffer.get(i);
                if (!beginning.isEmpty() || (c != '\r' && c != '\n')) {
                    beginning.append(c);
                }
            }
            long expected = received + buffer.remaining();
            boolean result = super.parseNext(buffer);
            received = expected - buffer.remaining();
            isReceiving = isReceiving && !isComplete();
            return result;
        }

        boolean isHead() {
            return HEAD.contentEquals(beginning);
        }
    }
}
