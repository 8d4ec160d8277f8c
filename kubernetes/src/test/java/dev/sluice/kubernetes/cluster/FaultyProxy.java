package dev.sluice.kubernetes.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Forwards connections to a server, until a test disturbs them. */
final class FaultyProxy implements AutoCloseable {

    /** How connections are treated. */
    enum Mode {
        /** They are forwarded. */
        FORWARD,
        /** What the client sends is forwarded, and what the server answers is dropped. */
        DROP_ANSWERS,
        /** They are closed at once. */
        REFUSE
    }

    private final InetSocketAddress target;
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Mode mode = Mode.FORWARD;

    FaultyProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Forwards what is sent, and drops what is answered. */
    void dropAnswers() {
        mode = Mode.DROP_ANSWERS;
    }

    /** Closes all connections, and refuses new ones. */
    void cut() throws IOException {
        mode = Mode.REFUSE;
        closeAll();
    }

    /** Forwards new connections again. */
    void restore() {
        mode = Mode.FORWARD;
    }

    private void closeAll() throws IOException {
        for (Socket socket : List.copyOf(open)) {
            socket.close();
            open.remove(socket);
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                if (mode == Mode.REFUSE) {
                    end(client);
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                return; // the listener was closed
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        open.add(server);
        try {
            server.connect(target);
        } catch (IOException e) { // the server is away, which the client sees as a broken connection
            end(client);
            end(server);
            return;
        }
        threads.execute(() -> forward(client, server, false));
        threads.execute(() -> forward(server, client, true));
    }

    private void forward(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[16 * 1024];
        try {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            int read = input.read(buffer);
            while (read >= 0) {
                if (!answers || mode != Mode.DROP_ANSWERS) {
                    output.write(buffer, 0, read);
                }
                read = input.read(buffer);
            }
        } catch (IOException e) { // one of both is gone, so the other one is closed, too
            end(to);
        }
        end(from);
        end(to);
    }

    private void end(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeAll();
        threads.shutdownNow();
    }
}
