package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.FinishedQuery;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.HistoryRecord.TaskEnd;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.JournalStore.Checkpoint;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import dev.sluice.runtime.journal.TaskEndQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store per test, and helpers. */
abstract class StoreFixture {

    JournalStore store;

    /** Opens the store of this test; empty the first time. */
    abstract JournalStore open() throws StoreException;

    /** Prepares an empty store before it is opened. */
    abstract void prepare() throws Exception;

    /** Executes a statement on the tables, bypassing the store. */
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

    void reopen() throws StoreException {
        store.close();
        store = open();
    }

    static void assertInUse(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IN_USE));
    }

    static void assertDamaged(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .hasMessageContainingAll(words)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DAMAGED));
    }

    static void assertUnusable(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .hasMessageContainingAll(words)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNUSABLE));
    }

    Checkpoint latest() throws StoreException {
        @Nullable Checkpoint checkpoint = store.latestCheckpoint();
        assertThat(checkpoint).isNotNull();
        return checkpoint;
    }

    /** Waits for a future and rethrows its failure. */
    static void await(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    static FinishedQuery query(
            @Nullable String id, @Nullable String queue, @Nullable String user, @Nullable ApplicationState state) {
        return new FinishedQuery("default", id, queue, user, state, Long.MAX_VALUE, 1_000);
    }

    List<Long> sequences(FinishedQuery query) throws StoreException {
        return store.finished(query).stream().map(FinishedApplication::sequence).toList();
    }

    static TaskEndQuery ends(String application, @Nullable String task, TaskOutcome... outcomes) {
        return new TaskEndQuery("default", application, Batches.START, task, List.of(outcomes), Long.MAX_VALUE, 1_000);
    }

    List<Long> ends(TaskEndQuery query) throws StoreException {
        return store.taskEnds(query).stream().map(TaskEnd::sequence).toList();
    }
}
