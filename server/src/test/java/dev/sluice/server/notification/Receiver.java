package dev.sluice.server.notification;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A web server that records requests and answers with given statuses. */
public final class Receiver implements AutoCloseable {

    /** The status of requests that get no answer. */
    public static final int HANG = -1;

    /** A request. */
    public record Received(String method, Headers headers, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final int[] statuses;
    private int answered;

    /** Answers the first requests with these statuses, then always with the last one. */
    public Receiver(int... statuses) throws IOException {
        this.statuses = statuses.clone();
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status;
        synchronized (this) {
            status = statuses[Math.min(answered++, statuses.length - 1)];
        }
        received.add(new Received(exchange.getRequestMethod(), exchange.getRequestHeaders(), body));
        if (status == HANG) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else {
            if (status / 100 == 3) {
                exchange.getResponseHeaders().add("Location", "/elsewhere");
            }
            exchange.sendResponseHeaders(status, -1);
        }
        exchange.close();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
    }

    /** Returns the requests so far. */
    public List<Received> received() {
        return List.copyOf(received);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
