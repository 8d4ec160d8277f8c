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

/** What is in a checkpoint: the checkpoint of the state. */
final class CheckpointContent {

    private CheckpointContent() {}

    /** Writes the checkpoint of a state. */
    static void write(SchedulerState state, OutputStream out) throws IOException {
        try {
            StateWriter writer = new StateWriter(out);
            state.writeTo(writer);
            writer.end();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Throws what {@link #read} would throw. */
    static void check(InputStream in) throws IOException {
        Objects.requireNonNull(read(in));
    }

    /** A scheduler with the state of a checkpoint; an {@link IOException} if it cannot be read or is damaged. */
    static Scheduler read(InputStream in) throws IOException {
        try {
            StateReader reader = new StateReader(in);
            Scheduler scheduler = Scheduler.fromCheckpoint(reader);
            reader.end();
            return scheduler;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException e) {
            // whatever refuses values that nobody wrote; a bug shows in the cause
            throw new IOException("the checkpoint is damaged: " + e.getMessage(), e);
        }
    }
}
