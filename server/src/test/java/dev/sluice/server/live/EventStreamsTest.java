package dev.sluice.server.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.http.Json;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.ProblemException;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class EventStreamsTest {

    /** A journal whose first ten events were discarded. */
    private static final class ShortJournal implements EventSource {
        @Override
        public void read(long after, EntryReader reader) {}

        @Override
        public long firstSequence() throws StoreException {
            return 11;
        }
    }

    private final LiveFeed feed = new LiveFeed(new ShortJournal(), 10, 100);

    private EventStreams streams(int max) {
        return streams(feed, max);
    }

    private static EventStreams streams(LiveFeed feed, int max) {
        return new EventStreams(feed, Json.mapper(), Duration.ofMillis(5), max);
    }

    @Test
    void streams_beyondLimit_areRefusedUntilOneCloses() {
        EventStreams streams = streams(1);
        ApiResponse.StreamBody first = streams.open(10, event -> true, () -> true);
        assertThatThrownBy(() -> streams.open(10, event -> true, () -> true))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("limit of 1 event streams");
        first.close();
        streams.open(10, event -> true, () -> true).close();
        assertThat(streams.open()).isZero();
    }

    @Test
    void stream_idle_sendsHeartbeats() throws Exception {
        String written = written(10);
        assertThat(written).startsWith(": from 11\n\n").contains(": still here\n\n");
    }

    @Test
    void stream_afterDiscardedEvents_hasGap() throws Exception {
        assertThat(written(3)).contains("event: gap\ndata: {\"first\":11}\n\n");
    }

    @Test
    void stream_fromFirstKeptEvent_hasNoGap() throws Exception {
        LiveFeed behind = new LiveFeed(new ShortJournal(), 20, 100);
        assertThat(written(behind, 10)).doesNotContain("gap");
        assertThat(written(new LiveFeed(new ShortJournal(), 20, 100), 9)).contains("gap");
    }

    @Test
    void stream_readerNotPermittedAnyMore_ends() throws Exception {
        AtomicInteger heartbeats = new AtomicInteger();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ApiResponse.StreamBody stream =
                streams(1).open(10, event -> true, () -> heartbeats.incrementAndGet() < 3)) {
            stream.write(out);
        }
        assertThat(out.toString(UTF_8)).isEqualTo(": from 11\n\n" + ": still here\n\n".repeat(3));
    }

    private String written(long after) throws InterruptedException {
        return written(feed, after);
    }

    private static String written(LiveFeed feed, long after) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Thread writer = new Thread(
                () -> {
                    try (ApiResponse.StreamBody stream = streams(feed, 1).open(after, event -> true, () -> true)) {
                        stream.write(out);
                    } catch (java.io.IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                "writer");
        writer.start();
        await().until(() -> out.toString(UTF_8).contains("still here"));
        feed.close();
        writer.join();
        return out.toString(UTF_8);
    }
}
