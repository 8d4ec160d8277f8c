package dev.sluice.runtime.journal;

import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.codec.StateReader;
import dev.sluice.runtime.journal.codec.StateWriter;
import dev.sluice.runtime.testing.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Recorded checkpoints, which are never changed: {@link #main} wrote them from golden journals, one for the final state
 * of each.
 *
 * <p>A file contains the number of checkpoints, and for each its length and bytes.
 */
final class GoldenCheckpoints {

    private GoldenCheckpoints() {}

    /** Reads the journals of the first file and writes their checkpoints to the second. */
    public static void main(String[] arguments) throws IOException, StoreException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(Path.of(arguments[0])));
                DataOutputStream out = new DataOutputStream(Files.newOutputStream(Path.of(arguments[1])))) {
            List<MemoryStore> stores = GoldenJournals.read(in);
            out.writeInt(stores.size());
            for (MemoryStore store : stores) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                StateWriter writer = new StateWriter(bytes);
                Replay.of(store, ReplayListener.NONE).scheduler().state().writeTo(writer);
                writer.end();
                out.writeInt(bytes.size());
                bytes.writeTo(out);
            }
        }
    }

    /** Returns the states of all checkpoints in a file. */
    static List<SchedulerState> read(DataInputStream in) throws IOException {
        List<SchedulerState> states = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            StateReader reader = new StateReader(new ByteArrayInputStream(in.readNBytes(in.readInt())));
            states.add(SchedulerState.readFrom(reader));
            reader.end();
        }
        return states;
    }
}
