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
 * A scheduler that records the journal of all its events and checks itself: limits after every cycle, and everything on
 * demand.
 */
public final class CheckedScheduler {

    private final Scheduler scheduler = new Scheduler();
    private final List<Event> journal = new ArrayList<>();

    public SchedulerState state() {
        return scheduler.state();
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public List<Event> journal() {
        return Collections.unmodifiableList(journal);
    }

    public CommandResult handle(Command command, Instant now) {
        CommandResult reply = scheduler.handle(command, now);
        journal.addAll(reply.events());
        return reply;
    }

    /** Runs a cycle and checks that it exceeds no limit. */
    public List<Event> cycle(String partition, Instant now) {
        Partition scheduled = scheduler.state().partition(partition);
        if (scheduled == null) {
            throw new IllegalArgumentException("partition not found: " + partition);
        }
        Invariants.Allocations before = Invariants.allocations(scheduled);
        List<Event> events = scheduler.cycle(partition, now);
        journal.addAll(events);
        Invariants.checkCycle(before, scheduled);
        return events;
    }

    /** Applies events like a journal replay. */
    public void restore(List<? extends Event> events) {
        scheduler.restore(events);
        journal.addAll(events);
    }

    /** Records events that the test has applied itself, so that the journal is complete. */
    public void record(List<? extends Event> events) {
        journal.addAll(events);
    }

    /**
     * Checks {@link Invariants}, that a replay of the journal yields the same state, and that a checkpoint does too.
     */
    public void check() {
        Invariants.check(state());
        checkThatUsageIsOfThePast();
        String text = StateText.of(state());
        SchedulerState folded = fold().state();
        same("replaying the journal leads", text, folded);
        RecordedCheckpoint checkpoint = RecordedCheckpoint.of(state());
        SchedulerState read = checkpoint.state();
        same("reading the checkpoint leads", text, read);
        // the checkpoint covers what the text of the state omits, so one comparison covers both
        StateComparison.check(read, folded);
        if (!RecordedCheckpoint.of(read).parts().equals(checkpoint.parts())) {
            throw new AssertionError("the restored state has a different checkpoint");
        }
    }

    private static void same(String what, String text, SchedulerState other) {
        String otherText = StateText.of(other);
        if (!text.equals(otherText)) {
            throw new AssertionError(
                    what + " to another state; the first difference is\n  " + firstDifference(text, otherText));
        }
    }

    /** Usage is as of the last event, or before. */
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

    /** Returns a new scheduler restored from the journal. */
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
