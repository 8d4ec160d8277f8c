package dev.sluice.core.testing;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import java.time.Instant;
import java.util.List;

/**
 * A scheduler that is replaced now and then by one restored from its checkpoint, and must behave like one that is not:
 * each difference is an {@link AssertionError}.
 */
public final class CheckpointedScheduler {

    private Scheduler scheduler = new Scheduler();
    private int replacements;

    /** The number of replacements. */
    public int replacements() {
        return replacements;
    }

    /** Replaces the scheduler by one restored from its checkpoint. */
    public void replace() {
        scheduler = Scheduler.fromCheckpoint(
                RecordedCheckpoint.of(scheduler.state()).source());
        replacements++;
    }

    /** Executes a command and compares with the result of the original scheduler. */
    public void handle(Command command, Instant now, CommandResult expected) {
        CommandResult reply = scheduler.handle(command, now);
        same(reply.events(), expected.events());
        if (!String.valueOf(reply.refusal()).equals(String.valueOf(expected.refusal()))) {
            throw new AssertionError("after " + replacements + " replacements it returns " + reply.refusal()
                    + "\n  but should return " + expected.refusal());
        }
    }

    /** Runs a cycle and compares with the events of the original scheduler. */
    public void cycle(String partition, Instant now, List<Event> expected) {
        same(scheduler.cycle(partition, now), expected);
    }

    /** Compares the state with that of the original scheduler. */
    public void check(Scheduler expected) {
        StateComparison.check(scheduler.state(), expected.state());
    }

    private void same(List<Event> events, List<Event> expected) {
        if (!events.equals(expected)) {
            int same = 0;
            while (same < Math.min(events.size(), expected.size())
                    && events.get(same).equals(expected.get(same))) {
                same++;
            }
            throw new AssertionError("after " + replacements + " replacements it differs at event " + same
                    + "\n  it decides        " + events.subList(same, events.size())
                    + "\n  but should decide " + expected.subList(same, expected.size()));
        }
    }
}
