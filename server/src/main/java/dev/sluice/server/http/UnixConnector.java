package dev.sluice.server.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections on a Unix socket. Everyone who can access its folder may connect; the kernel says who they are.
 */
final class UnixConnector extends ServerConnector {

    private static final Logger LOG = LoggerFactory.getLogger(UnixConnector.class);

    /** Connections that wait to be accepted; further clients wait for them. */
    private static final int BACKLOG = 1024;

    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET_TYPE = 0140000;

    private final Path path;
    private volatile @Nullable ServerSocketChannel listening;
    private @Nullable Object file;
    private String serverUser = "";

    UnixConnector(Server server, Path path, ConnectionFactory factory) {
        super(server, 1, -1, factory);
        this.path = path;
    }

    /** A connection and the user at its other end. */
    static final class PeerEndPoint extends SocketChannelEndPoint {

        private final Peer peer;

        PeerEndPoint(UnixConnector connector, SocketChannel channel, ManagedSelector selector, SelectionKey key) {
            super(channel, selector, key, connector.getScheduler());
            this.peer = new Peer(
                    () -> channel.getOption(ExtendedSocketOptions.SO_PEERCRED)
                            .user()
                            .getName(),
                    connector.serverUser);
        }

        Peer peer() {
            return peer;
        }
    }

    /** Creates the socket; throws an {@link IOException} if another server listens on it. */
    @Override
    public void open() throws IOException {
        if (listening != null) {
            return;
        }
        removeStale();
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
            file = fileKey();
            serverUser = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
        } catch (IOException e) {
            channel.close();
            throw new IOException(
                    "cannot create the socket " + path + ": " + e.getMessage() + "; choose another path with --socket",
                    e);
        }
        listening = channel;
    }

    private Object fileKey() throws IOException {
        return Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes the socket of a server that was killed. */
    private void removeStale() throws IOException {
        int mode;
        try {
            mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        }
        if ((mode & FILE_TYPE) != SOCKET_TYPE) {
            throw new IOException(
                    path + " exists and is not a socket: remove it, or choose another path with --socket");
        }
        if (isListening()) {
            throw new IOException("another server listens on the socket " + path);
        }
        Files.delete(path);
    }

    private boolean isListening() throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(path));
        } catch (ConnectException refused) {
            return false;
        }
    }

    @Override
    public boolean isOpen() {
        ServerSocketChannel channel = listening;
        return channel != null && channel.isOpen();
    }

    @Override
    public void accept(int acceptor) throws IOException {
        ServerSocketChannel channel = listening;
        if (channel != null && channel.isOpen()) {
            SocketChannel accepted = channel.accept();
            accepted.configureBlocking(false);
            getSelectorManager().accept(accepted);
        }
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
        SocketChannelEndPoint endPoint = new PeerEndPoint(this, channel, selector, key);
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
    }

    @Override
    public @Nullable Object getTransport() {
        return listening;
    }

    /** Stops listening and removes the socket, unless another server has replaced it. */
    @Override
    public void close() {
        ServerSocketChannel channel = listening;
        listening = null;
        super.close();
        if (channel == null) {
            return;
        }
        try {
            channel.close();
            if (fileKey().equals(file)) {
                Files.delete(path);
            }
        } catch (NoSuchFileException gone) {
            LOG.debug("the socket {} was removed", path);
        } catch (IOException e) {
            LOG.warn("cannot remove the socket: path={} reason={}", path, e.toString());
        }
    }
}
