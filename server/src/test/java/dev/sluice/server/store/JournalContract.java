package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Contract tests of batches: order, damage, exclusive write access. */
abstract class JournalContract extends StoreFixture {

    @Test
    void batches_reopened_areReadInOrder() throws Exception {
        long last = Batches.append(store, 500);
        reopen();
        assertThat(store.lastSequence()).isEqualTo(last);
        assertThat(Batches.read(store, 0)).hasSize(500);
    }

    @Test
    void batches_anySize_areReadInOrder() throws Exception {
        int[] sizes = {0, 1, 5_000_000, 200, 200, 4_000_000, 4_000_000, 100_000, 9_000_000, 1};
        for (int size : sizes) {
            store.append(Batches.at(store.lastSequence() + 1, size), List.of());
        }
        assertThat(Batches.read(store, 0)).hasSize(sizes.length);
    }

    @Test
    void read_fromInsideBatch_startsWithThatBatch() throws Exception {
        store.append(new StoredBatch(1, 5, Batches.START, new byte[] {1}), List.of());
        store.append(new StoredBatch(6, 5, Batches.START, new byte[] {2}), List.of());
        assertThat(firsts(4)).containsExactly(1L, 6L);
        assertThat(firsts(5)).containsExactly(6L);
        assertThat(firsts(9)).containsExactly(6L);
        assertThat(firsts(10)).isEmpty();
    }

    private List<Long> firsts(long after) throws StoreException {
        List<Long> firsts = new ArrayList<>();
        store.read(after, batch -> firsts.add(batch.first()));
        return firsts;
    }

    @Test
    void read_readerReturnsFalse_stops() throws Exception {
        Batches.append(store, 10);
        List<Long> seen = new ArrayList<>();
        store.read(0, batch -> seen.add(batch.first()) && seen.size() < 3);
        assertThat(seen).hasSize(3);
    }

    @Test
    void read_undecodableBody_namesBatch() throws Exception {
        Batches.append(store, 1);
        assertThatThrownBy(() -> store.read(0, batch -> {
                    throw new IOException("no such event");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("events 1 to ")
                .hasMessageContaining("no such event");
    }

    @Test
    void read_duringWrites_hasNoGaps() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Long> writing = CompletableFuture.supplyAsync(() -> {
            try {
                return Batches.append(store, 300);
            } catch (StoreException e) {
                throw new IllegalStateException(e);
            } finally {
                done.set(true);
            }
        });
        while (!done.get()) {
            long before = store.lastSequence();
            List<StoredBatch> batches = Batches.read(store, 0);
            assertThat(batches.isEmpty() ? 0 : batches.get(batches.size() - 1).last())
                    .isGreaterThanOrEqualTo(before);
        }
        writing.get();
        assertThat(Batches.read(store, 0)).hasSize(300);
    }

    @Test
    void append_sameBatchTwice_writesOnce() throws Exception {
        Batches.append(store, 5);
        StoredBatch batch = Batches.at(store.lastSequence() + 1);
        store.append(batch, List.of(Batches.receipt(1)));
        store.append(batch, List.of(Batches.receipt(1)));
        assertThat(Batches.read(store, 0)).hasSize(6);
        assertThat(store.lastSequence()).isEqualTo(batch.last());
    }

    @Test
    void append_conflictingBatch_isInUse() throws Exception {
        Batches.append(store, 1);
        StoredBatch other = new StoredBatch(1, 1, Batches.START, new byte[] {7});
        assertInUse(() -> store.append(other, List.of()));
        assertInUse(() -> Batches.append(store, 1));
        assertThat(Batches.read(store, 0)).hasSize(1);
    }

    @Test
    void append_afterForeignWrite_isInUse() throws Exception {
        execute("INSERT INTO journal (first, last, at_nanos, checksum, body) VALUES (1, 1, 0, 0, '')");
        assertInUse(() -> Batches.append(store, 1));
    }

    @Test
    void append_withGap_throws() throws Exception {
        Batches.append(store, 1);
        assertThatThrownBy(() -> store.append(Batches.at(100), List.of())).isInstanceOf(IllegalArgumentException.class);
        Batches.append(store, 1);
        assertThat(Batches.read(store, 0)).hasSize(2);
    }

    @Test
    void damagedBatch_read_isNamed() throws Exception {
        Batches.append(store, 10);
        List<Long> firsts = firsts(0);
        long damaged = firsts.get(6);
        execute("UPDATE journal SET at_nanos = at_nanos + 1 WHERE first = " + damaged);
        List<Long> seen = new ArrayList<>();
        assertDamaged(() -> store.read(0, batch -> seen.add(batch.first())), "event " + damaged, "backup");
        assertThat(seen).isEqualTo(firsts.subList(0, 6));
    }

    @Test
    void missingBatch_read_isNamed() throws Exception {
        Batches.append(store, 10);
        List<Long> firsts = firsts(0);
        execute("DELETE FROM journal WHERE first = " + firsts.get(3));
        assertDamaged(() -> Batches.read(store, 0), "from " + firsts.get(3), "missing");
        execute("DELETE FROM journal WHERE first = 1");
        assertDamaged(() -> Batches.read(store, 0), "from 1 to " + (firsts.get(1) - 1), "missing");
        execute("DELETE FROM journal WHERE first = " + firsts.get(9));
        assertDamaged(() -> Batches.read(store, firsts.get(7) - 1), "from " + firsts.get(9), "missing");
        execute("DELETE FROM journal");
        assertDamaged(() -> Batches.read(store, 0), "from 1 to ", "missing");
    }

    @Test
    void checkpoint_beyondJournal_isDamage() throws Exception {
        long last = Batches.append(store, 3);
        store.keepCheckpoint(last, Batches.START, out -> out.write(1));
        execute("DELETE FROM journal WHERE last = " + last);
        store.close();
        assertDamaged(this::open, "ends at event", "--accept-loss");
        execute("DELETE FROM checkpoints");
    }
}
