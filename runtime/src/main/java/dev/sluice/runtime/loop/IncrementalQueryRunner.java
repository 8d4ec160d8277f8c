package dev.sluice.runtime.loop;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.runtime.journal.Cause;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Asks questions in pieces, so that none holds up the scheduler: each piece takes {@link #STEP_NANOS} at most, and between two pieces the
 * scheduler does what else waits. The first piece of a question goes at once, which is all that most need. Further pieces, of whatever
 * questions, take turns, so there is one of them at a time.
 *
 * <p>A question that is not answered after {@link #STEPS_MAX} pieces is given up with a {@link BusyException}: either it asks for too much,
 * or things change faster than they can be looked at.
 */
public final class IncrementalQueryRunner {

    /** How long a piece takes at most, but for its last few looks. */
    public static final long STEP_NANOS = 5_000_000;

    /** How long the first piece of a question takes at most: many questions may come at once, and their first pieces do not take turns. */
    static final long FIRST_STEP_NANOS = 1_000_000;

    /** The most pieces of a question: 10 s of the scheduler's thread. */
    static final int STEPS_MAX = 2_000;

    /** How many looks are taken between two readings of the clock; a look that makes a view takes some 20 microseconds. */
    public static final int LOOKS = 32;

    private static final Duration RETRY = Duration.ofSeconds(5);

    private final SchedulerLoop loop;
    private final LongSupplier nanos;
    private final IntConsumer stepSizes;
    private final Semaphore turn = new Semaphore(1, true);

    /** Questions to this loop. */
    public IncrementalQueryRunner(SchedulerLoop loop) {
        this(loop, System::nanoTime, looks -> {});
    }

    /**
     * Questions to this loop by a clock of one's own.
     *
     * @param nanos the clock by which pieces end
     * @param stepSizes is told of each piece how many looks it took, on the scheduler's thread
     */
    public IncrementalQueryRunner(SchedulerLoop loop, LongSupplier nanos, IntConsumer stepSizes) {
        this.loop = loop;
        this.nanos = nanos;
        this.stepSizes = stepSizes;
    }

    /**
     * Asks a question and waits for its answer.
     *
     * @param cause who asks
     * @param timeout how long each piece is waited for at most
     * @throws BusyException if it is refused at once, or takes too many pieces
     * @throws ExecutionException if the question threw something
     * @throws TimeoutException if a piece was not done in time
     */
    public <T> T run(Cause cause, IncrementalQuery<T> query, Duration timeout)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (runStep(cause, query, FIRST_STEP_NANOS, timeout)) {
            return query.answer();
        }
        for (int i = 1; i < STEPS_MAX; i++) {
            if (!turn.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            try {
                if (runStep(cause, query, STEP_NANOS, timeout)) {
                    return query.answer();
                }
            } finally {
                turn.release();
            }
        }
        throw new BusyException(
                BusyException.Kind.QUERY_TOO_LARGE,
                "the question takes too long, or too much changes meanwhile: ask for less, or try again later",
                RETRY);
    }

    private boolean runStep(Cause cause, IncrementalQuery<?> query, long nanosMax, Duration timeout)
            throws ExecutionException, TimeoutException, InterruptedException {
        return loop.submit(cause, context -> runStep(context, query, nanosMax))
                .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Takes looks until the question has seen everything or the time is up; returns whether it has. */
    boolean runStep(TransactionContext context, IncrementalQuery<?> query, long nanosMax) {
        long began = nanos.getAsLong();
        int taken = 0;
        boolean done;
        do {
            StepBudget looks = new StepBudget(LOOKS);
            done = query.step(context, looks);
            taken += looks.taken();
        } while (!done && nanos.getAsLong() - began < nanosMax);
        stepSizes.accept(taken);
        return done;
    }
}
