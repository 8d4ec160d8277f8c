package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoredBatch;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs killed while they append. */
final class KilledStoreWriterTest {

    @TempDir
    Path folder;

    @Test
    @Tag("slow")
    void program_killedWhileAppending_losesNothing() throws Exception {
        killRepeatedly(1, 1);
    }

    @Test
    @Tag("slow")
    void program_killedTwentyTimes_losesNothing() throws Exception {
        killRepeatedly(20, 3);
    }

    @Test
    @Tag("long")
    void program_killedOften_losesNothing() throws Exception {
        killRepeatedly(200, 2);
    }

    private void killRepeatedly(int times, int seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < times; i++) {
            long acknowledged = 0;
            try (ChildProcess child = ChildProcess.start(AppendingProgram.class, folder.toString())) {
                int lines = 1 + random.nextInt(300);
                for (String line = child.nextLine(); line != null; line = child.nextLine()) {
                    acknowledged = Long.parseLong(line);
                    if (--lines == 0) {
                        child.kill();
                    }
                }
            }
            assertThat(acknowledged).isPositive();
            try (JournalStore store = Stores.open(folder, StoreOptions.DEFAULT)) {
                List<StoredBatch> batches = Batches.read(store, 0);
                assertThat(batches.get(0).first()).isEqualTo(1);
                assertThat(store.lastSequence()).isGreaterThanOrEqualTo(acknowledged);
                assertThat(store.idempotencyRecords(Batches.START, 1_000_000)).hasSameSizeAs(batches);
            }
        }
    }
}
