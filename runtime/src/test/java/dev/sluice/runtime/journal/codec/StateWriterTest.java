package dev.sluice.runtime.journal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.StateSink;
import dev.sluice.core.state.StateSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The parts of a state are read back unchanged, or damage is reported. */
class StateWriterTest {

    @Test
    @Tag("slow")
    void parts_ofEveryType_areReadBack() {
        RandomRecords random = new RandomRecords(1);
        Random dice = new Random(1);
        List<Object> parts = new ArrayList<>();
        List<Function<StateSource, Object>> reads = new ArrayList<>();
        List<Consumer<StateSink>> writes = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            switch (dice.nextInt(10)) {
                case 0 -> add(parts, writes, reads, dice.nextBoolean(), StateSink::flag, StateSource::flag);
                case 1 -> add(parts, writes, reads, dice.nextLong(), StateSink::number, StateSource::number);
                case 2 -> add(parts, writes, reads, dice.nextGaussian(), StateSink::decimal, StateSource::decimal);
                case 3 -> add(parts, writes, reads, text(dice), StateSink::text, StateSource::text);
                case 4 -> add(parts, writes, reads, instant(dice), StateSink::instant, StateSource::instant);
                case 5 -> add(parts, writes, reads, duration(dice), StateSink::duration, StateSource::duration);
                case 6 -> add(parts, writes, reads, resources(dice), StateSink::resources, StateSource::resources);
                case 7 ->
                    add(
                            parts,
                            writes,
                            reads,
                            (PartitionConfiguration) random.record(PartitionConfiguration.class),
                            StateSink::configuration,
                            StateSource::configuration);
                case 8 ->
                    add(
                            parts,
                            writes,
                            reads,
                            ((ApplicationSpec) random.record(ApplicationSpec.class)).withoutTasks(),
                            StateSink::application,
                            StateSource::application);
                default ->
                    add(
                            parts,
                            writes,
                            reads,
                            (TaskKind) random.record(TaskKind.class),
                            StateSink::kind,
                            StateSource::kind);
            }
        }

        StateReader reader = reader(written(sink -> writes.forEach(write -> write.accept(sink))));

        for (int i = 0; i < parts.size(); i++) {
            assertThat(reads.get(i).apply(reader)).isEqualTo(parts.get(i));
        }
        reader.end();
    }

    private static <T> void add(
            List<Object> parts,
            List<Consumer<StateSink>> writes,
            List<Function<StateSource, Object>> reads,
            T part,
            BiConsumer<StateSink, T> write,
            Function<StateSource, Object> read) {
        parts.add(part);
        writes.add(sink -> write.accept(sink, part));
        reads.add(read);
    }

    private static String text(Random dice) {
        return switch (dice.nextInt(20)) {
            case 0 -> "long \u20ac".repeat(20_000 + dice.nextInt(10_000)); // longer than a buffer
            case 1 -> "long".repeat(20_000);
            default -> "text" + dice.nextInt(1_000);
        };
    }

    private static Instant instant(Random dice) {
        return dice.nextInt(10) == 0 ? Instant.MAX : Instant.ofEpochSecond(dice.nextInt(), dice.nextInt(1_000_000_000));
    }

    private static Duration duration(Random dice) {
        return Duration.ofSeconds(dice.nextLong(), dice.nextInt(1_000_000_000));
    }

    private static Resources resources(Random dice) {
        return Resources.of("type" + dice.nextInt(3), dice.nextInt(1_000));
    }

    @SuppressWarnings("ReferenceEquality") // the test asserts identity
    @Test
    void kinds_sameObjectTwice_areReadAsOneObject() {
        List<TaskKind> kinds = new ArrayList<>();
        for (int i = 0; i < 66_000; i++) {
            kinds.add(TaskSpec.of("t", i + 1, Resources.of("vcore", 1 + i % 7)).kind());
        }
        byte[] bytes = written(sink -> {
            kinds.forEach(sink::kind);
            kinds.forEach(sink::kind);
        });

        StateReader reader = reader(bytes);
        List<TaskKind> first = new ArrayList<>();
        kinds.forEach(kind -> first.add(reader.kind()));

        assertThat(first).isEqualTo(kinds);
        assertThat(first.stream().filter(kind -> reader.kind() != kind)).isEmpty();
        reader.end();
    }

    @Test
    void texts_beyondDictionarySize_areReadBack() {
        int count = 3 * BinaryWriter.DICTIONARY_MAX / 2;
        byte[] bytes = written(sink -> {
            for (int i = 0; i < count; i++) {
                sink.text("name-" + i);
                sink.text("name-" + i / 2);
                sink.resources(Resources.of("vcore", i + 1));
                sink.resources(Resources.of("vcore", i / 2 + 1));
            }
        });

        StateReader reader = reader(bytes);
        for (int i = 0; i < count; i++) {
            boolean same = reader.text().equals("name-" + i)
                    && reader.text().equals("name-" + i / 2)
                    && reader.resources().equals(Resources.of("vcore", i + 1))
                    && reader.resources().equals(Resources.of("vcore", i / 2 + 1));
            if (!same) {
                throw new AssertionError("different object for number " + i);
            }
        }
        reader.end();
    }

    @Test
    void end_afterBitFlip_fails() {
        byte[] good = written(sink -> {
            for (int i = 0; i < 50_000; i++) {
                sink.number(1_000_000 + i);
            }
        });
        Random dice = new Random(1);
        for (int i = 0; i < 30; i++) {
            byte[] bytes = good.clone();
            bytes[dice.nextInt(bytes.length)] ^= (byte) (1 << dice.nextInt(8));
            assertThatThrownBy(() -> {
                        StateReader reader = reader(bytes);
                        for (int number = 0; number < 50_000; number++) {
                            reader.number();
                        }
                        reader.end();
                    })
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void read_afterTheEnd_fails() {
        byte[] good = written(sink -> sink.text("a text"));

        assertThatThrownBy(() -> reader(Arrays.copyOf(good, 9)).text())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unexpected end of data");
        assertThatThrownBy(() -> reader(new byte[] {'S', 'L', 'X', 1}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not a checkpoint");
        assertThatThrownBy(() -> reader(new byte[] {'S', 'L', 'S', 9}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unsupported format version 9");
    }

    @Test
    void text_withHugeDeclaredLength_fails() {
        // a text of 2^29 - 1 characters without content
        byte[] bytes = {'S', 'L', 'S', 1, 1, (byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 3};

        assertThatThrownBy(() -> reader(bytes).text())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unexpected end of data");
    }

    @Test
    void stream_failing_throwsItsException() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("no room");
            }
        };
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("broken");
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                throw new IOException("broken");
            }
        };

        assertThatThrownBy(() -> new StateWriter(full).end())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("no room");
        assertThatThrownBy(() -> new StateReader(broken))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("broken");
    }

    private static byte[] written(Consumer<StateSink> writes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StateWriter writer = new StateWriter(out);
        writes.accept(writer);
        writer.end();
        return out.toByteArray();
    }

    private static StateReader reader(byte[] bytes) {
        return new StateReader(new ByteArrayInputStream(bytes));
    }
}
