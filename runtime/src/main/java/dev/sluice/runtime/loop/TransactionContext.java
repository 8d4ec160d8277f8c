package dev.sluice.runtime.loop;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.HistoryRecord;
import java.time.Instant;

/** What a {@link Transaction} can do. */
public interface TransactionContext {

    /** Carries out a command; what follows from it is written down with whoever is behind the transaction. */
    CommandResult handle(Command command);

    /** What is known; only to be read. */
    SchedulerState state();

    /** The scheduler, to ask it what it has worked out; commands go through {@link #handle}. */
    Scheduler scheduler();

    /** Has something kept beside the events. */
    void addHistoryRecord(HistoryRecord historyRecord);

    /** The instant at which all of this happens. */
    Instant now();
}
