package dev.sluice.server.live;

import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotBuilder;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.loop.HistoryRecordSource;
import dev.sluice.runtime.loop.IncrementalQuery;
import dev.sluice.runtime.loop.TransactionContext;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots of the scheduler while it goes on, as a question in pieces. It hears of every event, which updates what was copied
 * before, so all of it is of one instant: that of the last piece.
 *
 * <p>There is one at a time, until it has been written: each takes memory that grows with the cluster.
 */
public final class LiveSnapshots implements HistoryRecordSource {

    private final HistoryRecordSource historyRecords;
    private final Semaphore turn = new Semaphore(1, true);
    private volatile @Nullable SnapshotCapture current;

    /** Hears of the events for which this tells what is kept. */
    public LiveSnapshots(HistoryRecordSource historyRecords) {
        this.historyRecords = historyRecords;
    }

    @Override
    public @Nullable HistoryRecord project(long sequence, Event event, SchedulerState state) {
        SnapshotCapture capture = current;
        if (capture != null) {
            capture.onEvent(event);
        }
        return historyRecords.project(sequence, event, state);
    }

    /** Begins to take one when no other is under way; null if it took longer than this until it could. */
    public @Nullable SnapshotCapture begin(Duration timeout) throws InterruptedException {
        if (!turn.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return null;
        }
        SnapshotCapture capture = new SnapshotCapture();
        current = capture;
        return capture;
    }

    /** A snapshot that is being taken or written; to be closed. */
    public final class SnapshotCapture implements IncrementalQuery<Snapshot>, AutoCloseable {

        private final AtomicBoolean closed = new AtomicBoolean();
        private @Nullable SnapshotBuilder builder; // of the scheduler's thread
        private SnapshotBuilder.@Nullable CapturedState taken;

        private SnapshotCapture() {}

        @Override
        public boolean step(TransactionContext context, StepBudget looks) {
            SnapshotBuilder known = builder == null ? new SnapshotBuilder(context.state()) : builder;
            builder = known;
            if (!known.step(looks)) {
                return false;
            }
            builder = null;
            taken = known.finish(context.now());
            return true;
        }

        private void onEvent(Event event) {
            SnapshotBuilder known = builder;
            if (known != null) {
                known.onEvent(event);
            }
        }

        @Override
        public Snapshot answer() {
            return Objects.requireNonNull(taken).snapshot();
        }

        /** Takes no more, and lets others have their turn. */
        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                current = null;
                turn.release();
            }
        }
    }
}
