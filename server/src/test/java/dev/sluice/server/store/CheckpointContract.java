package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.journal.JournalStore.Checkpoint;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Contract tests of checkpoints and of discarding old batches. */
abstract class CheckpointContract extends JournalContract {

    @Test
    void checkpoint_severalChunks_isReadAsWritten() throws Exception {
        Batches.append(store, 5);
        byte[] content = new byte[3 * CheckpointTables.CHUNK_BYTES + 17];
        new Random(1).nextBytes(content);
        store.keepCheckpoint(2, Batches.START, out -> out.write("older".getBytes(UTF_8)));
        store.keepCheckpoint(4, Batches.START.plusSeconds(1), out -> {
            out.write(content[0]);
            out.write(content, 1, 1_000);
            out.write(content, 1_001, content.length - 1_001);
        });
        try (Checkpoint checkpoint = latest()) {
            assertThat(checkpoint.sequence()).isEqualTo(4);
            assertThat(checkpoint.at()).isEqualTo(Batches.START.plusSeconds(1));
            assertThat(checkpoint.content().readAllBytes()).isEqualTo(content);
        }
        try (Checkpoint checkpoint = store.checkpointBefore(4)) {
            assertThat(checkpoint).isNotNull();
            assertThat(checkpoint.content().readAllBytes()).asString(UTF_8).isEqualTo("older");
        }
        assertThat(store.checkpointBefore(2)).isNull();
    }

    @Test
    void checkpoint_writerFails_isNotKept() throws Exception {
        Batches.append(store, 5);
        store.keepCheckpoint(2, Batches.START, out -> out.write(2));
        assertThatThrownBy(() -> store.keepCheckpoint(4, Batches.START, out -> {
                    out.write(new byte[2 * CheckpointTables.CHUNK_BYTES]);
                    throw new IOException("no more");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no more");
        reopen();
        assertThat(latest().sequence()).isEqualTo(2);
        store.discard(new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1), Batches.START);
        assertThat(latest().content().readAllBytes()).containsExactly(2);
        execute("CREATE TABLE check_that_one_chunk_is_left AS SELECT 1 / (2 - COUNT(*)) AS x FROM checkpoint_chunks");
        execute("DROP TABLE check_that_one_chunk_is_left");
    }

    @Test
    void checkpoint_damaged_failsOnRead() throws Exception {
        Batches.append(store, 5);
        store.keepCheckpoint(2, Batches.START, out -> out.write(new byte[3 * CheckpointTables.CHUNK_BYTES]));
        execute("UPDATE checkpoint_chunks SET checksum = checksum + 1 WHERE chunk = 1");
        assertThatThrownBy(() -> latest().content().readAllBytes())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chunk 2 of 3 is damaged");
        execute("DELETE FROM checkpoint_chunks WHERE chunk = 1");
        assertThatThrownBy(() -> latest().content().readAllBytes())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chunk 2 of 3 is missing");
        execute("UPDATE checkpoints SET chunks = 1");
        assertThatThrownBy(() -> latest().content().readAllBytes()).isInstanceOf(IOException.class);
    }

    @Test
    void discard_withCheckpoints_keepsBatchesOldestNeeds() throws Exception {
        long last = Batches.append(store, 1_000);
        Instant now = Batches.START.plusSeconds(last);
        List<StoredBatch> all = Batches.read(store, 0);
        for (int i = 200; i <= 800; i += 200) {
            store.keepCheckpoint(all.get(i).last(), all.get(i).at(), out -> out.write(1));
        }
        store.discard(new Retention(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(1), 2), now);
        long included = all.get(600).last();
        assertThat(store.firstSequence()).isEqualTo(included + 1);
        assertThat(Batches.read(store, included)).hasSize(1_000 - 601);
        assertThat(store.checkpointBefore(included)).isNull();
        assertThat(latest().sequence()).isEqualTo(all.get(800).last());
        assertDamaged(() -> Batches.read(store, 0), "discarded");
        reopen();
        assertThat(Batches.read(store, included)).hasSize(1_000 - 601);
        assertThat(store.lastSequence()).isEqualTo(last);
    }

    @Test
    void discard_youngBatches_keepsThem() throws Exception {
        long last = Batches.append(store, 100);
        store.keepCheckpoint(last, Batches.START, out -> out.write(1));
        Instant now = Batches.START.plusSeconds(last);
        store.discard(new Retention(Duration.ofSeconds(50), Duration.ZERO, Duration.ofSeconds(20), 1), now);
        List<StoredBatch> left = Batches.read(store, store.firstSequence() - 1);
        assertThat(left.get(0).at()).isBetween(now.minusSeconds(50), now.minusSeconds(47));
        assertThat(store.idempotencyRecords(Instant.EPOCH, 1_000))
                .isNotEmpty()
                .allSatisfy(receipt -> assertThat(receipt.at()).isAfterOrEqualTo(now.minusSeconds(20)));
        assertThat(store.finished(query(null, null, null, null)))
                .allSatisfy(application -> assertThat(application.ended()).isAfterOrEqualTo(now));
    }

    @Test
    void discard_all_keepsSequence() throws Exception {
        long last = Batches.append(store, 10);
        store.keepCheckpoint(last, Batches.START, out -> out.write(1));
        store.discard(Retention.DEFAULT, Batches.START.plus(Duration.ofDays(100)));
        reopen();
        assertThat(store.lastSequence()).isEqualTo(last);
        assertThat(store.firstSequence()).isEqualTo(last + 1);
        assertThat(Batches.read(store, last)).isEmpty();
        Batches.append(store, 1);
        assertThat(Batches.read(store, last)).hasSize(1);
    }

    @Test
    void discard_withoutCheckpoint_keepsAllBatches() throws Exception {
        Batches.append(store, 10);
        store.discard(Retention.DEFAULT, Batches.START.plus(Duration.ofDays(1_000)));
        assertThat(Batches.read(store, 0)).hasSize(10);
    }

    @Test
    void appendCheckpointAndDiscard_concurrently_succeed() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            try {
                while (!done.get()) {
                    long last = store.lastSequence();
                    store.keepCheckpoint(last, Batches.START, out -> out.write(new byte[1_500_000]));
                    store.discard(
                            new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1),
                            Batches.START.plusSeconds(last));
                }
            } catch (StoreException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            Batches.append(store, 1_000);
        } finally {
            done.set(true);
        }
        others.get();
        assertThat(Batches.read(store, latest().sequence())).isNotNull();
        assertThat(latest().content().readAllBytes()).hasSize(1_500_000);
    }
}
