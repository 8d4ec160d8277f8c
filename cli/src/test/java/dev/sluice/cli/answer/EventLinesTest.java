package dev.sluice.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.terminal.Style;
import dev.sluice.server.api.EventView;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.ObjectMapper;

/** Lines of events of gangs, reservations and preemption. */
final class EventLinesTest {

    private static String what(String type, String data) {
        Map<String, Object> values =
                new ObjectMapper().readerForMapOf(Object.class).readValue(data);
        EventView event = new EventView(1, Instant.EPOCH, type, "default", "cycle", "", values);
        String line = new EventLines(Style.PLAIN, false).line(event, false);
        return line.substring(line.indexOf(type) + type.length()).strip();
    }

    @Test
    void reservation_made_namesNodesAndStart() {
        String start = "2026-01-01T12:00:00Z";
        String made = "{\"application\": \"a\", \"queue\": \"root.q\", \"user\": \"u\", \"task\": \"w\", \"index\": 0,"
                + " \"nodes\": [\"n-1\", \"n-2\"], \"start\": \"" + start + "\", \"delays\": %d}";
        String planned = "a w[0] on n-1, n-2 from " + Texts.time(Instant.parse(start));

        assertThat(what("reservation.made", made.formatted(0))).isEqualTo(planned);
        assertThat(what("reservation.made", made.formatted(1))).isEqualTo(planned + " put off once");
        assertThat(what("reservation.made", made.formatted(3))).isEqualTo(planned + " put off 3 times");
    }

    @Test
    void stopping_forBeneficiary_namesIt() {
        assertThat(what(
                        "task.stopping",
                        "{\"application\": \"a\", \"task\": \"t\", \"index\": 2, \"attempt\": 1, \"node\": \"n\","
                                + " \"reason\": \"guarantee\","
                                + " \"for\": {\"application\": \"b\", \"task\": \"r\", \"index\": 3}}"))
                .isEqualTo("a t[2] on n (guarantee) for b r[3]");
    }

    @Test
    void gang_started_countsMembers() {
        assertThat(what("application.gangstarted", "{\"application\": \"a\", \"members\": 4}"))
                .isEqualTo("a 4 members");
        assertThat(what("application.gangstarted", "{\"application\": \"a\", \"members\": 1}"))
                .isEqualTo("a 1 member");
    }
}
