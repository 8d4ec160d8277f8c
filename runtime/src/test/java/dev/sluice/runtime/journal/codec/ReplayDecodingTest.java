package dev.sluice.runtime.journal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events decoded for a replay lack only what applying them does not use. */
class ReplayDecodingTest {

    private static final Instant AT = Instant.parse("2026-01-01T12:00:00.123456Z");

    @Test
    void events_ofAllKinds_differOnlyInOriginAndAllocation() {
        RandomRecords random = new RandomRecords(1);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            RandomRecords.kinds(Event.class).forEach(kind -> events.add(random.event(kind)));
        }
        assertDecodedForReplay(events);
    }

    @Test
    void placement_onNodeNamedInSkippedField_hasItsName() {
        for (String node : List.of("node-1", "node-\u00e9", "node-\u4e16")) {
            Allocation first = new Allocation(
                    new RunRef(new TaskRef("default", "app", "task", 0), 2),
                    node,
                    new ApplicationOrigin("root.team", "user", AT.minusSeconds(9)),
                    AT.minusSeconds(8),
                    AT.minusSeconds(7));
            TaskEvent.Ended ended = new TaskEvent.Ended(first, TaskOutcome.FAILED, 1, node, true, AT);
            Allocation second = new Allocation(first.run(), node, first.origin(), AT, null);

            List<Event> read = assertDecodedForReplay(List.of(ended, new TaskEvent.Placed(second, false)));

            assertThat(((TaskEvent.Placed) read.get(1)).node()).isEqualTo(node);
        }
    }

    private static List<Event> assertDecodedForReplay(List<Event> events) {
        List<JournalEntry> entries = List.of(new JournalEntry(new Cause("test", "me"), events));
        List<Event> read = new ArrayList<>();
        new EntryDecoder().decodeForReplay(EncodedBatch.of(entries, AT), read);

        assertThat(read).hasSameSizeAs(events);
        for (int i = 0; i < read.size(); i++) {
            Event event = events.get(i);
            Event replayed = read.get(i);
            assertThat(replayed)
                    .usingRecursiveComparison()
                    .usingOverriddenEquals()
                    .ignoringFields("origin", "allocation")
                    .isEqualTo(event);
            assertThat(replayed.getClass()).isEqualTo(event.getClass());
            assertThat(replayed.partition()).isEqualTo(event.partition());
            assertThat(replayed.at()).isEqualTo(event.at());
            if (replayed instanceof TaskEvent task) {
                assertThat(task.task()).isEqualTo(((TaskEvent) event).task());
                assertThat(task.origin()).isEqualTo(ApplicationOrigin.UNKNOWN);
            }
            if (replayed instanceof TaskEvent.Placed placed) {
                assertThat(placed.node()).isEqualTo(((TaskEvent.Placed) event).node());
            }
        }
        return read;
    }
}
