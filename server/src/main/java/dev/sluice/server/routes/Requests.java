package dev.sluice.server.routes;

import dev.sluice.runtime.host.BusyException;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.host.Transaction;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Submits requests to the scheduler and waits for the results, with a timeout. */
public final class Requests {

    private final EngineHost host;
    private final IncrementalQueryRunner queries;
    private final Duration timeout;

    /** Creates requests to this host with this timeout. */
    public Requests(EngineHost host, IncrementalQueryRunner queries, Duration timeout) {
        this.host = host;
        this.queries = queries;
        this.timeout = timeout;
    }

    /**
     * Executes a read that takes constant time, such as finding a few objects by name. Anything that scans
     * applications, tasks, nodes or queues must be an {@link IncrementalQuery}.
     *
     * @throws ProblemException if refused or timed out
     */
    public <T> T read(Call call, Transaction<T> lookup) {
        return perform(call, "query", lookup);
    }

    /**
     * Executes a query in steps, between which the scheduler works.
     *
     * @throws ProblemException if refused or timed out
     */
    public <T> T query(Call call, IncrementalQuery<T> query) {
        return performIncrementally(call, "query", query);
    }

    /**
     * Executes changes in steps, on behalf of the caller. If a later step is refused, the changes of earlier steps
     * remain.
     *
     * @param action the action for the journal, usually the name of a command
     * @throws ProblemException if refused or timed out
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
     * Executes a transaction on behalf of the caller.
     *
     * @param action the action for the journal, usually the name of a command
     * @throws ProblemException if refused or timed out
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
     * Submits a transaction on behalf of the caller, without waiting.
     *
     * @param action the action for the journal, usually the name of a command
     * @return the result; a {@link ProblemException} if refused later or timed out
     * @throws ProblemException if refused immediately
     */
    public <T> CompletableFuture<T> submit(Call call, String action, Transaction<T> transaction) {
        CompletableFuture<T> answer;
        try {
            answer = host.submit(new Cause(action, call.actor()), transaction);
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
