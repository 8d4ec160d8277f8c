package dev.sluice.runtime.host;

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
 * Executes queries in steps, so that none blocks the scheduler: each step takes at most {@link #STEP_NANOS}, and the
 * scheduler processes other transactions between two steps. The first step of a query is submitted immediately and is
 * sufficient for most queries. Further steps of all queries are serialized, so at most one is submitted at a time.
 *
 * <p>A query that is not complete after {@link #STEPS_MAX} steps fails with a {@link BusyException}: it visits too
 * much, or the state changes faster than it can be visited.
 */
public final class IncrementalQueryRunner {

    /** The maximum duration of a step, exceeded by at most {@link #BUDGET} visited elements. */
    public static final long STEP_NANOS = 5_000_000;

    /**
     * The maximum duration of the first step. It is shorter because the first steps of many queries may follow each
     * other directly.
     */
    static final long FIRST_STEP_NANOS = 1_000_000;

    /** The maximum number of steps per query: 10 s of the scheduler's thread. */
    static final int STEPS_MAX = 2_000;

    /**
     * The number of visited elements between two readings of the clock; an expensive one takes about 20 microseconds.
     */
    public static final int BUDGET = 32;

    private static final Duration RETRY = Duration.ofSeconds(5);

    private final EngineHost host;
    private final LongSupplier nanos;
    private final IntConsumer stepSizes;
    private final Semaphore furtherSteps = new Semaphore(1, true);

    /** Executes queries on this host. */
    public IncrementalQueryRunner(EngineHost host) {
        this(host, System::nanoTime, budget -> {});
    }

    /**
     * Executes queries on this host with a custom clock.
     *
     * @param nanos the clock that limits steps, in nanoseconds
     * @param stepSizes receives the number of visited elements of each step, on the scheduler's thread
     */
    public IncrementalQueryRunner(EngineHost host, LongSupplier nanos, IntConsumer stepSizes) {
        this.host = host;
        this.nanos = nanos;
        this.stepSizes = stepSizes;
    }

    /**
     * Executes a query and waits for its result.
     *
     * @param cause the caller
     * @param timeout the maximum wait for each step
     * @throws BusyException if it is rejected, or takes too many steps
     * @throws ExecutionException if the query threw an exception
     * @throws TimeoutException if a step did not complete in time
     */
    public <T> T run(Cause cause, IncrementalQuery<T> query, Duration timeout)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (runStep(cause, query, FIRST_STEP_NANOS, timeout)) {
            return query.answer();
        }
        for (int i = 1; i < STEPS_MAX; i++) {
            if (!furtherSteps.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            try {
                if (runStep(cause, query, STEP_NANOS, timeout)) {
                    return query.answer();
                }
            } finally {
                furtherSteps.release();
            }
        }
        throw new BusyException(
                BusyException.Kind.QUERY_TOO_LARGE,
                "query takes too long, or the state changes too fast; narrow the query or retry later",
                RETRY);
    }

    private boolean runStep(Cause cause, IncrementalQuery<?> query, long nanosMax, Duration timeout)
            throws ExecutionException, TimeoutException, InterruptedException {
        return host.submit(cause, context -> runStep(context, query, nanosMax))
                .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Executes the query until it is complete or the time is up; returns whether it is complete. */
    boolean runStep(TransactionContext context, IncrementalQuery<?> query, long nanosMax) {
        long began = nanos.getAsLong();
        int taken = 0;
        boolean done;
        do {
            StepBudget budget = new StepBudget(BUDGET);
            done = query.step(context, budget);
            taken += budget.taken();
        } while (!done && nanos.getAsLong() - began < nanosMax);
        stepSizes.accept(taken);
        return done;
    }
}
