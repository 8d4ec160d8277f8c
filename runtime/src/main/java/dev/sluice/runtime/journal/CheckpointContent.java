package dev.sluice.runtime.journal;

import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.codec.StateReader;
import dev.sluice.runtime.journal.codec.StateWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Reads and writes the content of a checkpoint: the encoded scheduler state. */
final class CheckpointContent {

    private CheckpointContent() {}

    static void write(SchedulerState state, OutputStream out) throws IOException {
        try {
            StateWriter writer = new StateWriter(out);
            state.writeTo(writer);
            writer.end();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Decodes a checkpoint and discards the result; throws what {@link #read} would throw. */
    static void check(InputStream in) throws IOException {
        Objects.requireNonNull(read(in));
    }

    /**
     * Returns whether a checkpoint has the version that this release writes; reads only its beginning.
     *
     * @throws IOException if the beginning is unreadable or damaged
     */
    static boolean isCurrentVersion(InputStream in) throws IOException {
        try {
            return new StateReader(in).number() == SchedulerState.CHECKPOINT_VERSION;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException e) {
            throw damaged(e);
        }
    }

    /**
     * Returns a scheduler with the state of a checkpoint.
     *
     * @throws IOException if the checkpoint is unreadable or damaged
     */
    static Scheduler read(InputStream in) throws IOException {
        try {
            StateReader reader = new StateReader(in);
            Scheduler scheduler = Scheduler.fromCheckpoint(reader);
            reader.end();
            return scheduler;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException e) {
            // damaged bytes may decode to values that a constructor rejects; a bug is visible in the cause
            throw damaged(e);
        }
    }

    private static IOException damaged(RuntimeException e) {
        return new IOException("damaged checkpoint: " + e.getMessage(), e);
    }
}
