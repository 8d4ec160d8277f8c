package dev.sluice.benchmarks.page;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Pages that are open in browsers: each follows the stream of changes and loads itself again after each. */
final class OpenPages implements AutoCloseable {

    private final PageClient client;
    private final List<Thread> threads = new ArrayList<>();
    private final List<InputStream> streams = new ArrayList<>();
    private final AtomicLong updates = new AtomicLong();
    private volatile boolean closed;

    /** Opens this many pages, taking turns with the addresses. */
    OpenPages(PageClient client, List<String> addresses, int count) throws IOException, InterruptedException {
        this.client = client;
        for (int i = 0; i < count; i++) {
            String address = addresses.get(i % addresses.size());
            client.open(address);
            HttpResponse<InputStream> stream = client.http()
                    .send(client.request("/ui/changes").build(), HttpResponse.BodyHandlers.ofInputStream());
            if (stream.statusCode() != 200) {
                throw new IOException("/ui/changes: " + stream.statusCode());
            }
            streams.add(stream.body());
            Thread thread = new Thread(() -> follow(stream.body(), address), "page " + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void follow(InputStream stream, String address) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (!closed && line != null) {
                if (line.equals("event: change")) {
                    client.open(address);
                    updates.incrementAndGet();
                }
                line = lines.readLine();
            }
        } catch (IOException e) {
            if (!closed) {
                throw new UncheckedIOException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns how often pages have loaded themselves again. */
    long updates() {
        return updates.get();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (InputStream stream : streams) {
            stream.close();
        }
        for (Thread thread : threads) {
            thread.interrupt();
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
