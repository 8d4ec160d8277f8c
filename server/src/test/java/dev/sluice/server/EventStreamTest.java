package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Event streams: in order, without gaps, and without affecting others. */
@Timeout(120)
final class EventStreamTest {

    private static final String APPLICATIONS = "/partitions/default/applications";

    @TempDir
    private Path folder;

    private static long last(TestDaemon daemon) {
        return daemon.client().get("/health").json().get("sequence").asLong();
    }

    private static void submit(TestDaemon daemon, String prefix, int count) {
        IntStream.range(0, count).parallel().forEach(i -> {
            Reply reply =
                    daemon.client().post(APPLICATIONS, "{\"id\": \"" + prefix + i + "\", \"queue\": \"root.default\"}");
            assertThat(reply.status()).isEqualTo(201);
        });
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private static void awaitLast(StreamReader reader, long last) {
        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        !reader.ids().isEmpty() && reader.ids().get(reader.ids().size() - 1) >= last);
    }

    @Test
    @Tag("slow")
    void stream_underLoadAndRestart_hasNoGapsOrDuplicates() throws Exception {
        List<Long> seen = new ArrayList<>();
        try (TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder))) {
            try (StreamReader reader = new StreamReader(daemon.port(), "?after=0", "")) {
                submit(daemon, "a", 200);
                awaitLast(reader, last(daemon));
                seen.addAll(reader.ids());
                assertThat(seen).isEqualTo(upTo(last(daemon)));
            }
            submit(daemon, "b", 20);
        }
        try (TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder))) {
            String header = "Last-Event-ID: " + seen.get(seen.size() - 1) + "\r\n";
            try (StreamReader reader = new StreamReader(daemon.port(), "", header)) {
                submit(daemon, "c", 20);
                awaitLast(reader, last(daemon));
                seen.addAll(reader.ids());
            }
            assertThat(seen).isEqualTo(upTo(last(daemon)));
        }
    }

    @Test
    void stream_withFilters_hasMatchingEventsOnly() throws Exception {
        try (TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder));
                StreamReader type = new StreamReader(daemon.port(), "?after=0&type=application", "");
                StreamReader application = new StreamReader(daemon.port(), "?after=0&application=f3", "");
                StreamReader nothing = new StreamReader(daemon.port(), "?after=0&partition=none", "")) {
            submit(daemon, "f", 10);
            await().until(() -> type.types().stream()
                            .filter("application.submitted"::equals)
                            .count()
                    == 10);
            await().until(() -> application.types().contains("application.submitted"));
            assertThat(type.types()).allMatch(each -> each.startsWith("application."));
            assertThat(application.types().stream().filter("application.submitted"::equals))
                    .hasSize(1);
            assertThat(nothing.types()).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void slowReader_doesNotBlockOthers() throws Exception {
        try (TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder))) {
            List<RawClient> lazy = new ArrayList<>();
            try (StreamReader reader = new StreamReader(daemon.port(), "?after=0", "")) {
                for (int i = 0; i < 10; i++) {
                    lazy.add(new RawClient(daemon.port())
                            .write("GET /api/v1/events/stream?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"));
                }
                submit(daemon, "s", 300);
                awaitLast(reader, last(daemon));
                assertThat(reader.ids()).isEqualTo(upTo(last(daemon)));
            } finally {
                for (RawClient each : lazy) {
                    each.close();
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void streams_beyondLimit_areRefusedAndOthersServed() throws Exception {
        try (TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder))) {
            List<StreamReader> readers = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                readers.add(new StreamReader(daemon.port(), "", ""));
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> readers.stream().allMatch(reader -> "200".equals(reader.status())));
            Reply refused = daemon.client().get("/events/stream");
            assertThat(refused.problem()).isEqualTo("unavailable");
            assertThat(refused.header("Retry-After")).isNotEmpty();
            assertThat(daemon.client().get("/partitions").status()).isEqualTo(200);
            assertThat(daemon.client().get("//metrics").text()).contains("sluice_event_streams 64.0");
            for (StreamReader reader : readers) {
                reader.close();
            }
            submit(daemon, "wake", 2);
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> daemon.client().get("//metrics").text().contains("sluice_event_streams 0.0"));
        }
    }

    @Test
    void shutdown_endsStreams() throws Exception {
        TestDaemon daemon = TestDaemon.start(DaemonSettings.in(folder));
        try (StreamReader reader = new StreamReader(daemon.port(), "", "")) {
            await().until(() -> "200".equals(reader.status()));
            long began = System.nanoTime();
            daemon.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
            await().until(reader::hasEnded);
        }
    }
}
