package dev.sluice.runtime.journal.codec;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.StateSink;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Writes the parts of a state to a stream, to be read by a {@link StateReader}. All methods throw
 * {@link UncheckedIOException} if the stream fails.
 */
public final class StateWriter implements StateSink {

    /** The magic bytes of a checkpoint, followed by the format version. */
    static final String MARK = "SLS";

    /** The format version. */
    static final int FORMAT = 1;

    private final ValueWriter writer;

    /** Writes to this stream in large blocks; does not close it. */
    public StateWriter(OutputStream out) {
        writer = new ValueWriter(new BinaryWriter(out));
        MARK.chars().forEach(writer.out::octet);
        writer.out.octet(FORMAT);
    }

    /** Writes the end marker and flushes the remaining bytes to the stream. */
    public void end() {
        writer.out.endWithSum();
    }

    @Override
    public void flag(boolean value) {
        writer.out.flag(value);
    }

    @Override
    public void number(long value) {
        writer.out.signed(value);
    }

    @Override
    public void decimal(double value) {
        writer.out.decimal(value);
    }

    @Override
    public void text(String value) {
        writer.out.text(value);
    }

    @Override
    public void instant(Instant value) {
        writer.out.instant(value);
    }

    @Override
    public void duration(Duration value) {
        writer.out.duration(value);
    }

    @Override
    public void resources(Resources value) {
        writer.resources(value);
    }

    @Override
    public void configuration(PartitionConfiguration value) {
        ConfigurationCodec.writePartition(writer, value);
    }

    @Override
    public void application(ApplicationSpec value) {
        TaskCodec.writeApplication(writer, value, List.of());
    }

    @Override
    public void kind(TaskKind value) {
        writer.kind(value);
    }
}
