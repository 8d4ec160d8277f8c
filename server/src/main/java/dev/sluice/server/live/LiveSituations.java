package dev.sluice.server.live;

import dev.sluice.config.situation.SituationTaker;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.runtime.loop.KeepsakeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes situations of the scheduler while it goes on: a piece at a time, between which it does what else there is to do. It hears of
 * every event, so what was taken and has changed since is taken again, and in the end all of it is of one instant.
 *
 * <p>There is one at a time, until it has been written: each takes memory that grows with the cluster.
 */
public final class LiveSituations implements KeepsakeSource {

    /** How long the scheduler does nothing else. */
    private static final long PIECE_NANOS = 5_000_000;

    /** How many applications are taken between two looks at the time. */
    private static final int APPLICATIONS = 50;

    /** After so many pieces the rest is taken at once: things change faster than they can be taken. */
    private static final int PIECES_MAX = 2_000;

    private final KeepsakeSource keepsakes;
    private final LongSupplier nanos;
    private final Semaphore turn = new Semaphore(1, true);
    private volatile @Nullable Taking current;

    /** Hears of the events for which this tells what is kept. */
    public LiveSituations(KeepsakeSource keepsakes) {
        this(keepsakes, System::nanoTime);
    }

    /** With this clock, by which pieces end. */
    LiveSituations(KeepsakeSource keepsakes, LongSupplier nanos) {
        this.keepsakes = keepsakes;
        this.nanos = nanos;
    }

    @Override
    public @Nullable Keepsake keepsakeOf(long sequence, Event event, SchedulerState state) {
        Taking taking = current;
        if (taking != null) {
            taking.heard(event);
        }
        return keepsakes.keepsakeOf(sequence, event, state);
    }

    /** Begins to take one when no other is under way; null if it took longer than this until it could. */
    public @Nullable Taking begin(Duration patience) throws InterruptedException {
        if (!turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            return null;
        }
        Taking taking = new Taking();
        current = taking;
        return taking;
    }

    /** A situation that is being taken or written; to be closed. */
    public final class Taking implements AutoCloseable {

        private final AtomicBoolean closed = new AtomicBoolean();

        // of the scheduler's thread
        private @Nullable SituationTaker taker;
        private int pieces;

        private Taking() {}

        /** Takes the next piece, on the scheduler's thread; returns what was taken if that was the last one. */
        public Optional<SituationTaker.Taken> piece(Desk desk) {
            long began = nanos.getAsLong();
            SituationTaker known = taker;
            if (known == null) {
                known = new SituationTaker(desk.state());
                taker = known;
            }
            pieces++;
            boolean all = pieces >= PIECES_MAX;
            while (!all && nanos.getAsLong() - began < PIECE_NANOS) {
                all = known.takeSome(APPLICATIONS);
            }
            if (!all) {
                return Optional.empty();
            }
            taker = null;
            return Optional.of(known.end(desk.now()));
        }

        private void heard(Event event) {
            SituationTaker known = taker;
            if (known == null) {
                return;
            }
            if (event instanceof TaskEvent task) {
                known.changed(task.partition(), task.application());
            } else if (event instanceof ApplicationEvent application) {
                known.changed(application.partition(), application.application());
            }
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
