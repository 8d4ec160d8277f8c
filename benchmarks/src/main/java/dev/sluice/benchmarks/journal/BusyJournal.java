package dev.sluice.benchmarks.journal;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * The journal of a busy cluster: 1,000 nodes of 16 cores that are always full, 20 queues, 100 users, applications of 1
 * to 40 tasks of one core and a few GiB that run for up to ten minutes. Every second has a batch of submissions, one of
 * a cycle, one of starts and one of ends, of about 50 events each. Fully determined by its seed.
 */
final class BusyJournal {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final int NODES = 1_000;
    private static final int QUEUES = 20;
    private static final int USERS = 100;
    private static final int WAITING_MAX = 2_000;

    private final Scheduler scheduler = new Scheduler();
    private final Random random = new Random(1);
    private final List<Batch> batches = new ArrayList<>();
    private final PriorityQueue<Running> running =
            new PriorityQueue<>(Comparator.comparing(Running::ends).thenComparing(Running::number));
    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private List<JournalEntry> entries = new ArrayList<>();
    private List<TaskEvent.Placed> placed = new ArrayList<>();
    private long events;
    private long waiting;
    private long applications;
    private long tasks;

    /** A batch of entries. */
    record Batch(Instant at, List<JournalEntry> entries) {}

    private record Running(Instant ends, long number, RunRef run) {}

    /** Returns a journal of at least this many events. */
    static List<Batch> of(long eventsMin) {
        BusyJournal journal = new BusyJournal();
        journal.setUp();
        while (journal.events < eventsMin) {
            journal.second();
        }
        return Collections.unmodifiableList(journal.batches);
    }

    private void setUp() {
        QueueConfiguration[] queues = new QueueConfiguration[QUEUES];
        for (int i = 0; i < QUEUES; i++) {
            queues[i] = QueueConfiguration.leaf("team" + i);
        }
        handle(new Command.ApplyConfiguration(
                List.of(PartitionConfiguration.of(PARTITION, QueueConfiguration.parent("root", queues)))));
        for (int i = 0; i < NODES; i++) {
            handle(new Command.RegisterNode(
                    PARTITION,
                    "node-" + i + ".example.org",
                    Resources.parse("vcore", "16", "memory", "64Gi"),
                    Collections.emptySortedMap()));
        }
        write();
    }

    private void second() {
        now = now.plusSeconds(1).plusNanos(random.nextInt(1_000_000) * 1_000L);
        while (waiting < WAITING_MAX) {
            submit();
        }
        write();
        keep(Cause.CYCLE, scheduler.cycle(PARTITION, now));
        write();
        start();
        write();
        end();
        write();
    }

    private void submit() {
        int team = random.nextInt(QUEUES);
        String id = "training-" + applications++;
        int count = 1 + random.nextInt(40);
        TaskSpec spec =
                TaskSpec.of("worker", count, Resources.parse("vcore", "1", "memory", 1 + random.nextInt(4) + "Gi"));
        handle(new Command.SubmitApplication(
                PARTITION,
                ApplicationSpec.sealed(id, "root.team" + team, spec).withUser("user" + random.nextInt(USERS))));
        waiting += count;
    }

    private void start() {
        for (TaskEvent.Placed placement : placed) {
            handle(new Command.ReportTaskStarted(placement.run()));
            running.add(new Running(now.plusSeconds(1 + random.nextInt(600)), tasks++, placement.run()));
        }
        waiting -= placed.size();
        placed = new ArrayList<>();
    }

    private void end() {
        while (!running.isEmpty() && !running.element().ends().isAfter(now)) {
            Running ended = running.remove();
            handle(new Command.ReportTaskSucceeded(ended.run()));
        }
    }

    private void handle(Command command) {
        keep(
                new Cause(command.getClass().getSimpleName(), ""),
                scheduler.handle(command, now).events());
    }

    private void keep(Cause cause, List<Event> happened) {
        if (!happened.isEmpty()) {
            entries.add(new JournalEntry(cause, happened));
            events += happened.size();
        }
        for (Event event : happened) {
            if (event instanceof TaskEvent.Placed placement) {
                placed.add(placement);
            }
        }
    }

    private void write() {
        if (!entries.isEmpty()) {
            batches.add(new Batch(now, Collections.unmodifiableList(entries)));
            entries = new ArrayList<>();
        }
    }
}
