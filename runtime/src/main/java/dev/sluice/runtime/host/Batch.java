package dev.sluice.runtime.host;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.JournalEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is decided at one instant: executes transactions and cycles, and collects what must be written. */
final class Batch {

    private static final Cause FORGET_CAUSE = Cause.internal("ForgetApplication");

    private final Scheduler scheduler;
    private final HistoryRecorder recorder;
    private final EndedApplications ended;
    private final Set<String> dirty = new LinkedHashSet<>();
    private final List<JournalEntry> entries = new ArrayList<>();
    private final List<HistoryRecord> historyRecords = new ArrayList<>();
    private final List<Runnable> completions = new ArrayList<>();
    private Instant now = Instant.MIN;
    private long next;
    private boolean transactionFailed;

    Batch(Scheduler scheduler, HistoryRecorder recorder, int retained) {
        this.scheduler = scheduler;
        this.recorder = recorder;
        this.ended = new EndedApplications(retained, scheduler.state());
    }

    /**
     * Starts a batch.
     *
     * @param first the sequence number of the next event
     */
    void begin(Instant at, long first) {
        now = at;
        next = first;
        entries.clear();
        historyRecords.clear();
        completions.clear();
    }

    /** Returns the entries; the list changes with the next batch and must not be modified. */
    List<JournalEntry> entries() {
        return entries;
    }

    List<HistoryRecord> historyRecords() {
        return historyRecords;
    }

    /** Completes the transactions. */
    void complete() {
        completions.forEach(Runnable::run);
    }

    /** Discards the completions, because the batch could not be written. */
    void abandon() {
        completions.clear();
    }

    /** Returns whether a cycle is needed without further commands or timers. */
    boolean hasWork() {
        return !dirty.isEmpty() || ended.hasExcess();
    }

    void requireCycles() {
        scheduler.state().partitions().forEach(partition -> dirty.add(partition.name()));
    }

    /**
     * Executes a transaction. An exception, even a stack overflow, is reported only to its caller: the commands
     * executed before it remain applied and will be written, and a transaction has no other effects on the state. But
     * an exception within a command may leave the state inconsistent with the journal. Then the host ends without
     * writing or completing anything of this batch, and a restart restores the state from the journal. The same applies
     * to fatal errors of the JVM, such as running out of memory.
     */
    <T> void execute(Inbox.Envelope<T> envelope) {
        Throwable failure = null;
        try {
            T result = envelope.transaction().run(context(envelope.cause()));
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

    TransactionContext context(Cause cause) {
        return new BatchContext(cause);
    }

    private final class BatchContext implements TransactionContext {

        private final Cause cause;

        BatchContext(Cause cause) {
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

    void forgetExcess() {
        while (ended.hasExcess()) {
            record(FORGET_CAUSE, scheduler.handle(ended.next(), now).events());
        }
    }

    /** Runs a cycle of every partition that has changed or is due. */
    void cycles() {
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
        String latest = "";
        for (Event event : events) {
            String partition = event.partition();
            if (!partition.equals(latest)) {
                latest = partition;
                dirty.add(partition);
            }
            ended.update(event);
            if (recorder != HistoryRecorder.NONE) {
                historyRecords.addAll(recorder.record(next, cause, event, scheduler.state()));
            }
            next++;
        }
    }
}
