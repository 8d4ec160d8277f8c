package dev.sluice.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.server.api.EventView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which events the feed keeps in memory and which it reads from the journal. */
final class LiveFeedTest {

    private final List<JournalEntry> entries = new ArrayList<>();
    private int lookups;
    private final LiveFeed feed = new LiveFeed(new Journal(), 0, 4);

    /** All events, two per entry. */
    private final class Journal implements EventSource {
        @Override
        public void read(long after, EntryReader reader) {
            lookups++;
            boolean more = true;
            for (int i = 0; more && i < entries.size(); i++) {
                more = reader.read(2L * i + 1, entries.get(i));
            }
        }

        @Override
        public long firstSequence() {
            return 1;
        }
    }

    private void happen(int times) {
        for (int i = 0; i < times; i++) {
            Event event = new PartitionEvent.Seeded("p", i, Instant.EPOCH);
            JournalEntry entry = new JournalEntry(Cause.internal("seed"), List.of(event, event));
            entries.add(entry);
            feed.committed(2L * entries.size() - 1, List.of(entry));
        }
    }

    private List<Long> after(long sequence) throws Exception {
        return feed.after(sequence, 100).stream().map(EventView::sequence).toList();
    }

    @Test
    void feed_afterAnyEvent_returnsAllLater() throws Exception {
        happen(4);
        for (long from = 0; from < 8; from++) {
            List<Long> expected = new ArrayList<>();
            for (long sequence = from + 1; sequence <= 8; sequence++) {
                expected.add(sequence);
            }
            assertThat(after(from)).as("after %s", from).isEqualTo(expected);
        }
        assertThat(after(8)).isEmpty();
    }

    @Test
    void feed_keepsLatest_andReadsOlder() throws Exception {
        happen(2);
        assertThat(after(0)).hasSize(4);
        assertThat(lookups).as("all four are held").isZero();
        happen(2);
        assertThat(after(4)).hasSize(4);
        assertThat(lookups).isZero();
        assertThat(feed.isInMemory(4)).isTrue();
        assertThat(feed.isInMemory(3)).isFalse();
        assertThat(after(3)).hasSize(5);
        assertThat(lookups).isEqualTo(1);
    }
}
