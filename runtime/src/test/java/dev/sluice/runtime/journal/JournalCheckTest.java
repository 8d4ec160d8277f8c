package dev.sluice.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.command.Command;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.testing.MemoryStore;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The comparison of checkpoints with the events before them. */
class JournalCheckTest {

    private static final Duration FOR_EVER = Duration.ofDays(100_000);

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

    /** The first checkpoint after an upgrade is made from the events, not from one that lacks parts of the state. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void checkpoint_afterOneOfEarlierVersion_isComplete(boolean isEarlierKept) throws Exception {
        List<String> problems = new ArrayList<>();
        CheckpointSettings settings = new CheckpointSettings(
                1_000_000,
                Duration.ofDays(1),
                Duration.ofDays(1),
                new Retention(FOR_EVER, FOR_EVER, FOR_EVER, isEarlierKept ? 2 : 1));
        try (DataInputStream in = golden("checkpoints-1.bin")) {
            assertThat(in.readInt()).isPositive();
            for (MemoryStore store : goldenJournals()) {
                byte[] content = in.readNBytes(in.readInt());
                keep(store, out -> out.write(content));
                Restored restored = Replay.of(store, ReplayListener.NONE);
                Scheduler scheduler = restored.scheduler();
                Command.RegisterNode node = new Command.RegisterNode(
                        scheduler.state().partitions().iterator().next().name(),
                        "new",
                        Resources.of("vcore", 1),
                        new TreeMap<>());
                List<Event> events = scheduler.handle(node, restored.at()).events();
                long last = new Journal(store)
                        .append(
                                List.of(new JournalEntry(Cause.internal("test"), events)),
                                List.of(),
                                restored.at().plusSeconds(1));
                try (Checkpoints checkpoints =
                        new Checkpoints(store, settings, new CheckpointListener() {}, () -> restored.at())) {
                    assertThat(checkpoints.request().get()).isEqualTo(last);
                }
                assertThat(store.checkpoints()).hasSize(isEarlierKept ? 2 : 1);
                JournalCheck.of(store, problems::add);
            }
        }

        assertThat(problems).isEmpty();
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
