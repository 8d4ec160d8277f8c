package dev.sluice.server.yunikorn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.api.EventView;
import dev.sluice.server.yunikorn.YuniKornEvents.EventRecord;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers of YuniKorn's documentation of events. */
final class YuniKornEventRecordsTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00.000000005Z");

    @ParameterizedTest
    @CsvSource({
        "task.placed,              ,              2, 2, 200, app, t-0",
        "task.started,             ,              1, 0,   0, t-0, app",
        "task.stopping,            guarantee,     2, 3, 501, app, t-0",
        "task.stopping,            cancelled,     1, 0,   0, t-0, app",
        "task.ended,               succeeded,     2, 3, 500, app, t-0",
        "task.ended,               lost,          2, 3, 504, app, t-0",
        "application.submitted,    ,              2, 2, 203, app, t-0",
        "application.statechanged, Running,       2, 1, 206, app, t-0",
        "application.statechanged, Rejected,      2, 3, 202, app, t-0",
        "application.held,         ,              2, 0,   0, app, t-0",
    })
    void eventOfApplication_hasNumbersOfYuniKorn(
            String type, String value, int kind, int change, int detail, String object, String reference) {
        String given = value == null ? "" : value;
        EventRecord found = YuniKornEventRecords.of(new EventView(
                7,
                AT,
                type,
                "default",
                "cycle",
                "",
                Map.of("application", "app", "task", "t-0", "reason", given, "outcome", given, "to", given)));

        assertThat(new EventRecord(
                        kind, object, reference, found.message(), 1767225600000000005L, change, detail, Map.of()))
                .isEqualTo(found);
        assertThat(found.message()).startsWith(type);
    }

    @ParameterizedTest
    @CsvSource({
        "node.registered,      node,  3, 2,   0, n",
        "node.removed,         node,  3, 3, 300, n",
        "node.healthchanged,   node,  3, 1, 301, n",
        "node.takenoffline,    node,  3, 1, 302, n",
        "node.updated,         node,  3, 1, 304, n",
        "queue.created,        queue, 4, 2, 401, n",
        "partition.configured, none,  4, 1, 400, default",
    })
    void eventOfNodeOrQueue_hasNumbersOfYuniKorn(
            String type, String key, int kind, int change, int detail, String object) {
        EventRecord found =
                YuniKornEventRecords.of(new EventView(7, AT, type, "default", "cycle", "", Map.of(key, "n")));

        assertThat(new EventRecord(kind, object, null, found.message(), 1767225600000000005L, change, detail, Map.of()))
                .isEqualTo(found);
    }
}
