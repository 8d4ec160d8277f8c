package dev.sluice.runtime.journal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.reference.RandomCluster;
import dev.sluice.core.state.Event;
import dev.sluice.runtime.journal.BatchDecoder;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every event is decoded to an equal one. */
@Tag("slow")
class EventFormatTest {

    private static final Instant AT = Instant.parse("2026-01-01T12:00:00.123456Z");

    static List<Class<?>> kinds() {
        return RandomRecords.kinds(Event.class);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void event_ofEveryKind_isDecodedEqual(Class<?> kind) throws StoreException {
        RandomRecords random = new RandomRecords(kind.getName().hashCode());
        for (int i = 0; i < 300; i++) {
            List<JournalEntry> entries =
                    List.of(new JournalEntry(new Cause("test", "me"), List.of(random.event(kind))));
            assertThat(roundTrip(entries)).isEqualTo(entries);
        }
    }

    @Test
    void batch_ofAllKinds_isDecodedEqualAndEncodedIdentically() throws StoreException {
        RandomRecords random = new RandomRecords(1);
        List<JournalEntry> entries = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            List<Event> events = new ArrayList<>();
            kinds().forEach(kind -> events.add(random.event(kind)));
            entries.add(new JournalEntry(new Cause("action" + i % 3, ""), events));
        }

        List<JournalEntry> read = roundTrip(entries);

        assertThat(read).isEqualTo(entries);
        assertThat(EncodedBatch.of(read, AT)).isEqualTo(EncodedBatch.of(entries, AT));
    }

    @Test
    void journals_ofRandomClusters_areDecodedEqual() throws StoreException {
        for (int seed = 0; seed < 12; seed++) {
            RandomCluster cluster = new RandomCluster(seed, seed % 3 == 0, RandomCluster.FEW_NODES);
            cluster.run(20);
            List<JournalEntry> entries = List.of(new JournalEntry(Cause.CYCLE, cluster.journal()));
            assertThat(roundTrip(entries)).as("seed %s", seed).isEqualTo(entries);
        }
    }

    static List<JournalEntry> roundTrip(List<JournalEntry> entries) throws StoreException {
        int events = entries.stream().mapToInt(entry -> entry.events().size()).sum();
        return new BatchDecoder().decode(new StoredBatch(1, events, AT, EncodedBatch.of(entries, AT)));
    }
}
