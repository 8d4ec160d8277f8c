package dev.sluice.server.routes;

import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.loop.BusyException;
import dev.sluice.runtime.loop.IncrementalQuery;
import dev.sluice.runtime.loop.IncrementalQueryRunner;
import dev.sluice.runtime.loop.SchedulerLoop;
import dev.sluice.runtime.loop.Transaction;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Brings what is asked for to the scheduler; the answer is waited for, but not for ever. */
public final class Requests {

    private final SchedulerLoop loop;
    private final IncrementalQueryRunner queries;
    private final Duration timeout;

    /** Requests to this loop that wait so long at most. */
    public Requests(SchedulerLoop loop, IncrementalQueryRunner queries, Duration timeout) {
        this.loop = loop;
        this.queries = queries;
        this.timeout = timeout;
    }

    /**
     * Looks something up, which takes no time worth speaking of: a few things that are found by their names. Whatever walks over
     * applications, tasks, nodes or queues is a {@link IncrementalQuery}.
     *
     * @throws ProblemException if it is refused, or takes too long
     */
    public <T> T read(Call call, Transaction<T> lookup) {
        return perform(call, "look", lookup);
    }

    /**
     * Asks something for which much may have to be looked at, in pieces between which the scheduler goes on.
     *
     * @throws ProblemException if it is refused, or takes too long
     */
    public <T> T query(Call call, IncrementalQuery<T> query) {
        return performIncrementally(call, "look", query);
    }

    /**
     * Does something in pieces, in the name of who calls. What the pieces before did remains done if a later one is refused.
     *
     * @param action what it is, for the journal: the name of a command as a rule
     * @throws ProblemException if it is refused, or takes too long
     */
    public <T> T performIncrementally(Call call, String action, IncrementalQuery<T> query) {
        try {
            return queries.run(new Cause(action, call.actor()), query, timeout);
        } catch (BusyException e) {
            throw busy(e);
        } catch (ExecutionException e) {
            throw reason(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw reason(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Does something, in the name of who calls.
     *
     * @param action what it is, for the journal: the name of a command as a rule
     * @throws ProblemException if it is refused, or takes too long
     */
    public <T> T perform(Call call, String action, Transaction<T> transaction) {
        try {
            return submit(call, action, transaction).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static ProblemException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return ProblemException.retry(ProblemKind.UNAVAILABLE, "the server is shutting down", Duration.ofSeconds(5), e);
    }

    /**
     * Has something done, in the name of who calls, and does not wait for it.
     *
     * @param action what it is, for the journal: the name of a command as a rule
     * @return the answer; a {@link ProblemException} if it is refused later, or takes too long
     * @throws ProblemException if it is refused at once
     */
    public <T> CompletableFuture<T> submit(Call call, String action, Transaction<T> transaction) {
        CompletableFuture<T> answer;
        try {
            answer = loop.submit(new Cause(action, call.actor()), transaction);
        } catch (BusyException e) {
            throw busy(e);
        }
        return answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).handle((value, failure) -> {
            if (failure != null) {
                throw reason(failure);
            }
            return value;
        });
    }

    private RuntimeException reason(Throwable failure) {
        if (failure instanceof BusyException busy) {
            return busy(busy);
        }
        if (failure instanceof TimeoutException) {
            return ProblemException.retry(
                    ProblemKind.UNAVAILABLE,
                    "no answer from the scheduler within " + timeout.toSeconds()
                            + " s; the request may or may not take effect, check before retrying",
                    Duration.ofSeconds(5),
                    failure);
        }
        return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
    }

    private static ProblemException busy(BusyException e) {
        ProblemKind kind = switch (e.kind()) {
            case INBOX_FULL, QUERY_TOO_LARGE -> ProblemKind.BUSY;
            case JOURNAL_STALLED, SHUTTING_DOWN -> ProblemKind.UNAVAILABLE;
        };
        return ProblemException.retry(kind, String.valueOf(e.getMessage()), e.retryAfter(), e);
    }
}
