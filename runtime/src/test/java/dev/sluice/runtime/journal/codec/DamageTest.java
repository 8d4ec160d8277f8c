package dev.sluice.runtime.journal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.runtime.journal.BatchDecoder;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every kind of damage is reported soon and without allocating memory for data that does not exist. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DamageTest {

    private static final int KINDS = RandomRecords.kinds(Event.class).size();

    private static final Instant AT = Instant.parse("2026-01-01T12:00:00Z");
    private static final long MEMORY_MAX = 64 << 20;

    private final BatchDecoder decoder = new BatchDecoder();
    private final EntryDecoder replayDecoder = new EntryDecoder();

    @Test
    void decode_bitFlip_fails() {
        byte[] good = sample(1);
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = good.clone();
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> decode(bytes, 1)).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void decode_truncatedBytes_fails() {
        byte[] good = sample(2);
        for (int length = 0; length < good.length; length += length < 100 ? 1 : 97) {
            byte[] bytes = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> decode(bytes, 1))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(StoreException.Kind.DAMAGED));
        }
    }

    /** With a valid checksum the result may be anything, but decoding is bounded in memory and time. */
    @Test
    void decode_damagedBytesWithValidChecksum_isBounded() {
        byte[] good = sample(3);
        Random random = new Random(3);
        int failures = 0;
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes =
                    random.nextInt(4) == 0 ? Arrays.copyOf(good, 20 + random.nextInt(good.length)) : good.clone();
            for (int turns = 1 + random.nextInt(4); turns > 0; turns--) {
                bytes[1 + random.nextInt(bytes.length - 5)] = (byte) random.nextInt(256);
            }
            failures += failsInLittleMemory(summed(bytes)) ? 1 : 0;
        }
        assertThat(failures).as("undecodable batches").isGreaterThan(300);
    }

    @Test
    void decode_randomBytesWithValidChecksum_isBounded() {
        Random random = new Random(4);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[6 + random.nextInt(2_000)];
            random.nextBytes(bytes);
            bytes[0] = BatchEncoder.FORMAT;
            failsInLittleMemory(summed(bytes));
        }
    }

    @Test
    @Tag("slow")
    void decode_hugeCounts_allocatesNoMemory() {
        for (int position = 0; position < 200; position++) {
            byte[] bytes = Arrays.copyOf(sample(5), 2_000);
            Arrays.fill(bytes, position + 1, position + 5, (byte) 0xFF); // the largest int, if a number begins here
            bytes[position + 5] = 7;
            failsInLittleMemory(summed(bytes));
        }
    }

    private boolean failsInLittleMemory(byte[] bytes) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        boolean failed = false;
        try {
            decode(bytes, 1);
        } catch (StoreException e) {
            assertThat(e.kind()).isEqualTo(StoreException.Kind.DAMAGED);
            failed = true;
        }
        long between = threads.getCurrentThreadAllocatedBytes();
        assertThat(between - before).isLessThan(MEMORY_MAX);
        try {
            replayDecoder.decodeForReplay(bytes, new ArrayList<>());
        } catch (RuntimeException e) {
            assertThat(failed).as("fails only for a replay").isTrue();
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - between).isLessThan(MEMORY_MAX);
        return failed;
    }

    @Test
    void decode_laterFormat_reportsVersion() {
        byte[] bytes = sample(6);
        bytes[0] = BatchEncoder.FORMAT + 1;

        assertThatThrownBy(() -> decode(summed(bytes), 1))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("events 7 to 7")
                .hasMessageContaining("unsupported format version 3; this release supports versions 1 to 2")
                .hasMessageContaining("Restore the store from a backup, or start the release that wrote it");
    }

    @Test
    void decode_unknownEventKind_reportsLaterRelease() {
        BinaryWriter out = new BinaryWriter(null);
        out.octet(BatchEncoder.FORMAT);
        out.instant(AT);
        out.number(1);
        out.text("action");
        out.text("");
        out.number(99 << 2 | 3);

        assertThatThrownBy(() -> decode(out.withSum(), 1)).hasMessageContaining("unknown event number 99");
    }

    @Test
    void decode_unknownField_reportsLaterRelease() {
        BinaryReader in = new BinaryReader(null, new TextCache());
        BinaryWriter out = new BinaryWriter(null);
        out.number(0b1001);
        in.open(out.withSum());

        assertThatThrownBy(() -> PresenceBits.read(in, 0b11, "thing"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("thing with unknown fields");
    }

    @Test
    void decode_wrongNumberOfEvents_fails() {
        assertThatThrownBy(() -> decode(EncodedBatch.of(entries(8), AT), 5))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("expected 5 events but found " + KINDS);
    }

    @Test
    void decoder_afterDamage_decodesTheNextBatch() throws StoreException {
        assertThatThrownBy(() -> decode(Arrays.copyOf(sample(9), 50), 1)).isInstanceOf(StoreException.class);

        assertThat(decode(sample(9), KINDS)).isEqualTo(entries(9));
    }

    @Test
    void decode_queuesNestedTooDeep_fails() {
        BinaryReader in = new BinaryReader(null, new TextCache());
        BinaryWriter out = new BinaryWriter(null);
        out.number(0);
        out.text("p");
        out.number(0);
        out.number(0);
        for (int i = 0; i < 100_000; i++) {
            out.number(1 << 8); // it has children
            out.text("q");
            out.number(0);
            out.number(1);
        }
        ValueReader from = new ValueReader(in);
        from.open(out.withSum());

        assertThatThrownBy(() -> ConfigurationCodec.readPartition(from))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nested more than 500 levels");
    }

    @Test
    void batch_ofEqualTasks_isSmall() {
        List<TaskSpec> tasks = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            tasks.add(TaskSpec.single("task-" + i, Resources.parse("vcore", "1", "memory", "1Gi")));
        }
        Event added = new ApplicationEvent.TasksAdded("default", "app", ApplicationOrigin.UNKNOWN, tasks, AT);

        byte[] bytes = EncodedBatch.of(List.of(new JournalEntry(Cause.CYCLE, List.of(added))), AT);

        assertThat(bytes.length / tasks.size()).as("bytes per task").isLessThan(14);
    }

    private List<JournalEntry> decode(byte[] bytes, int events) throws StoreException {
        return decoder.decode(new StoredBatch(7, events, AT, bytes));
    }

    /** Returns an entry with one event of every kind. */
    private static List<JournalEntry> entries(long seed) {
        RandomRecords random = new RandomRecords(seed);
        List<Event> events = new ArrayList<>();
        for (Class<?> kind : RandomRecords.kinds(Event.class)) {
            events.add(random.event(kind));
        }
        return List.of(new JournalEntry(Cause.internal("test"), events));
    }

    private static byte[] sample(long seed) {
        return EncodedBatch.of(entries(seed), AT);
    }

    /** Replaces the last four bytes by the checksum of the others. */
    private static byte[] summed(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, bytes.length - 4);
        byte[] summed = bytes.clone();
        for (int i = 0; i < 4; i++) {
            summed[bytes.length - 4 + i] = (byte) (sum.getValue() >>> (8 * i));
        }
        return summed;
    }
}
