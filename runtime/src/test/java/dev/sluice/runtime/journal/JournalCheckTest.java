package dev.sluice.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.testing.MemoryStore;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The comparison of checkpoints with the events before them. */
class JournalCheckTest {

    private static List<MemoryStore> goldenJournals() throws IOException, StoreException {
        try (DataInputStream in = golden("journals-1.bin")) {
            return GoldenJournals.read(in);
        }
    }

    private static DataInputStream golden(String name) {
        return new DataInputStream(Objects.requireNonNull(JournalCheckTest.class.getResourceAsStream(name)));
    }

    private static void keep(MemoryStore store, JournalStore.CheckpointWriter content) throws StoreException {
        List<StoredBatch> batches = store.batches();
        StoredBatch last = batches.get(batches.size() - 1);
        store.keepCheckpoint(last.last(), last.at(), content);
    }

    @Test
    void checkpoints_ofEarlierVersion_areReadButNotCompared() throws Exception {
        List<String> problems = new ArrayList<>();
        int checkpoints = 0;
        try (DataInputStream in = golden("checkpoints-1.bin")) {
            assertThat(in.readInt()).isEqualTo(goldenJournals().size());
            for (MemoryStore store : goldenJournals()) {
                byte[] content = in.readNBytes(in.readInt());
                keep(store, out -> out.write(content));
                checkpoints += JournalCheck.of(store, problems::add).checkpoints();
            }
        }

        assertThat(problems).isEmpty();
        assertThat(checkpoints).isEqualTo(goldenJournals().size());
    }

    @Test
    void checkpoint_ofCurrentVersion_isCompared() throws Exception {
        List<String> problems = new ArrayList<>();
        MemoryStore store = goldenJournals().get(0);
        SchedulerState state = Replay.of(store, ReplayListener.NONE).scheduler().state();
        keep(store, out -> CheckpointContent.write(state, out));
        JournalCheck.of(store, problems::add);
        assertThat(problems).isEmpty();

        MemoryStore other = goldenJournals().get(0);
        keep(other, out -> CheckpointContent.write(new SchedulerState(), out));
        JournalCheck.of(other, problems::add);

        assertThat(problems).singleElement().asString().contains("differs from the state");
    }
}
