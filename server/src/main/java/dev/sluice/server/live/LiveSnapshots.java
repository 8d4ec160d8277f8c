package dev.sluice.server.live;

import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotBuilder;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots of the running scheduler as an incremental query. While a capture runs, events update the parts
 * already copied, so the snapshot is consistent as of the last step.
 *
 * <p>At most one capture exists at a time, until it has been written: its memory grows with the cluster.
 */
public final class LiveSnapshots implements HistoryRecorder {

    private final HistoryRecorder historyRecords;
    private final Semaphore turn = new Semaphore(1, true);
    private volatile @Nullable SnapshotCapture current;

    /** Observes the events passed to {@code historyRecords}, which it decorates. */
    public LiveSnapshots(HistoryRecorder historyRecords) {
        this.historyRecords = historyRecords;
    }

    @Override
    public List<HistoryRecord> record(long sequence, Cause cause, Event event, SchedulerState state) {
        onEvent(event);
        return historyRecords.record(sequence, cause, event, state);
    }

    private void onEvent(Event event) {
        SnapshotCapture capture = current;
        if (capture != null) {
            capture.onEvent(event);
        }
    }

    /** Starts a capture; waits for a previous one to be closed. Returns null on timeout. */
    public @Nullable SnapshotCapture begin(Duration timeout) throws InterruptedException {
        if (!turn.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return null;
        }
        SnapshotCapture capture = new SnapshotCapture();
        current = capture;
        return capture;
    }

    /** A snapshot being taken or written; the caller must close it. */
    public final class SnapshotCapture implements IncrementalQuery<Snapshot>, AutoCloseable {

        private final AtomicBoolean closed = new AtomicBoolean();
        private @Nullable SnapshotBuilder builder; // only used on the scheduler's thread
        private SnapshotBuilder.@Nullable CapturedState taken;

        private SnapshotCapture() {}

        @Override
        public boolean step(TransactionContext context, StepBudget budget) {
            SnapshotBuilder known = builder == null ? new SnapshotBuilder(context.state()) : builder;
            builder = known;
            if (!known.step(budget)) {
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

        /** Ends the capture and allows the next one. */
        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                current = null;
                turn.release();
            }
        }
    }
}
