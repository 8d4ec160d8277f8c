package dev.sluice.runtime.host;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs an engine: a clock, an inbox, a journal, executors and projections around one {@link Scheduler}. All
 * transactions arrive in one inbox and are processed in batches:
 *
 * <ol>
 *   <li>execute the pending transactions, all at the same instant, which never goes backwards
 *   <li>run a cycle of every partition that has changed or has a due timer
 *   <li>write all events to the journal at once
 *   <li>when they are durable, complete the transactions, notify the projections and instruct the executors
 * </ol>
 *
 * <p>The next batch accumulates during the write, so batches grow with the load (group commit). When the journal cannot
 * be written, the write is retried until it succeeds; meanwhile no transaction is completed, and new ones are rejected.
 *
 * <p>A host runs either on a thread of its own ({@link #start}) or, with a virtual clock, on the thread of the caller
 * ({@link #step}).
 */
public final class EngineHost implements AutoCloseable {

    private static final Duration FIRST_RETRY = Duration.ofMillis(50);

    private final HostParts parts;
    private final Scheduler scheduler;
    private final Inbox inbox;
    private final Batch batch;
    private final Projection[] projections;
    private final List<NodeExecutor> executors = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "scheduler");
    private final List<Inbox.Envelope<?>> envelopes = new ArrayList<>();
    private @Nullable IdleTransaction idle;

    /** Whether the idle transaction has been executed and nothing since. */
    private boolean idleSince;

    private boolean recovered;
    private Instant now;
    private volatile @Nullable StoreException stall;
    private volatile boolean ending;

    /** Creates a host; {@link #start} starts it. */
    public EngineHost(HostParts parts) {
        this.parts = parts;
        this.scheduler = parts.scheduler();
        this.now = parts.notBefore();
        this.inbox = new Inbox(parts.limits().inbox());
        this.batch = new Batch(scheduler, parts.recorder(), parts.limits().retained());
        this.projections = parts.projections().toArray(Projection[]::new);
        thread.setUncaughtExceptionHandler((failed, reason) -> parts.listener().failed(reason));
    }

    /** Adds an executor; before the start. */
    public void add(NodeExecutor executor) {
        executors.add(executor);
    }

    /**
     * Sets the transaction to execute each time there is nothing left to do; before the start. It is alone in its
     * batch: what arrives at that moment is executed, with the cycle it needs, before or after it.
     */
    public void onIdle(IdleTransaction transaction) {
        idle = transaction;
    }

    /** A transaction for when all events have been handled and only reports, requests or timers can change anything. */
    @FunctionalInterface
    public interface IdleTransaction {
        /** Executes the transaction; returns whether the host must end. */
        boolean run(TransactionContext context);
    }

    /**
     * Executes a transaction on the thread of the caller, without a cycle: before the start, or between {@linkplain
     * #step steps}. Returns its result when its events are durable and published.
     *
     * @throws StoreException if they cannot be written; there is no retry
     */
    public <T> T execute(Cause cause, Transaction<T> transaction) throws StoreException {
        tick();
        batch.begin(now, parts.log().nextSequence());
        T result = transaction.run(batch.context(cause));
        batch.forgetExcess();
        if (!batch.entries().isEmpty()) {
            long first = parts.log().nextSequence();
            parts.log().append(batch.entries(), batch.historyRecords(), now);
            project(first);
            execute();
        }
        return result;
    }

    /** Adopts the runs of an earlier host, unless that has been done, and starts the thread; must be called once. */
    public void start() {
        if (!recovered) {
            recover();
        }
        thread.start();
    }

    /**
     * Adopts the runs of an earlier host, for a caller of {@link #step}, or before transactions that precede the start.
     */
    public void recover() {
        recovered = true;
        executors.forEach(executor -> executor.recover(scheduler.state()));
        batch.requireCycles();
    }

    /**
     * Submits a transaction.
     *
     * @param cause the action and its actor, for the journal
     * @return the result, completed once the transaction and everything it could read is durable; fails with the
     *     exception of the transaction or of the host
     * @throws BusyException if it is rejected immediately
     */
    public <T> CompletableFuture<T> submit(Cause cause, Transaction<T> transaction) {
        StoreException reason = stall;
        if (reason != null) {
            throw new BusyException(
                    BusyException.Kind.JOURNAL_STALLED,
                    "the journal cannot be written: " + reason.getMessage(),
                    Duration.ofSeconds(5));
        }
        if (ending) {
            throw shuttingDown();
        }
        return inbox.offer(cause, transaction);
    }

    /**
     * Submits a transaction that is not rejected when many are pending, because it says what has happened. The caller
     * limits their number.
     */
    public <T> CompletableFuture<T> submitReport(Cause cause, Transaction<T> transaction) {
        return inbox.putUnbounded(cause, transaction);
    }

    /** Submits a report about a task, which is never rejected. Its result is ignored. */
    public void report(Command.TaskReport report) {
        report(List.of(report));
    }

    /**
     * Submits reports about tasks and nodes, in this order, as one transaction, which is never rejected. Its result is
     * ignored.
     */
    public void report(List<? extends Command> reports) {
        String what = reports.isEmpty() ? "report" : reports.get(0).getClass().getSimpleName();
        CompletableFuture<Boolean> ignored = inbox.putUnbounded(Cause.internal(what), context -> {
            for (Command report : reports) {
                CommandResult unused = context.handle(report);
            }
            return true;
        });
        ignored.exceptionally(reason -> null);
    }

    /** Returns the number of pending transactions. */
    public int waiting() {
        return inbox.size();
    }

    /** Returns why the journal cannot be written at present, or null if it can. */
    public @Nullable StoreException stall() {
        return stall;
    }

    /** Returns whether the host is running on its thread. */
    public boolean isAlive() {
        return thread.isAlive() && !ending;
    }

    /** Waits until the host has ended. */
    public void awaitEnd() throws InterruptedException {
        thread.join();
    }

    /**
     * Ends the host after the pending transactions have been processed. If the journal cannot be written, ends
     * immediately and rejects them. Does not close the executors.
     */
    @Override
    public void close() {
        CompletableFuture<Boolean> last = inbox.putUnbounded(Cause.internal("end"), context -> {
            ending = true;
            return true;
        });
        if (stall != null) {
            ending = true;
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
                ending = true;
            }
        }
        last.cancel(false);
        refuseWaiting();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!ending) {
                long wait = nanosToWait();
                IdleTransaction transaction = wait > 0 && !idleSince ? idle : null;
                inbox.drainTo(envelopes, parts.limits().batch(), transaction == null ? wait : 0);
                if (transaction != null && envelopes.isEmpty()) {
                    envelopes.add(idleEnvelope(transaction));
                    idleSince = true;
                } else {
                    idleSince = false;
                }
                batch();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StoreException e) {
            ending = true;
            if (!isRetryable(e)) {
                parts.listener().failed(e);
            }
        } finally {
            ending = true;
            for (Inbox.Envelope<?> envelope : envelopes) {
                envelope.result().completeExceptionally(shuttingDown());
            }
            refuseWaiting();
        }
    }

    /**
     * Executes one batch on the thread of the caller, without waiting for transactions; returns whether there was
     * anything to do.
     */
    public boolean step() throws StoreException, InterruptedException {
        inbox.drainTo(envelopes, parts.limits().batch(), 0);
        if (envelopes.isEmpty() && !batch.hasWork() && !isDue()) {
            return false;
        }
        batch();
        return true;
    }

    private Inbox.Envelope<Boolean> idleEnvelope(IdleTransaction transaction) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        CompletableFuture<Boolean> unused = result.exceptionally(reason -> {
            if (!ending) {
                parts.listener().failed(reason);
                ending = true;
            }
            return true;
        });
        return new Inbox.Envelope<>(
                Cause.internal("idle"),
                context -> {
                    boolean ends = transaction.run(context);
                    ending |= ends;
                    return ends;
                },
                result,
                false);
    }

    private void refuseWaiting() {
        for (Inbox.Envelope<?> envelope = inbox.poll(); envelope != null; envelope = inbox.poll()) {
            envelope.result().completeExceptionally(shuttingDown());
        }
    }

    private static BusyException shuttingDown() {
        return new BusyException(
                BusyException.Kind.SHUTTING_DOWN, "the server is shutting down", Duration.ofSeconds(5));
    }

    /** Returns the time to the next due timer in nanoseconds; 0 if there is work to do. */
    private long nanosToWait() {
        if (batch.hasWork()) {
            return 0;
        }
        Instant due = nextDue();
        if (due == null) {
            return Long.MAX_VALUE;
        }
        tick();
        Duration wait = Duration.between(now, due);
        return wait.isNegative()
                ? 0
                : wait.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1).toNanos() : wait.toNanos() + 1;
    }

    private boolean isDue() {
        tick();
        Instant due = nextDue();
        return due != null && !due.isAfter(now);
    }

    /** Returns when the first partition is due, or null if none ever is. */
    private @Nullable Instant nextDue() {
        Instant due = null;
        for (Partition partition : scheduler.state().partitions()) {
            Instant next = scheduler.nextDue(partition.name());
            due = next == null || (due != null && due.isBefore(next)) ? due : next;
        }
        return due;
    }

    private void batch() throws InterruptedException, StoreException {
        long began = nanos();
        tick();
        long first = parts.log().nextSequence();
        batch.begin(now, first);
        envelopes.forEach(batch::execute);
        batch.forgetExcess();
        batch.cycles();
        long decided = nanos();
        long committed = decided;
        if (!batch.entries().isEmpty() || !batch.historyRecords().isEmpty()) {
            write();
            committed = nanos();
        }
        boolean anyEvents = !batch.entries().isEmpty();
        try {
            if (anyEvents) {
                project(first); // before callers know: what they read next contains what they caused
            }
        } finally {
            batch.complete();
        }
        if (anyEvents) {
            execute();
        }
        int transactions = envelopes.size();
        envelopes.clear();
        parts.listener()
                .batchCompleted(
                        transactions, (int) (parts.log().nextSequence() - first), decided - began, committed - decided);
    }

    /** Returns the time in nanoseconds if anybody measures it. */
    private long nanos() {
        return parts.listener() == HostListener.NONE ? 0 : System.nanoTime();
    }

    /** Passes durable entries on to projections. */
    private void project(long first) {
        idleSince = false;
        for (Projection projection : projections) {
            projection.committed(first, batch.entries());
        }
    }

    /** Passes durable entries on to executors. */
    private void execute() {
        for (NodeExecutor executor : executors) {
            executor.execute(batch.entries(), scheduler.state());
        }
    }

    /** Writes the batch; retries until it succeeds. */
    private void write() throws InterruptedException, StoreException {
        Duration pause = FIRST_RETRY;
        while (true) {
            try {
                if (batch.entries().isEmpty()) {
                    parts.log().appendHistory(batch.historyRecords());
                } else {
                    parts.log().append(batch.entries(), batch.historyRecords(), now);
                }
                if (stall != null) {
                    stall = null;
                    parts.listener().resumed();
                }
                return;
            } catch (StoreException e) {
                boolean wasStalled = stall != null;
                stall = e;
                if (ending || !isRetryable(e)) {
                    batch.abandon();
                    throw e;
                }
                if (!wasStalled) {
                    parts.listener().stalled(e);
                }
            }
            Thread.sleep(pause.toMillis());
            pause = pause.multipliedBy(2);
            pause = pause.compareTo(parts.limits().retry()) > 0 ? parts.limits().retry() : pause;
        }
    }

    private static boolean isRetryable(StoreException e) {
        return e.kind() == StoreException.Kind.FULL || e.kind() == StoreException.Kind.UNAVAILABLE;
    }

    /**
     * Updates the current time, which never goes backwards even if the clock does. (A {@link SteadyClock} always
     * advances.)
     */
    private void tick() {
        Instant time = parts.clock().instant();
        now = time.isAfter(now) ? time : now;
    }
}
