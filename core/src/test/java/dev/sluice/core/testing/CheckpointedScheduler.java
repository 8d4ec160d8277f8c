package dev.sluice.core.testing;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import java.time.Instant;
import java.util.List;

/**
 * A scheduler that now and then is thrown away for one that begins with the checkpoint of its state, and yet must do what one does that lives on:
 * each disagreement is an {@link AssertionError}.
 */
public final class CheckpointedScheduler {

    private Scheduler scheduler = new Scheduler();
    private int replacements;

    /** How often it was replaced. */
    public int replacements() {
        return replacements;
    }

    /** Goes on with another one, made from the checkpoint. */
    public void replace() {
        scheduler = Scheduler.fromCheckpoint(
                RecordedCheckpoint.of(scheduler.state()).source());
        replacements++;
    }

    /** Carries out a command, to which the one that lives on replied this. */
    public void handle(Command command, Instant now, CommandResult expected) {
        CommandResult reply = scheduler.handle(command, now);
        same(reply.events(), expected.events());
        if (!String.valueOf(reply.refusal()).equals(String.valueOf(expected.refusal()))) {
            throw new AssertionError("after " + replacements + " replacements it says " + reply.refusal()
                    + "\n  but should say " + expected.refusal());
        }
    }

    /** Makes a pass, in which the one that lives on decided this. */
    public void cycle(String partition, Instant now, List<Event> expected) {
        same(scheduler.cycle(partition, now), expected);
    }

    /** Must be in the state in which the one that lives on is. */
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
