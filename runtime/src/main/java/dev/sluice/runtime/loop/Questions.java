package dev.sluice.runtime.loop;

import dev.sluice.core.explain.Looks;
import dev.sluice.runtime.journal.Cause;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Asks questions in pieces, so that none holds up the scheduler: each piece takes {@link #PIECE_NANOS} at most, and between two pieces the
 * scheduler does what else waits. The first piece of a question goes at once, which is all that most need. Further pieces, of whatever
 * questions, take turns, so there is one of them at a time.
 *
 * <p>A question that is not answered after {@link #PIECES_MAX} pieces is given up with a {@link BusyException}: either it asks for too much,
 * or things change faster than they can be looked at.
 */
public final class Questions {

    /** How long a piece takes at most, but for its last few looks. */
    public static final long PIECE_NANOS = 5_000_000;

    /** How long the first piece of a question takes at most: many questions may come at once, and their first pieces do not take turns. */
    static final long FIRST_PIECE_NANOS = 1_000_000;

    /** The most pieces of a question: 10 s of the scheduler's thread. */
    static final int PIECES_MAX = 2_000;

    /** How many looks are taken between two readings of the clock; a look that makes a view takes some 20 microseconds. */
    public static final int LOOKS = 32;

    private static final Duration RETRY = Duration.ofSeconds(5);

    private final SchedulerLoop loop;
    private final LongSupplier nanos;
    private final IntConsumer pieces;
    private final Semaphore turn = new Semaphore(1, true);

    /** Questions to this loop. */
    public Questions(SchedulerLoop loop) {
        this(loop, System::nanoTime, looks -> {});
    }

    /**
     * Questions to this loop by a clock of one's own.
     *
     * @param nanos the clock by which pieces end
     * @param pieces is told of each piece how many looks it took, on the scheduler's thread
     */
    public Questions(SchedulerLoop loop, LongSupplier nanos, IntConsumer pieces) {
        this.loop = loop;
        this.nanos = nanos;
        this.pieces = pieces;
    }

    /**
     * Asks a question and waits for its answer.
     *
     * @param cause who asks
     * @param patience how long each piece is waited for at most
     * @throws BusyException if it is refused at once, or takes too many pieces
     * @throws ExecutionException if the question threw something
     * @throws TimeoutException if a piece was not done in time
     */
    public <T> T ask(Cause cause, Question<T> question, Duration patience)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (piece(cause, question, FIRST_PIECE_NANOS, patience)) {
            return question.answer();
        }
        for (int i = 1; i < PIECES_MAX; i++) {
            if (!turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            try {
                if (piece(cause, question, PIECE_NANOS, patience)) {
                    return question.answer();
                }
            } finally {
                turn.release();
            }
        }
        throw new BusyException(
                BusyException.Kind.QUESTION_TOO_LARGE,
                "the question takes too long, or too much changes meanwhile: ask for less, or try again later",
                RETRY);
    }

    private boolean piece(Cause cause, Question<?> question, long nanosMax, Duration patience)
            throws ExecutionException, TimeoutException, InterruptedException {
        return loop.submit(cause, desk -> piece(desk, question, nanosMax))
                .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Takes looks until the question has seen everything or the time is up; returns whether it has. */
    boolean piece(Desk desk, Question<?> question, long nanosMax) {
        long began = nanos.getAsLong();
        int taken = 0;
        boolean done;
        do {
            Looks looks = new Looks(LOOKS);
            done = question.look(desk, looks);
            taken += looks.taken();
        } while (!done && nanos.getAsLong() - began < nanosMax);
        pieces.accept(taken);
        return done;
    }
}
