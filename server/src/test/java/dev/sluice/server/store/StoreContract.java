package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import dev.sluice.runtime.journal.UsageQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract tests of every store: those of the superclasses, and exclusive ownership from opening to closing. */
abstract class StoreContract extends HistoryTablesContract {

    @Test
    void store_new_isEmpty() throws Exception {
        assertThat(store.lastSequence()).isZero();
        assertThat(store.firstSequence()).isEqualTo(1);
        assertThat(Batches.read(store, 0)).isEmpty();
        assertThat(store.latestCheckpoint()).isNull();
        assertThat(store.idempotencyRecords(Instant.EPOCH, 10)).isEmpty();
        assertThat(store.revisions(Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void tables_ofNewerVersion_areNotOpened() throws Exception {
        execute("UPDATE meta SET value = 99 WHERE name = 'format'");
        store.close();
        assertUnusable(this::open, "newer");
        execute("UPDATE meta SET value = 1 WHERE name = 'format'");
        execute("UPDATE flyway_schema_history SET version = '77' WHERE version = '1'");
        assertUnusable(this::open, "newer");
    }

    @Test
    void tables_ofFirstVersion_areMigrated() throws Exception {
        Batches.append(store, 10);
        execute("DROP TABLE task_ends");
        execute("ALTER TABLE checkpoints RENAME TO snapshots");
        execute("ALTER TABLE snapshots RENAME COLUMN checkpoint TO snapshot");
        execute("ALTER TABLE checkpoint_chunks RENAME TO snapshot_chunks");
        execute("ALTER TABLE snapshot_chunks RENAME COLUMN checkpoint TO snapshot");
        execute("DROP INDEX idempotency_records_by_time");
        execute("ALTER TABLE idempotency_records RENAME TO receipts");
        execute("CREATE INDEX receipts_by_time ON receipts (at_nanos)");
        execute("DROP TABLE run_usage");
        execute("DROP TABLE run_accounts");
        execute("DROP INDEX finished_by_time");
        execute("DROP INDEX finished_by_name");
        execute("DROP INDEX finished_by_path");
        execute("DROP INDEX finished_by_submitted");
        execute("DROP INDEX finished_by_duration");
        execute("DROP TABLE notifications");
        execute("DROP TABLE audit");
        execute("DROP TABLE demand");
        execute("DROP TABLE waits");
        execute("DROP TABLE access_tokens");
        execute("DROP TABLE IF EXISTS writer"); // only in PostgreSQL
        execute("DELETE FROM flyway_schema_history"
                + " WHERE version IN ('3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15', '16')");
        reopen();
        assertThat(store.finished(new FinishedQuery("default", null, null, null, null, Long.MAX_VALUE, 100)))
                .hasSize(10);
        store.usage(
                new UsageQuery("default", Instant.MIN, Instant.MAX, Long.MAX_VALUE, true),
                (account, node, placed, released, waited, end, cpu) -> fail("runs that were not recorded"));
        assertThat(Batches.read(store, 0)).hasSize(10);
        store.append(
                Batches.at(store.lastSequence() + 1),
                List.of(Batches.taskEnd(store.lastSequence() + 1, "etl", "t", TaskOutcome.SUCCEEDED)));
        assertThat(ends(ends("etl", null))).hasSize(1);
    }

    @Test
    void runs_endedBeforeUseWasMeasured_areRead() throws Exception {
        HistoryRecord.TaskEnd end = Batches.taskEnd(1, "etl", "t", TaskOutcome.SUCCEEDED);
        store.append(
                Batches.at(1),
                List.of(
                        end.withUse(new TreeMap<>(), new MeasuredUse(Duration.ofSeconds(1), null, 2L)),
                        new HistoryRecord.RunUsage(
                                1,
                                new RunAccount("default", "root.a", "ada", "etl", new TreeMap<>()),
                                "n",
                                Batches.START,
                                Batches.START.plusSeconds(1),
                                null,
                                RunEnd.SUCCEEDED,
                                Duration.ofSeconds(1))));
        for (String column : List.of("resources", "cpu_nanos", "memory_peak")) {
            execute("ALTER TABLE task_ends DROP COLUMN " + column);
        }
        execute("ALTER TABLE run_usage DROP COLUMN cpu_nanos");
        execute("DELETE FROM flyway_schema_history WHERE version = '16'");
        reopen();
        assertThat(store.taskEnds(ends("etl", null))).containsExactly(end);
        List<@Nullable Long> cpuNanos = new ArrayList<>();
        store.usage(
                new UsageQuery("default", Instant.MIN, Instant.MAX, Long.MAX_VALUE, true),
                (account, node, placed, released, waited, ended, cpu) -> cpuNanos.add(cpu));
        assertThat(cpuNanos).containsOnlyNulls();
    }

    @Test
    void store_openedTwice_namesHolder() {
        assertThatThrownBy(this::open)
                .hasMessageContaining(Long.toString(ProcessHandle.current().pid()))
                .hasMessageContaining(FolderLock.host())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IN_USE));
    }

    @Test
    void store_failedSecondOpen_staysWithOwner() throws Exception {
        assertThatThrownBy(this::open).isInstanceOf(StoreException.class);
        assertThatThrownBy(this::open).isInstanceOf(StoreException.class);
        Batches.append(store, 2);
        reopen();
        assertThat(Batches.read(store, 0)).hasSize(2);
    }

    @Test
    void store_closed_refusesWrites() {
        store.close();
        store.close();
        assertThatThrownBy(() -> Batches.append(store, 1))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void thread_interrupted_stillAppends() throws Exception {
        Thread.currentThread().interrupt();
        try {
            Batches.append(store, 3);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(Batches.read(store, 0)).hasSize(3);
    }
}
