package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.testing.StateText;
import dev.sluice.runtime.journal.BatchDecoder;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.Replay;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.runtime.journal.Restored;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.store.StoreOptions;
import dev.sluice.server.store.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state in the store of a stopped server.
 *
 * @param ended outcome by application
 * @param sequence number of the last event
 * @param checkpoint number of the last event in the checkpoint used by the next start
 */
record StoredState(Map<String, String> ended, long sequence, long checkpoint) {

    /**
     * Reads a store, and checks that restoring from the checkpoint equals replaying all events.
     *
     * @param whole whether the store has all events since the first
     */
    static StoredState read(Path data, boolean whole) throws StoreException {
        try (JournalStore store = Stores.open(data, new StoreOptions(false, notice -> {}))) {
            Restored restored = Replay.of(store, new ReplayListener() {
                @Override
                public void unreadableCheckpoint(long sequence, Exception problem) {
                    throw new AssertionError("checkpoint " + sequence, problem);
                }

                @Override
                public void progress(long sequence, long last) {}
            });
            if (whole) {
                assertThat(StateText.of(restored.scheduler().state()))
                        .as("the checkpoint of event %d and what follows it", restored.checkpoint())
                        .isEqualTo(StateText.of(folded(store).state()));
            }
            Map<String, String> ended = new LinkedHashMap<>();
            store.finished(new FinishedQuery("default", null, null, null, null, Long.MAX_VALUE, 1_000_000))
                    .forEach(application -> ended.put(application.id(), wireName(application)));
            Optional.ofNullable(restored.scheduler().state().partition("default")).stream()
                    .flatMap(partition -> partition.applications().stream())
                    .forEach(application -> ended.put(application.id(), wireName(application)));
            return new StoredState(ended, restored.sequence(), restored.checkpoint());
        }
    }

    private static String wireName(Application application) {
        return application.state().wireName();
    }

    private static String wireName(HistoryRecord.FinishedApplication application) {
        return application.state().wireName();
    }

    private static Scheduler folded(JournalStore store) throws StoreException {
        Scheduler scheduler = new Scheduler();
        BatchDecoder decoder = new BatchDecoder();
        List<StoreException> failures = new ArrayList<>();
        store.read(0, batch -> {
            try {
                for (JournalEntry entry : decoder.decode(batch)) {
                    for (Event event : entry.events()) {
                        scheduler.state().apply(event);
                    }
                }
            } catch (StoreException e) {
                failures.add(e);
            }
            return failures.isEmpty();
        });
        assertThat(failures).isEmpty();
        return scheduler;
    }
}
