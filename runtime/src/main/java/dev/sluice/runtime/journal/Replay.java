package dev.sluice.runtime.journal;

import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Restores the state from the latest readable checkpoint and all events after it. Any problem is a
 * {@link StoreException} with the number of the affected event and a suggested fix.
 */
public final class Replay {

    /** The number of events between two progress reports. */
    private static final int PROGRESS_EVENTS = 100_000;

    private final JournalReader store;
    private final ReplayListener listener;
    private final BooleanSupplier shouldContinue;
    private Scheduler scheduler = new Scheduler();
    private SchedulerState state = scheduler.state();
    private long checkpoint;
    private long sequence;
    private long reported;
    private long last;
    private Instant at = Instant.EPOCH;

    private Replay(JournalReader store, ReplayListener listener, BooleanSupplier shouldContinue) {
        this.store = store;
        this.listener = listener;
        this.shouldContinue = shouldContinue;
    }

    /** Restores the state at full speed: other threads read and decode what this thread applies. */
    public static Restored of(JournalReader store, ReplayListener listener) throws StoreException {
        Replay replay = new Replay(store, listener, () -> true);
        replay.begin();
        int decoders = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
        try (ReadAheadDecoder batches = new ReadAheadDecoder(store, replay.sequence, decoders)) {
            for (DecodedBatch batch = batches.next(); batch != null; batch = batches.next()) {
                replay.apply(batch);
            }
        }
        return replay.end();
    }

    /**
     * Restores the state on this thread only, leaving resources to more urgent work.
     *
     * @param shouldContinue called repeatedly; may block to throttle the replay
     * @return null if it was cancelled
     */
    static @Nullable Restored inBackground(JournalReader store, ReplayListener listener, BooleanSupplier shouldContinue)
            throws StoreException {
        Replay replay = new Replay(store, listener, shouldContinue);
        replay.begin();
        if (!shouldContinue.getAsBoolean()) {
            return null;
        }
        BatchDecoder decoder = new BatchDecoder();
        long from = replay.sequence;
        StoreException[] failure = new StoreException[1];
        store.read(from, batch -> {
            try {
                replay.apply(DecodedBatch.of(batch, decoder));
            } catch (StoreException e) {
                failure[0] = e;
            }
            return failure[0] == null && shouldContinue.getAsBoolean();
        });
        if (failure[0] != null) {
            throw failure[0];
        }
        return shouldContinue.getAsBoolean() ? replay.end() : null;
    }

    /** Restores the latest readable checkpoint, if there are any. */
    private void begin() throws StoreException {
        last = store.lastSequence();
        long before = Long.MAX_VALUE;
        @Nullable Exception problem = null;
        while (true) {
            JournalStore.Checkpoint kept = store.checkpointBefore(before);
            if (kept == null) {
                break;
            }
            before = kept.sequence();
            try (kept) {
                scheduler = CheckpointContent.read(CancellableStreams.input(kept.content(), shouldContinue));
                state = scheduler.state();
                checkpoint = kept.sequence();
                sequence = checkpoint;
                reported = checkpoint;
                at = kept.at();
                return;
            } catch (IOException e) {
                if (!shouldContinue.getAsBoolean()) {
                    return;
                }
                listener.unreadableCheckpoint(kept.sequence(), e);
                problem = e;
            }
        }
        if (problem != null && store.firstSequence() > 1) {
            StoreException damage = new StoreException(
                    StoreException.Kind.DAMAGED,
                    "no checkpoint is readable, and the journal starts at event " + store.firstSequence()
                            + ", so the earlier state is lost. Restore the store from a backup");
            damage.initCause(problem);
            throw damage;
        }
    }

    private void apply(DecodedBatch batch) throws StoreException {
        if (batch.first() > sequence + 1 || batch.last() <= sequence) {
            throw missing(batch.first() - 1);
        }
        List<Event> events = batch.events();
        try {
            for (int i = (int) (sequence + 1 - batch.first()); i < events.size(); i++) {
                state.apply(events.get(i));
                sequence++;
            }
        } catch (RuntimeException e) {
            throw new StoreException(
                    StoreException.Kind.DAMAGED,
                    "event " + (sequence + 1) + " of the journal does not match the state before it: " + e.getMessage()
                            + ". Restore the store from a backup, and report this as a bug",
                    e);
        }
        at = batch.at();
        if (sequence - reported >= PROGRESS_EVENTS) {
            reported = sequence;
            listener.progress(sequence, Math.max(sequence, last));
        }
    }

    private Restored end() throws StoreException {
        if (sequence < last) {
            throw missing(last);
        }
        listener.progress(sequence, sequence);
        return new Restored(scheduler, sequence, at, checkpoint);
    }

    private StoreException missing(long until) {
        return new StoreException(
                StoreException.Kind.DAMAGED,
                "events " + (sequence + 1) + " to " + until + " of the journal are missing."
                        + " Restore the store from a backup");
    }
}
