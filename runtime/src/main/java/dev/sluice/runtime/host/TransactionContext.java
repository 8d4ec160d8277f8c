package dev.sluice.runtime.host;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.HistoryRecord;
import java.time.Instant;

/** The operations available to a {@link Transaction}. */
public interface TransactionContext {

    /** Executes a command; its events are journaled with the cause of the transaction. */
    CommandResult handle(Command command);

    /** Returns the current state; read-only. */
    SchedulerState state();

    /** Returns the scheduler, for queries only; use {@link #handle} for commands. */
    Scheduler scheduler();

    /** Adds a record to the history. */
    void addHistoryRecord(HistoryRecord historyRecord);

    /** Returns the instant of the transaction. */
    Instant now();
}
