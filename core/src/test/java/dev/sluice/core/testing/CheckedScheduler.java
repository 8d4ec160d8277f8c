package dev.sluice.core.testing;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * A scheduler that keeps the journal of all its events and is checked: after every cycle that nothing was brought over a limit, and
 * on demand everything.
 */
public final class CheckedScheduler {

    private final Scheduler scheduler = new Scheduler();
    private final List<Event> journal = new ArrayList<>();

    /** What is known. */
    public SchedulerState state() {
        return scheduler.state();
    }

    /** The scheduler inside. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /** All events so far. */
    public List<Event> journal() {
        return Collections.unmodifiableList(journal);
    }

    /** Carries out a command. */
    public CommandResult handle(Command command, Instant now) {
        CommandResult reply = scheduler.handle(command, now);
        journal.addAll(reply.events());
        return reply;
    }

    /** Makes one pass over a partition, and checks that it brought nothing over a limit. */
    public List<Event> cycle(String partition, Instant now) {
        Partition scheduled = scheduler.state().partition(partition);
        if (scheduled == null) {
            throw new IllegalArgumentException("there is no partition " + partition);
        }
        Invariants.Allocations before = Invariants.allocations(scheduled);
        List<Event> events = scheduler.cycle(partition, now);
        journal.addAll(events);
        Invariants.checkCycle(before, scheduled);
        return events;
    }

    /** Applies events as a journal that is read would. */
    public void restore(List<? extends Event> events) {
        scheduler.restore(events);
        journal.addAll(events);
    }

    /** Notes events that the test has applied itself, so that the journal is complete. */
    public void record(List<? extends Event> events) {
        journal.addAll(events);
    }

    /** Checks {@link Invariants}, and that the journal folds to the same state, and a checkpoint is read as the same. */
    public void check() {
        Invariants.check(state());
        checkThatUsageIsOfThePast();
        String text = StateText.of(state());
        SchedulerState folded = fold().state();
        same("the journal folds", text, folded);
        RecordedCheckpoint checkpoint = RecordedCheckpoint.of(state());
        SchedulerState read = checkpoint.state();
        same("the checkpoint is read", text, read);
        // what is not in the text of the state is in its checkpoint, so one comparison is about both
        StateComparison.check(read, folded);
        if (!RecordedCheckpoint.of(read).parts().equals(checkpoint.parts())) {
            throw new AssertionError("what was read from a checkpoint has another one");
        }
    }

    private static void same(String what, String text, SchedulerState other) {
        String otherText = StateText.of(other);
        if (!text.equals(otherText)) {
            throw new AssertionError(
                    what + " to another state; the first difference is\n  " + firstDifference(text, otherText));
        }
    }

    /** Usage is as it was when something happened last, or before. */
    private void checkThatUsageIsOfThePast() {
        Instant last =
                journal.stream().map(Event::at).max(Comparator.naturalOrder()).orElse(Instant.MAX);
        for (Partition partition : state().partitions()) {
            for (Queue queue : partition.queues().all()) {
                Usage.Reading usage = queue.usage();
                if (usage != null && usage.at().isAfter(last)) {
                    throw new AssertionError(queue + " has a usage priority of " + usage.at() + ", after " + last);
                }
            }
        }
    }

    /** A new scheduler that was restored from the journal. */
    public Scheduler fold() {
        Scheduler restored = new Scheduler();
        restored.restore(journal);
        return restored;
    }

    private static String firstDifference(String text, String folded) {
        List<String> lines = text.lines().toList();
        List<String> others = folded.lines().toList();
        for (int i = 0; i < Math.max(lines.size(), others.size()); i++) {
            String line = i < lines.size() ? lines.get(i) : "(nothing)";
            String other = i < others.size() ? others.get(i) : "(nothing)";
            if (!line.equals(other)) {
                return line + "\nwhich becomes\n  " + other;
            }
        }
        return "(none)";
    }
}
