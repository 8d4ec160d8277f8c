package dev.sluice.runtime.loop;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The single thread that owns the scheduler. All transactions arrive in one inbox and are processed in batches:
 *
 * <ol>
 *   <li>execute the pending transactions, all at the same instant, which never goes backwards
 *   <li>run a cycle of every partition that has changed or has a due timer
 *   <li>write all events to the journal at once
 *   <li>when they are durable, complete the transactions, notify the listeners and execute the effects
 * </ol>
 *
 * <p>The next batch accumulates during the write, so batches grow with the load (group commit). When the journal cannot
 * be written, the write is retried until it succeeds; meanwhile no transaction is completed, and new ones are rejected.
 */
public final class SchedulerLoop implements AutoCloseable {

    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Cause FORGET_CAUSE = Cause.internal("ForgetApplication");

    private final Scheduler scheduler;
    private final BatchLog log;
    private final HistoryRecordSource recordSource;
    private final CommitListener commitListener;
    private final Effects effects;
    private final LoopListener listener;
    private final InstantSource clock;
    private final LoopLimits limits;
    private final Inbox inbox;
    private final EndedApplications ended;
    private final Thread thread = new Thread(this::run, "scheduler");
    private final Set<String> dirty = new LinkedHashSet<>();

    // the entries of the current batch
    private final List<JournalEntry> entries = new ArrayList<>();
    private final List<HistoryRecord> historyRecords = new ArrayList<>();
    private final List<Runnable> completions = new ArrayList<>();
    private Instant now;
    private long next;
    private boolean transactionFailed;

    private volatile @Nullable StoreException stall;
    private volatile boolean ending;

    /**
     * Creates a loop; {@link #start} starts it.
     *
     * @param scheduler the restored scheduler
     * @param notBefore the instant of the last event in the journal; later events never precede it, whatever the clock
     *     says
     */
    public SchedulerLoop(
            Scheduler scheduler,
            Instant notBefore,
            BatchLog log,
            HistoryRecordSource recordSource,
            CommitListener commitListener,
            Effects effects,
            LoopListener listener,
            InstantSource clock,
            LoopLimits limits) {
        this.scheduler = scheduler;
        this.now = notBefore;
        this.log = log;
        this.recordSource = recordSource;
        this.commitListener = commitListener;
        this.effects = effects;
        this.listener = listener;
        this.clock = clock;
        this.limits = limits;
        this.inbox = new Inbox(limits.inbox());
        this.ended = new EndedApplications(limits.retained(), scheduler.state());
        this.next = log.nextSequence();
        thread.setUncaughtExceptionHandler((failed, reason) -> listener.failed(reason));
    }

    /** Starts the loop; must be called once. */
    public void start() {
        scheduler.state().partitions().forEach(partition -> dirty.add(partition.name()));
        thread.start();
    }

    /**
     * Submits a transaction.
     *
     * @param cause the action and its actor, for the journal
     * @return the result, completed once the transaction and everything it could read is durable; fails with the
     *     exception of the transaction or of the loop
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

    /** Submits a report about a task, which is never rejected. Its result is ignored. */
    public void report(Command.TaskReport report) {
        CompletableFuture<CommandResult> ignored = inbox.putUnbounded(
                Cause.internal(report.getClass().getSimpleName()), context -> context.handle(report));
        ignored.exceptionally(reason -> null);
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

    /** Returns whether the loop is running. */
    public boolean isAlive() {
        return thread.isAlive() && !ending;
    }

    /**
     * Stops the loop after the pending transactions have been processed. If the journal cannot be written, stops
     * immediately and rejects them.
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
        List<Inbox.Envelope<?>> envelopes = new ArrayList<>();
        try {
            while (!ending) {
                inbox.drainTo(envelopes, limits.batch(), nanosToWait());
                batch(envelopes);
                envelopes.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StoreException e) {
            ending = true;
            if (!isRetryable(e)) {
                listener.failed(e);
            }
        } finally {
            ending = true;
            for (Inbox.Envelope<?> envelope : envelopes) {
                envelope.result().completeExceptionally(shuttingDown());
            }
            refuseWaiting();
        }
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
        if (!dirty.isEmpty() || ended.hasExcess()) {
            return 0;
        }
        Instant due = null;
        for (Partition partition : scheduler.state().partitions()) {
            Instant next = scheduler.nextDue(partition.name());
            due = next == null || (due != null && due.isBefore(next)) ? due : next;
        }
        if (due == null) {
            return Long.MAX_VALUE;
        }
        tick();
        Duration wait = Duration.between(now, due);
        return wait.isNegative()
                ? 0
                : wait.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1).toNanos() : wait.toNanos() + 1;
    }

    private void batch(List<Inbox.Envelope<?>> envelopes) throws InterruptedException, StoreException {
        long began = System.nanoTime();
        tick();
        next = log.nextSequence();
        entries.clear();
        historyRecords.clear();
        completions.clear();
        for (Inbox.Envelope<?> envelope : envelopes) {
            execute(envelope);
        }
        forgetExcess();
        cycles();
        long decided = System.nanoTime();
        long first = log.nextSequence();
        long committed = decided;
        if (!entries.isEmpty() || !historyRecords.isEmpty()) {
            write();
            committed = System.nanoTime();
        }
        completions.forEach(Runnable::run);
        if (!entries.isEmpty()) {
            commitListener.committed(first, List.copyOf(entries), scheduler.state());
            List<Event> events = new ArrayList<>();
            entries.forEach(entry -> events.addAll(entry.events()));
            effects.execute(events, scheduler.state());
        }
        listener.batchCompleted(
                envelopes.size(), (int) (log.nextSequence() - first), decided - began, committed - decided);
    }

    /**
     * Executes a transaction. An exception, even a stack overflow, is reported only to its caller: the commands
     * executed before it remain applied and will be written, and a transaction has no other effects on the state. But
     * an exception within a command may leave the state inconsistent with the journal. Then the loop ends without
     * writing or completing anything of this batch, and a restart restores the state from the journal. The same applies
     * to fatal errors of the JVM, such as running out of memory.
     */
    private <T> void execute(Inbox.Envelope<T> envelope) {
        Throwable failure = null;
        try {
            T result = envelope.transaction().run(new LoopTransactionContext(envelope.cause()));
            completions.add(() -> envelope.result().complete(result));
        } catch (RuntimeException | Error e) {
            if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
                throw fatal;
            }
            failure = e;
            completions.add(() -> envelope.result().completeExceptionally(e));
        }
        if (transactionFailed) {
            throw new IllegalStateException(
                    "command of " + envelope.cause() + " failed after changing the state; this batch is discarded."
                            + " Restart the server: the journal contains all acknowledged changes",
                    failure);
        }
    }

    private final class LoopTransactionContext implements TransactionContext {

        private final Cause cause;

        LoopTransactionContext(Cause cause) {
            this.cause = cause;
        }

        @Override
        public CommandResult handle(Command command) {
            boolean handled = false;
            try {
                CommandResult reply = scheduler.handle(command, now);
                handled = true;
                record(cause, reply.events());
                return reply;
            } catch (RuntimeException | Error e) {
                transactionFailed |= handled || scheduler.isPartiallyApplied();
                throw e;
            }
        }

        @Override
        public SchedulerState state() {
            return scheduler.state();
        }

        @Override
        public Scheduler scheduler() {
            return scheduler;
        }

        @Override
        public void addHistoryRecord(HistoryRecord historyRecord) {
            historyRecords.add(historyRecord);
        }

        @Override
        public Instant now() {
            return now;
        }
    }

    private void forgetExcess() {
        while (ended.hasExcess()) {
            record(FORGET_CAUSE, scheduler.handle(ended.next(), now).events());
        }
    }

    private void cycles() {
        for (Partition partition : scheduler.state().partitions()) {
            Instant due = scheduler.nextDue(partition.name());
            if (due != null && !due.isAfter(now)) {
                dirty.add(partition.name());
            }
        }
        List<String> names = List.copyOf(dirty);
        dirty.clear();
        for (String name : names) {
            if (scheduler.state().partition(name) != null) {
                record(Cause.CYCLE, scheduler.cycle(name, now));
            }
        }
    }

    private void record(Cause cause, List<Event> events) {
        if (events.isEmpty()) {
            return;
        }
        entries.add(new JournalEntry(cause, events));
        for (Event event : events) {
            dirty.add(event.partition());
            ended.update(event);
            HistoryRecord historyRecord = recordSource.project(next, event, scheduler.state());
            if (historyRecord != null) {
                historyRecords.add(historyRecord);
            }
            next++;
        }
    }

    /** Writes the batch; retries until it succeeds. */
    private void write() throws InterruptedException, StoreException {
        Duration pause = FIRST_RETRY;
        while (true) {
            try {
                if (entries.isEmpty()) {
                    log.appendHistory(historyRecords);
                } else {
                    log.append(entries, historyRecords, now);
                }
                if (stall != null) {
                    stall = null;
                    listener.resumed();
                }
                return;
            } catch (StoreException e) {
                boolean wasStalled = stall != null;
                stall = e;
                if (ending || !isRetryable(e)) {
                    completions.clear();
                    throw e;
                }
                if (!wasStalled) {
                    listener.stalled(e);
                }
            }
            Thread.sleep(pause.toMillis());
            pause = pause.multipliedBy(2);
            pause = pause.compareTo(limits.retry()) > 0 ? limits.retry() : pause;
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
        Instant time = clock.instant();
        now = time.isAfter(now) ? time : now;
    }
}
