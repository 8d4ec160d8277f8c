package dev.sluice.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.testing.StateText;
import dev.sluice.runtime.testing.MemoryStore;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Data written by earlier releases is decoded to the same states. The files never change; a new format adds new files.
 */
class GoldenJournalsTest {

    /** The number of event kinds when the first golden journals were written, which contain all of them. */
    private static final int KINDS = 28;

    @Test
    void goldenJournals_replayed_yieldRecordedStates() throws IOException, StoreException {
        StringBuilder states = new StringBuilder();
        Set<Class<?>> kinds = new LinkedHashSet<>();
        BatchDecoder decoder = new BatchDecoder();
        try (DataInputStream in = new DataInputStream(resource("journals-1.bin"))) {
            for (MemoryStore store : GoldenJournals.read(in)) {
                Restored restored = Replay.of(store, ReplayListener.NONE);
                states.append(StateText.of(restored.scheduler().state())).append("end\n");
                for (StoredBatch batch : store.batches()) {
                    for (JournalEntry entry : decoder.decode(batch)) {
                        assertThat(entry.cause()).isEqualTo(new Cause("kept", "me"));
                        entry.events().stream().map(Event::getClass).forEach(kinds::add);
                    }
                }
            }
        }
        assertThat(kinds).hasSize(KINDS);
        try (InputStream in = resource("journals-1.txt")) {
            assertThat(states.toString()).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void goldenCheckpoints_read_yieldStatesOfTheirJournals() throws IOException {
        StringBuilder states = new StringBuilder();
        try (DataInputStream in = new DataInputStream(resource("checkpoints-1.bin"))) {
            for (SchedulerState state : GoldenCheckpoints.read(in)) {
                states.append(StateText.of(state)).append("end\n");
            }
        }
        try (InputStream in = resource("journals-1.txt")) {
            assertThat(states.toString()).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(GoldenJournalsTest.class.getResourceAsStream(name));
    }
}
