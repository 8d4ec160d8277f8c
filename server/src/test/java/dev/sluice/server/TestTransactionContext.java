package dev.sluice.server;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.HistoryRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A transaction context without a host: a scheduler and a manual clock. */
public class TestTransactionContext implements TransactionContext {

    private final Scheduler scheduler = new Scheduler();
    private final List<HistoryRecord> kept = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T12:00:00Z");

    /** Returns the recorded history records in order. */
    public final List<HistoryRecord> kept() {
        return List.copyOf(kept);
    }

    public final void setNow(Instant instant) {
        now = instant;
    }

    /** Runs a cycle of this partition. */
    public final void cycle(String partition) {
        scheduler.cycle(partition, now);
    }

    @Override
    public CommandResult handle(Command command) {
        return scheduler.handle(command, now);
    }

    @Override
    public final SchedulerState state() {
        return scheduler.state();
    }

    @Override
    public final Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public final void addHistoryRecord(HistoryRecord historyRecord) {
        kept.add(historyRecord);
    }

    @Override
    public final Instant now() {
        return now;
    }
}
