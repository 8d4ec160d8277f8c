package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.testing.StateText;
import dev.sluice.runtime.journal.BatchDecoder;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.Keepsake;
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
 * What a server that is gone has left in its store.
 *
 * @param ended of every application that is known or in the history, how it stands
 * @param sequence the number of the last event
 * @param snapshot that of the last one in the snapshot that a start begins with
 */
record KeptState(Map<String, String> ended, long sequence, long snapshot) {

    /**
     * Reads a store, and checks that what a start makes of it, from its snapshot on, is what all events come to that it ever kept.
     *
     * @param whole whether all events are there, from the first on
     */
    static KeptState read(Path data, boolean whole) throws StoreException {
        try (JournalStore store = Stores.open(data, new StoreOptions(false, notice -> {}))) {
            Restored restored = Replay.of(store, new ReplayListener() {
                @Override
                public void unreadableSnapshot(long sequence, Exception problem) {
                    throw new AssertionError("snapshot " + sequence, problem);
                }

                @Override
                public void progress(long sequence, long last) {}
            });
            if (whole) {
                assertThat(StateText.of(restored.scheduler().state()))
                        .as("the snapshot of event %d and what follows it", restored.snapshot())
                        .isEqualTo(StateText.of(folded(store).state()));
            }
            Map<String, String> ended = new LinkedHashMap<>();
            store.finished(new FinishedQuery("default", null, null, null, null, Long.MAX_VALUE, 1_000_000))
                    .forEach(application -> ended.put(application.id(), word(application)));
            Optional.ofNullable(restored.scheduler().state().partition("default")).stream()
                    .flatMap(partition -> partition.applications().stream())
                    .forEach(application -> ended.put(application.id(), word(application)));
            return new KeptState(ended, restored.sequence(), restored.snapshot());
        }
    }

    private static String word(Application application) {
        return application.state().word();
    }

    private static String word(Keepsake.FinishedApplication application) {
        return application.state().word();
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
