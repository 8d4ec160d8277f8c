package dev.sluice.runtime.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.testing.Fuzzer;
import dev.sluice.runtime.executor.TaskSignal;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.testing.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mutated batches with a valid checksum, mutated checkpoints, lists of GPUs and signals. */
class RuntimeFuzzTest {

    private static final int SUM_LENGTH = 4;

    /** The number of events of most golden batches. */
    private static final int EVENTS = 20;

    private static final int BATCHES = 100;

    /** What the reader of checkpoints throws, of several types. */
    private static final class NothingException extends Exception {
        private static final long serialVersionUID = 1;
    }

    @Test
    void data_mutated_isReadOrRejected() throws Exception {
        fuzz(Fuzzer.FEW);
    }

    @Test
    @Tag("long")
    void data_mutatedOften_isReadOrRejected() throws Exception {
        fuzz(Fuzzer.MANY);
    }

    private static void fuzz(int rounds) throws Exception {
        BatchDecoder decoder = new BatchDecoder();
        int batches = new Fuzzer("journal", goldenBatches(), StoreException.class, input -> {
                    StoredBatch batch = new StoredBatch(1, EVENTS, Instant.EPOCH, summed(input));
                    decoder.decodeForReplay(batch);
                    return decoder.decode(batch).size() > 0;
                })
                .run(rounds);
        int checkpoints = new Fuzzer("checkpoint", goldenCheckpoints(), NothingException.class, input -> {
                    try {
                        CheckpointContent.check(new ByteArrayInputStream(input));
                        return true;
                    } catch (IOException e) {
                        return false;
                    }
                })
                .run(rounds);
        int gpus = new Fuzzer(
                        "gpus",
                        IllegalArgumentException.class,
                        input -> Gpus.parse(new String(input, UTF_8)).count() >= 0)
                .run(rounds);
        int signals = new Fuzzer(
                        "signals",
                        IllegalArgumentException.class,
                        input -> TaskSignal.parse(new String(input, UTF_8)).number() > 0)
                .run(rounds);
        assertThat(List.of(batches, gpus, signals)).allMatch(accepted -> accepted > 0 && accepted < rounds);
        assertThat(checkpoints).as("mutations without effect").isLessThan(rounds / 2);
    }

    private static List<byte[]> goldenBatches() throws IOException, StoreException {
        List<byte[]> bodies = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(resource("journals-3.bin"))) {
            for (MemoryStore store : GoldenJournals.read(in)) {
                store.batches().stream().map(StoredBatch::body).forEach(bodies::add);
            }
        }
        return bodies.subList(0, Math.min(bodies.size(), BATCHES));
    }

    private static List<byte[]> goldenCheckpoints() throws IOException {
        List<byte[]> states = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(resource("checkpoints-3.bin"))) {
            for (int left = in.readInt(); left > 0; left--) {
                states.add(in.readNBytes(in.readInt()));
            }
        }
        return states;
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(RuntimeFuzzTest.class.getResourceAsStream(name));
    }

    /** Returns a copy whose last bytes are the checksum of the others. */
    private static byte[] summed(byte[] input) {
        if (input.length < SUM_LENGTH) {
            return input;
        }
        byte[] bytes = input.clone();
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, bytes.length - SUM_LENGTH);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.length - SUM_LENGTH, (int) sum.getValue());
        return bytes;
    }
}
