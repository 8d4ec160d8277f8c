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
 * The one thread that owns the scheduler. Everything comes to it through one inbox; it works in batches:
 *
 * <ol>
 *   <li>take what waits, at one instant, which never goes backwards, and do it
 *   <li>make a cycle over every partition in which something happened or is due
 *   <li>write down everything that happened, at once
 *   <li>when that is safe, answer, tell the listeners and carry out the effects
 * </ol>
 *
 * <p>While it writes, the next batch gathers, so the more is asked for, the more is written at once. When the journal cannot be
 * written it tries again until it can; meanwhile nothing is answered, and nothing more is taken in.
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

    // of the batch that is being made
    private final List<JournalEntry> entries = new ArrayList<>();
    private final List<HistoryRecord> historyRecords = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();
    private Instant now;
    private long next;
    private boolean transactionFailed;

    private volatile @Nullable StoreException stall;
    private volatile boolean ending;

    /**
     * A loop that has not begun.
     *
     * @param scheduler as it was restored
     * @param notBefore the instant of the last event of the journal: no later one happens before it, whatever the clock says
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
        this.ended = new EndedApplications(limits.remembered(), scheduler.state());
        this.next = log.nextSequence();
        thread.setUncaughtExceptionHandler((failed, reason) -> listener.failed(reason));
    }

    /** Begins; call it once. */
    public void start() {
        scheduler.state().partitions().forEach(partition -> dirty.add(partition.name()));
        thread.start();
    }

    /**
     * Asks for something to be done.
     *
     * @param cause who wants what, for the journal
     * @return its answer, when it and all that it saw is safe; for an answer that never comes, the reason why
     * @throws BusyException if it is refused at once
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

    /** Reports what has become of a task; never refused, and answered by nobody. */
    public void report(Command.TaskReport report) {
        CompletableFuture<CommandResult> unheard = inbox.putUnbounded(
                Cause.internal(report.getClass().getSimpleName()), context -> context.handle(report));
        unheard.exceptionally(reason -> null);
    }

    /** Reports what has become of tasks and nodes, in this order and as one transaction; never refused, and answered by nobody. */
    public void report(List<? extends Command> reports) {
        String what = reports.isEmpty() ? "report" : reports.get(0).getClass().getSimpleName();
        CompletableFuture<Boolean> unheard = inbox.putUnbounded(Cause.internal(what), context -> {
            for (Command report : reports) {
                CommandResult unused = context.handle(report);
            }
            return true;
        });
        unheard.exceptionally(reason -> null);
    }

    /** How many transactions wait to be done. */
    public int waiting() {
        return inbox.size();
    }

    /** Why nothing can be written at present, or null if all is well. */
    public @Nullable StoreException stall() {
        return stall;
    }

    /** Whether it is at work. */
    public boolean isAlive() {
        return thread.isAlive() && !ending;
    }

    /**
     * Ends when what waits is done. Should the journal be out of order it ends at once, and what waits is refused.
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
                envelope.answer().completeExceptionally(shuttingDown());
            }
            refuseWaiting();
        }
    }

    private void refuseWaiting() {
        for (Inbox.Envelope<?> envelope = inbox.poll(); envelope != null; envelope = inbox.poll()) {
            envelope.answer().completeExceptionally(shuttingDown());
        }
    }

    private static BusyException shuttingDown() {
        return new BusyException(BusyException.Kind.ENDING, "the server is ending", Duration.ofSeconds(5));
    }

    /** How long there is nothing to do unless something comes in. */
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
        answers.clear();
        for (Inbox.Envelope<?> envelope : envelopes) {
            perform(envelope);
        }
        forget();
        cycles();
        long decided = System.nanoTime();
        long first = log.nextSequence();
        long committed = decided;
        if (!entries.isEmpty() || !historyRecords.isEmpty()) {
            write();
            committed = System.nanoTime();
        }
        answers.forEach(Runnable::run);
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
     * Does what a transaction wants. One that throws tells nobody but its caller, even if the stack overflowed: what commands it gave before
     * are carried out and will be written, and what it does besides commands changes nothing here. But a command that broke off within
     * leaves a state that is not what the journal says. Then the loop ends, without writing anything of this batch or answering
     * it, and the journal has the last word. So it does when the machine cannot go on, for want of memory above all.
     */
    private <T> void perform(Inbox.Envelope<T> envelope) {
        Throwable thrown = null;
        try {
            T answer = envelope.transaction().run(new LoopTransactionContext(envelope.cause()));
            answers.add(() -> envelope.answer().complete(answer));
        } catch (RuntimeException | Error e) {
            if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
                throw fatal;
            }
            thrown = e;
            answers.add(() -> envelope.answer().completeExceptionally(e));
        }
        if (transactionFailed) {
            throw new IllegalStateException(
                    "a command of " + envelope.cause() + " broke off half done, so nothing of this batch counts."
                            + " Start again: the journal holds all that was acknowledged",
                    thrown);
        }
    }

    /** What a transaction sees of the loop. */
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
                happened(cause, reply.events());
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

    private void forget() {
        while (ended.hasExcess()) {
            happened(FORGET_CAUSE, scheduler.handle(ended.next(), now).events());
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
                happened(Cause.CYCLE, scheduler.cycle(name, now));
            }
        }
    }

    private void happened(Cause cause, List<Event> events) {
        if (events.isEmpty()) {
            return;
        }
        entries.add(new JournalEntry(cause, events));
        for (Event event : events) {
            dirty.add(event.partition());
            ended.note(event);
            HistoryRecord historyRecord = recordSource.project(next, event, scheduler.state());
            if (historyRecord != null) {
                historyRecords.add(historyRecord);
            }
            next++;
        }
    }

    /** Writes the batch, as often as it takes. */
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
                boolean told = stall != null;
                stall = e;
                if (ending || !isRetryable(e)) {
                    answers.clear();
                    throw e;
                }
                if (!told) {
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

    /** The time, which never goes backwards here even when the clock does; a {@link SteadyClock} does not, and never stands still. */
    private void tick() {
        Instant time = clock.instant();
        now = time.isAfter(now) ? time : now;
    }
}
