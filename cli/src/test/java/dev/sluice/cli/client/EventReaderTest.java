package dev.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.api.EventView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class EventReaderTest {

    private static String event(long sequence) {
        return "id: " + sequence + "\nevent: task.started\ndata: {\"sequence\":" + sequence
                + ",\"at\":\"2026-01-01T12:00:00Z\",\"type\":\"task.started\",\"partition\":\"default\",\"action\":\"x\","
                + "\"actor\":\"\",\"data\":{}}\n\n";
    }

    private static String stream(String text) {
        return FakeServer.answer("200 OK", "text/event-stream", text);
    }

    @Test
    void connection_lost_resumesAfterLastEvent() throws Exception {
        List<Long> seen = new ArrayList<>();
        List<Long> gaps = new ArrayList<>();
        try (FakeServer server = new FakeServer(
                stream(": from 5\n\n" + event(5) + event(6) + "id: 9\n\n"),
                FakeServer.RESET,
                stream("event: gap\ndata: {\"first\":20}\n\n" + event(20) + event(21)))) {
            ServerClient client = new ServerClient(
                    server.address(), "", null, () -> new RetryPolicy(Duration.ofSeconds(30), () -> 0, duration -> {}));

            new EventReader(client, ApiPath.of("events", "stream"), 4L, new EventReader.Listener() {
                        @Override
                        public boolean onEvent(EventView event, JsonNode response) {
                            seen.add(event.sequence());
                            return event.sequence() < 20;
                        }

                        @Override
                        public void onGap(long first) {
                            gaps.add(first);
                        }
                    })
                    .read();

            assertThat(seen).containsExactly(5L, 6L, 20L);
            assertThat(gaps).containsExactly(20L);
            assertThat(server.requests().stream()
                            .map(request -> request.headers().get("last-event-id")))
                    .containsExactly("4", "9", "9");
        }
    }
}
