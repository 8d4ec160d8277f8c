package dev.sluice.runtime.journal;

import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.reference.RandomCluster;
import dev.sluice.core.state.Event;
import dev.sluice.core.testing.StateText;
import dev.sluice.runtime.testing.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The events of a random cluster, written to a store in batches of random size. */
final class RandomJournal {

    final MemoryStore store = new MemoryStore();
    final Journal journal = new Journal(store);

    private final List<Event> events;
    private final Random random;
    private int written;

    RandomJournal(long seed) {
        this(seed, 20);
    }

    RandomJournal(long seed, int cycles) {
        RandomCluster cluster = new RandomCluster(seed, seed % 3 == 0, RandomCluster.FEW_NODES);
        cluster.run(cycles);
        events = cluster.journal();
        random = new Random(seed);
    }

    int size() {
        return events.size();
    }

    /** Writes until the journal has this many events. */
    void writeUntil(int count) throws StoreException {
        while (written < count) {
            List<JournalEntry> entries = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0 && written < count; i--) {
                int until = Math.min(count, written + 1 + random.nextInt(10));
                entries.add(new JournalEntry(Cause.internal("test"), events.subList(written, until)));
                written = until;
            }
            long last =
                    journal.append(entries, List.of(), events.get(written - 1).at());
            if (last != written) {
                throw new AssertionError("expected " + written + " events but found " + last);
            }
        }
    }

    /** Returns the state after this many events. */
    String state(long count) {
        Scheduler scheduler = new Scheduler();
        scheduler.restore(events.subList(0, (int) count));
        return StateText.of(scheduler.state());
    }

    /** Returns the state restored by a replay. */
    String replayed() throws StoreException {
        return StateText.of(Replay.of(store, ReplayListener.NONE).scheduler().state());
    }
}
