package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.JournalStore.Snapshot;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.journal.Keepsake.ConfigurationRevision;
import dev.sluice.runtime.journal.Keepsake.FinishedApplication;
import dev.sluice.runtime.journal.Keepsake.Receipt;
import dev.sluice.runtime.journal.Keepsake.TaskEnd;
import dev.sluice.runtime.journal.Retention;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import dev.sluice.runtime.journal.StoredBatch;
import dev.sluice.runtime.journal.TaskEndQuery;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store must do. */
abstract class StoreContract {

    JournalStore store;

    /** Opens the store of this test; the first time it is empty. */
    abstract JournalStore open() throws StoreException;

    /** Prepares an empty store, before it is opened. */
    abstract void prepare() throws Exception;

    /** Executes a statement on its tables behind its back. */
    abstract void execute(String sql) throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        prepare();
        store = open();
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    private void reopen() throws StoreException {
        store.close();
        store = open();
    }

    @Test
    void store_whenNew_isEmpty() throws Exception {
        assertThat(store.lastSequence()).isZero();
        assertThat(store.firstSequence()).isEqualTo(1);
        assertThat(Batches.read(store, 0)).isEmpty();
        assertThat(store.latestSnapshot()).isNull();
        assertThat(store.receipts(Instant.EPOCH, 10)).isEmpty();
        assertThat(store.revisions(Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void batches_whenReopened_areReadInOrder() throws Exception {
        long last = Batches.append(store, 3_000);
        reopen();
        assertThat(store.lastSequence()).isEqualTo(last);
        assertThat(Batches.read(store, 0)).hasSize(3_000);
    }

    @Test
    void batches_ofAnySize_areReadInOrder() throws Exception {
        int[] sizes = {0, 1, 5_000_000, 200, 200, 4_000_000, 4_000_000, 100_000, 9_000_000, 1};
        for (int size : sizes) {
            store.append(Batches.at(store.lastSequence() + 1, size), List.of());
        }
        assertThat(Batches.read(store, 0)).hasSize(sizes.length);
    }

    @Test
    void read_fromInsideABatch_beginsWithThatBatch() throws Exception {
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
    void read_whenReaderHasEnough_ends() throws Exception {
        Batches.append(store, 10);
        List<Long> seen = new ArrayList<>();
        store.read(0, batch -> seen.add(batch.first()) && seen.size() < 3);
        assertThat(seen).hasSize(3);
    }

    @Test
    void read_whenBodyIsNotUnderstood_saysWhichBatch() throws Exception {
        Batches.append(store, 1);
        assertThatThrownBy(() -> store.read(0, batch -> {
                    throw new IOException("no such event");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("events 1 to ")
                .hasMessageContaining("no such event");
    }

    @Test
    void read_whileBatchesAreWritten_hasNoGaps() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Long> writing = CompletableFuture.supplyAsync(() -> {
            try {
                return Batches.append(store, 1_000);
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
        assertThat(Batches.read(store, 0)).hasSize(1_000);
    }

    @Test
    void append_ofTheSameBatchAgain_writesItOnce() throws Exception {
        Batches.append(store, 5);
        StoredBatch batch = Batches.at(store.lastSequence() + 1);
        store.append(batch, List.of(Batches.receipt(1)));
        store.append(batch, List.of(Batches.receipt(1)));
        assertThat(Batches.read(store, 0)).hasSize(6);
        assertThat(store.lastSequence()).isEqualTo(batch.last());
    }

    @Test
    void append_ofAnotherBatchInTheSamePlace_isTaken() throws Exception {
        Batches.append(store, 1);
        StoredBatch other = new StoredBatch(1, 1, Batches.START, new byte[] {7});
        assertTaken(() -> store.append(other, List.of()));
        assertTaken(() -> Batches.append(store, 1));
        assertThat(Batches.read(store, 0)).hasSize(1);
    }

    @Test
    void append_whenSomebodyElseWrote_isTaken() throws Exception {
        execute("INSERT INTO journal (first, last, at_nanos, checksum, body) VALUES (1, 1, 0, 0, '')");
        assertTaken(() -> Batches.append(store, 1));
    }

    private static void assertTaken(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TAKEN));
    }

    @Test
    void append_withAGap_isABug() throws Exception {
        Batches.append(store, 1);
        assertThatThrownBy(() -> store.append(Batches.at(100), List.of())).isInstanceOf(IllegalArgumentException.class);
        Batches.append(store, 1);
        assertThat(Batches.read(store, 0)).hasSize(2);
    }

    @Test
    void damagedBatch_whenRead_isNamed() throws Exception {
        Batches.append(store, 10);
        List<Long> firsts = firsts(0);
        long damaged = firsts.get(6);
        execute("UPDATE journal SET at_nanos = at_nanos + 1 WHERE first = " + damaged);
        List<Long> seen = new ArrayList<>();
        assertDamaged(() -> store.read(0, batch -> seen.add(batch.first())), "event " + damaged, "backup");
        assertThat(seen).isEqualTo(firsts.subList(0, 6));
    }

    @Test
    void missingBatch_whenRead_isNamed() throws Exception {
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
    void snapshotOfMoreThanTheJournalHas_whenOpened_isDamage() throws Exception {
        long last = Batches.append(store, 3);
        store.keepSnapshot(last, Batches.START, out -> out.write(1));
        execute("DELETE FROM journal WHERE last = " + last);
        store.close();
        assertDamaged(this::open, "ends at event", "--accept-loss");
        execute("DELETE FROM snapshots");
    }

    static void assertDamaged(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .hasMessageContainingAll(words)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DAMAGED));
    }

    @Test
    void tables_ofANewerVersion_areNotOpened() throws Exception {
        execute("UPDATE meta SET value = 99 WHERE name = 'format'");
        store.close();
        assertUnusable(this::open, "newer");
        execute("UPDATE meta SET value = 1 WHERE name = 'format'");
        execute("UPDATE flyway_schema_history SET version = '77' WHERE version = '1'");
        assertUnusable(this::open, "newer");
    }

    static void assertUnusable(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .hasMessageContainingAll(words)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNUSABLE));
    }

    @Test
    void snapshot_ofSeveralChunks_isReadAsWritten() throws Exception {
        Batches.append(store, 5);
        byte[] content = new byte[3 * SnapshotTables.CHUNK_BYTES + 17];
        new Random(1).nextBytes(content);
        store.keepSnapshot(2, Batches.START, out -> out.write("older".getBytes(UTF_8)));
        store.keepSnapshot(4, Batches.START.plusSeconds(1), out -> {
            out.write(content[0]);
            out.write(content, 1, 1_000);
            out.write(content, 1_001, content.length - 1_001);
        });
        try (Snapshot snapshot = latest()) {
            assertThat(snapshot.sequence()).isEqualTo(4);
            assertThat(snapshot.at()).isEqualTo(Batches.START.plusSeconds(1));
            assertThat(snapshot.content().readAllBytes()).isEqualTo(content);
        }
        try (Snapshot snapshot = store.snapshotBefore(4)) {
            assertThat(snapshot).isNotNull();
            assertThat(snapshot.content().readAllBytes()).asString(UTF_8).isEqualTo("older");
        }
        assertThat(store.snapshotBefore(2)).isNull();
    }

    private Snapshot latest() throws StoreException {
        @Nullable Snapshot snapshot = store.latestSnapshot();
        assertThat(snapshot).isNotNull();
        return snapshot;
    }

    @Test
    void snapshot_whenWriterFails_isNotKept() throws Exception {
        Batches.append(store, 5);
        store.keepSnapshot(2, Batches.START, out -> out.write(2));
        assertThatThrownBy(() -> store.keepSnapshot(4, Batches.START, out -> {
                    out.write(new byte[2 * SnapshotTables.CHUNK_BYTES]);
                    throw new IOException("no more");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no more");
        reopen();
        assertThat(latest().sequence()).isEqualTo(2);
        store.discard(new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1), Batches.START);
        assertThat(latest().content().readAllBytes()).containsExactly(2);
        execute("CREATE TABLE check_that_one_chunk_is_left AS SELECT 1 / (2 - COUNT(*)) AS x FROM snapshot_chunks");
        execute("DROP TABLE check_that_one_chunk_is_left");
    }

    @Test
    void snapshot_whenDamaged_failsWhenRead() throws Exception {
        Batches.append(store, 5);
        store.keepSnapshot(2, Batches.START, out -> out.write(new byte[3 * SnapshotTables.CHUNK_BYTES]));
        execute("UPDATE snapshot_chunks SET checksum = checksum + 1 WHERE chunk = 1");
        assertThatThrownBy(() -> latest().content().readAllBytes())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("part 2 of 3 is damaged");
        execute("DELETE FROM snapshot_chunks WHERE chunk = 1");
        assertThatThrownBy(() -> latest().content().readAllBytes())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("part 2 of 3 is missing");
        execute("UPDATE snapshots SET chunks = 1");
        assertThatThrownBy(() -> latest().content().readAllBytes()).isInstanceOf(IOException.class);
    }

    @Test
    void discard_withSnapshots_keepsWhatTheOldestOfThemNeeds() throws Exception {
        long last = Batches.append(store, 1_000);
        Instant now = Batches.START.plusSeconds(last);
        List<StoredBatch> all = Batches.read(store, 0);
        for (int i = 200; i <= 800; i += 200) {
            store.keepSnapshot(all.get(i).last(), all.get(i).at(), out -> out.write(1));
        }
        store.discard(new Retention(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(1), 2), now);
        long included = all.get(600).last();
        assertThat(store.firstSequence()).isEqualTo(included + 1);
        assertThat(Batches.read(store, included)).hasSize(1_000 - 601);
        assertThat(store.snapshotBefore(included)).isNull();
        assertThat(latest().sequence()).isEqualTo(all.get(800).last());
        assertDamaged(() -> Batches.read(store, 0), "discarded");
        reopen();
        assertThat(Batches.read(store, included)).hasSize(1_000 - 601);
        assertThat(store.lastSequence()).isEqualTo(last);
    }

    @Test
    void discard_ofYoungBatches_leavesThem() throws Exception {
        long last = Batches.append(store, 100);
        store.keepSnapshot(last, Batches.START, out -> out.write(1));
        Instant now = Batches.START.plusSeconds(last);
        store.discard(new Retention(Duration.ofSeconds(50), Duration.ZERO, Duration.ofSeconds(20), 1), now);
        List<StoredBatch> left = Batches.read(store, store.firstSequence() - 1);
        assertThat(left.get(0).at()).isBetween(now.minusSeconds(50), now.minusSeconds(47));
        assertThat(store.receipts(Instant.EPOCH, 1_000))
                .isNotEmpty()
                .allSatisfy(receipt -> assertThat(receipt.at()).isAfterOrEqualTo(now.minusSeconds(20)));
        assertThat(store.finished(query(null, null, null, null)))
                .allSatisfy(application -> assertThat(application.ended()).isAfterOrEqualTo(now));
    }

    @Test
    void discard_ofAll_keepsCounting() throws Exception {
        long last = Batches.append(store, 10);
        store.keepSnapshot(last, Batches.START, out -> out.write(1));
        store.discard(Retention.DEFAULT, Batches.START.plus(Duration.ofDays(100)));
        reopen();
        assertThat(store.lastSequence()).isEqualTo(last);
        assertThat(store.firstSequence()).isEqualTo(last + 1);
        assertThat(Batches.read(store, last)).isEmpty();
        Batches.append(store, 1);
        assertThat(Batches.read(store, last)).hasSize(1);
    }

    @Test
    void discard_withoutSnapshot_keepsAllBatches() throws Exception {
        Batches.append(store, 10);
        store.discard(Retention.DEFAULT, Batches.START.plus(Duration.ofDays(1_000)));
        assertThat(Batches.read(store, 0)).hasSize(10);
    }

    @Test
    void appendSnapshotAndDiscard_atTheSameTime_disturbNothing() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            try {
                while (!done.get()) {
                    long last = store.lastSequence();
                    store.keepSnapshot(last, Batches.START, out -> out.write(new byte[1_500_000]));
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

    @Test
    void receipts_whenReopened_areTheNewestOldestFirst() throws Exception {
        Batches.append(store, 20);
        reopen();
        List<Receipt> all = store.receipts(Batches.START, 100);
        assertThat(all).hasSize(20);
        assertThat(all).extracting(Receipt::at).isSorted();
        assertThat(all.get(0)).isEqualTo(Batches.receipt(1));
        assertThat(store.receipts(Batches.START, 3)).isEqualTo(all.subList(17, 20));
        assertThat(store.receipts(all.get(15).at(), 100)).isEqualTo(all.subList(15, 20));
    }

    @Test
    void receipt_withAKnownKey_replacesIt() throws Exception {
        Receipt second = new Receipt("key-1", "other", 409, "no", Batches.START.plusSeconds(9));
        store.append(Batches.at(1), List.of(Batches.receipt(1), Batches.receipt(2), second));
        assertThat(store.receipts(Instant.EPOCH, 10)).containsExactly(Batches.receipt(2), second);
        store.append(Batches.at(store.lastSequence() + 1), List.of(Batches.receipt(1)));
        assertThat(store.receipts(Instant.EPOCH, 10)).containsExactly(Batches.receipt(1), Batches.receipt(2));
    }

    @Test
    void keep_ofReceiptsWithoutEvents_outlivesTheWriter() throws Exception {
        Batches.append(store, 1);
        store.keep(List.of(Batches.receipt(8), Batches.receipt(9)));
        store.keep(List.of(Batches.receipt(9)));
        reopen();
        assertThat(store.receipts(Instant.EPOCH, 10))
                .containsExactly(Batches.receipt(1), Batches.receipt(8), Batches.receipt(9));
        assertThat(store.lastSequence()).isEqualTo(1);
        Batches.append(store, 1);
    }

    @Test
    void texts_ofAnyKind_areKept() throws Exception {
        Receipt odd = new Receipt("a\0b", "ü€😀'\";--", 200, "\u0001\n\ufffe", Instant.MAX);
        ConfigurationRevision revision = new ConfigurationRevision(1, "\0", "", "x".repeat(2_000_000), Instant.MIN);
        store.append(Batches.at(1), List.of(odd, revision));
        assertThat(store.receipts(Instant.EPOCH, 1).get(0))
                .usingRecursiveComparison()
                .ignoringFields("at")
                .isEqualTo(new Receipt("a\ufffdb", "ü€😀'\";--", 200, "\u0001\n\ufffe", Instant.MAX));
        assertThat(store.revisions(2, 1).get(0).text()).hasSize(2_000_000);
    }

    @Test
    void finished_byAnything_areFoundLastFirst() throws Exception {
        List<Keepsake> keepsakes = new ArrayList<>();
        keepsakes.add(Batches.finished(1, "etl", "root.a", "alice", ApplicationState.COMPLETED));
        keepsakes.add(Batches.finished(2, "etl", "root.a.b", "bob", ApplicationState.FAILED));
        keepsakes.add(Batches.finished(3, "sum", "root.a-b", "alice", ApplicationState.FAILED));
        keepsakes.add(Batches.finished(4, "sum", "root.ab", "bob", ApplicationState.COMPLETED));
        keepsakes.add(Batches.finished(5, "max", "", "eve", ApplicationState.REJECTED));
        store.append(Batches.at(1), keepsakes);
        assertThat(sequences(query(null, null, null, null))).containsExactly(5L, 4L, 3L, 2L, 1L);
        assertThat(sequences(query("etl", null, null, null))).containsExactly(2L, 1L);
        assertThat(sequences(query(null, "root.a", null, null))).containsExactly(2L, 1L);
        assertThat(sequences(query(null, "root", null, null))).containsExactly(4L, 3L, 2L, 1L);
        assertThat(sequences(query(null, null, "alice", null))).containsExactly(3L, 1L);
        assertThat(sequences(query(null, null, null, ApplicationState.FAILED))).containsExactly(3L, 2L);
        assertThat(sequences(query("etl", "root.a", "bob", ApplicationState.FAILED)))
                .containsExactly(2L);
        assertThat(sequences(new FinishedQuery("other", null, null, null, null, Long.MAX_VALUE, 9)))
                .isEmpty();
        assertThat(sequences(new FinishedQuery("default", null, null, null, null, 4, 2)))
                .containsExactly(3L, 2L);
        assertThat(store.finished(query("max", null, null, null)))
                .containsExactly((FinishedApplication) keepsakes.get(4));
    }

    private static FinishedQuery query(
            @Nullable String id, @Nullable String queue, @Nullable String user, @Nullable ApplicationState state) {
        return new FinishedQuery("default", id, queue, user, state, Long.MAX_VALUE, 1_000);
    }

    private List<Long> sequences(FinishedQuery query) throws StoreException {
        return store.finished(query).stream().map(FinishedApplication::sequence).toList();
    }

    @Test
    void taskEnds_ofAnApplication_areFoundLastFirst() throws Exception {
        List<Keepsake> keepsakes = new ArrayList<>();
        keepsakes.add(Batches.taskEnd(1, "etl", "t-0", TaskOutcome.FAILED));
        keepsakes.add(Batches.taskEnd(2, "etl", "t-1", TaskOutcome.SUCCEEDED));
        keepsakes.add(Batches.taskEnd(3, "sum", "t-0", TaskOutcome.SUCCEEDED));
        keepsakes.add(Batches.taskEnd(4, "etl", "t-0", TaskOutcome.LOST));
        TaskEnd dropped = new TaskEnd(
                5,
                "default",
                "etl",
                Batches.START,
                "u",
                0,
                null,
                null,
                null,
                Batches.START.plusSeconds(5),
                TaskOutcome.STOPPED,
                null,
                "dropped",
                false);
        keepsakes.add(dropped);
        store.append(Batches.at(1), keepsakes);
        store.append(Batches.at(store.lastSequence() + 1), List.of());
        assertThat(store.taskEnds(ends("etl", null)))
                .containsExactly(
                        dropped, (TaskEnd) keepsakes.get(3), (TaskEnd) keepsakes.get(1), (TaskEnd) keepsakes.get(0));
        assertThat(ends(ends("etl", "t-0"))).containsExactly(4L, 1L);
        assertThat(ends(ends("etl", null, TaskOutcome.FAILED, TaskOutcome.LOST)))
                .containsExactly(4L, 1L);
        assertThat(ends(new TaskEndQuery("default", "etl", Batches.START, null, List.of(), 4, 1)))
                .containsExactly(2L);
        assertThat(ends(new TaskEndQuery("other", "etl", Batches.START, null, List.of(), 9, 9)))
                .isEmpty();
        assertThat(ends(new TaskEndQuery("default", "etl", Batches.START.plusNanos(1), null, List.of(), 9, 9)))
                .isEmpty();
    }

    private static TaskEndQuery ends(String application, @Nullable String task, TaskOutcome... outcomes) {
        return new TaskEndQuery("default", application, Batches.START, task, List.of(outcomes), Long.MAX_VALUE, 1_000);
    }

    private List<Long> ends(TaskEndQuery query) throws StoreException {
        return store.taskEnds(query).stream().map(TaskEnd::sequence).toList();
    }

    @Test
    void taskEnds_thatAreOld_areDiscarded() throws Exception {
        List<Keepsake> keepsakes = new ArrayList<>();
        for (int i = 1; i <= 1_000; i++) {
            keepsakes.add(Batches.taskEnd(i, "etl", "t-" + i, TaskOutcome.SUCCEEDED));
        }
        store.append(Batches.at(1), keepsakes);
        store.discard(
                Retention.DEFAULT,
                Batches.START.plus(Retention.DEFAULT.finished()).plusSeconds(900));
        assertThat(ends(ends("etl", null))).hasSize(101).endsWith(900L);
    }

    @Test
    void tables_ofTheFirstVersion_areBroughtUpToDate() throws Exception {
        Batches.append(store, 10);
        execute("DROP TABLE task_ends");
        execute("DELETE FROM flyway_schema_history WHERE version = '3'");
        reopen();
        assertThat(Batches.read(store, 0)).hasSize(10);
        store.append(
                Batches.at(store.lastSequence() + 1),
                List.of(Batches.taskEnd(store.lastSequence() + 1, "etl", "t", TaskOutcome.SUCCEEDED)));
        assertThat(ends(ends("etl", null))).hasSize(1);
    }

    @Test
    void revisions_newestFirst_areFoundByPage() throws Exception {
        List<Keepsake> revisions = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            revisions.add(new ConfigurationRevision(i, "alice", "note " + i, "partitions: []", Batches.START));
        }
        store.append(Batches.at(1), revisions);
        assertThat(store.revisions(5, 2)).isEqualTo(List.of(revisions.get(3), revisions.get(2)));
    }

    @Test
    void store_whenOpenedTwice_saysWhoHasIt() {
        assertThatThrownBy(this::open)
                .hasMessageContaining(Long.toString(ProcessHandle.current().pid()))
                .hasMessageContaining(FolderLock.host())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TAKEN));
    }

    @Test
    void store_whenOpenedInVain_staysWithItsOwner() throws Exception {
        assertThatThrownBy(this::open).isInstanceOf(StoreException.class);
        assertThatThrownBy(this::open).isInstanceOf(StoreException.class);
        Batches.append(store, 2);
        reopen();
        assertThat(Batches.read(store, 0)).hasSize(2);
    }

    @Test
    void store_whenClosed_refusesToWrite() {
        store.close();
        store.close();
        assertThatThrownBy(() -> Batches.append(store, 1))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void thread_whenInterrupted_stillAppends() throws Exception {
        Thread.currentThread().interrupt();
        try {
            Batches.append(store, 3);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(Batches.read(store, 0)).hasSize(3);
    }

    /** Waits for others, and tells what they threw. */
    static void await(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
