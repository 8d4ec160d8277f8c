package dev.sluice.runtime.journal.codec;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.StateSource;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Reads the parts of a state that a {@link StateWriter} wrote. Throws {@link IllegalStateException} for input that it
 * cannot have written, {@link IllegalArgumentException} for invalid values, and {@link UncheckedIOException} for
 * exceptions of the stream.
 */
public final class StateReader implements StateSource {

    private final ValueReader reader;

    /** Reads from this stream, possibly beyond the end of the state; does not close it. */
    public StateReader(InputStream in) {
        reader = new ValueReader(new BinaryReader(in, new TextCache()));
        for (int i = 0; i < StateWriter.MARK.length(); i++) {
            if (reader.in.octet() != StateWriter.MARK.charAt(i)) {
                throw new IllegalStateException("not a checkpoint");
            }
        }
        int format = reader.in.octet();
        if (format != StateWriter.FORMAT) {
            throw new IllegalStateException(
                    "unsupported format version " + format + "; this release supports version " + StateWriter.FORMAT);
        }
    }

    /** Verifies the checksum and that the state was read to its end. */
    public void end() {
        reader.in.endWithSum();
    }

    @Override
    public boolean flag() {
        return reader.in.flag();
    }

    @Override
    public long number() {
        return reader.in.signed();
    }

    @Override
    public double decimal() {
        return reader.in.decimal();
    }

    @Override
    public String text() {
        return reader.in.text();
    }

    @Override
    public Instant instant() {
        return reader.in.instant();
    }

    @Override
    public Duration duration() {
        return reader.in.duration();
    }

    @Override
    public Resources resources() {
        return reader.resources();
    }

    @Override
    public PartitionConfiguration configuration() {
        return ConfigurationCodec.readPartition(reader);
    }

    @Override
    public ApplicationSpec application() {
        return TaskCodec.readApplication(reader);
    }

    @Override
    public TaskKind kind() {
        return reader.kind();
    }
}
