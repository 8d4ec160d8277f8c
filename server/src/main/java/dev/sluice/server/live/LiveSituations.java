package dev.sluice.server.live;

import dev.sluice.config.situation.Situation;
import dev.sluice.config.situation.SituationTaker;
import dev.sluice.core.explain.Looks;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.runtime.loop.KeepsakeSource;
import dev.sluice.runtime.loop.Question;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes situations of the scheduler while it goes on, as a question in pieces. It hears of every event, which updates what was copied
 * before, so all of it is of one instant: that of the last piece.
 *
 * <p>There is one at a time, until it has been written: each takes memory that grows with the cluster.
 */
public final class LiveSituations implements KeepsakeSource {

    private final KeepsakeSource keepsakes;
    private final Semaphore turn = new Semaphore(1, true);
    private volatile @Nullable Taking current;

    /** Hears of the events for which this tells what is kept. */
    public LiveSituations(KeepsakeSource keepsakes) {
        this.keepsakes = keepsakes;
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
    public final class Taking implements Question<Situation>, AutoCloseable {

        private final AtomicBoolean closed = new AtomicBoolean();
        private @Nullable SituationTaker taker; // of the scheduler's thread
        private SituationTaker.@Nullable Taken taken;

        private Taking() {}

        @Override
        public boolean look(Desk desk, Looks looks) {
            SituationTaker known = taker == null ? new SituationTaker(desk.state()) : taker;
            taker = known;
            if (!known.look(looks)) {
                return false;
            }
            taker = null;
            taken = known.end(desk.now());
            return true;
        }

        private void heard(Event event) {
            SituationTaker known = taker;
            if (known != null) {
                known.happened(event);
            }
        }

        @Override
        public Situation answer() {
            return Objects.requireNonNull(taken).situation();
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
