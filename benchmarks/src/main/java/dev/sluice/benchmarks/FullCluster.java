package dev.sluice.benchmarks;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A cluster that stays full: pending tasks replace those that end. Each cycle advances the time by a step. */
abstract class FullCluster {

    static final String PARTITION = "default";

    private final Scheduler scheduler = new Scheduler();
    private final Duration step;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    FullCluster(Duration step) {
        this.step = step;
    }

    /** Ends tasks, and makes as many others pending. */
    abstract void end(int tasks);

    /** Records that this task is running. */
    abstract void running(TaskEvent.Placed task);

    /** Advances the time and runs a cycle. */
    final List<Event> cycle() {
        now = now.plus(step);
        return scheduler.cycle(PARTITION, now);
    }

    /** Records the tasks that a cycle has placed. */
    final void started(List<Event> events) {
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                running(placed);
            }
        }
    }

    /** Executes a command, which must not be refused. */
    final CommandResult handle(Command command) {
        CommandResult reply = scheduler.handle(command, now);
        if (!reply.isAccepted()) {
            throw new IllegalStateException(command + ": " + reply.refusal());
        }
        return reply;
    }
}
