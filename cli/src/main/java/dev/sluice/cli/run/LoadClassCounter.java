package dev.sluice.cli.run;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.local.ApplicationTallies;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts running tasks by load class from events, and detects the start and end of loans.
 *
 * <p>A loan ends when a cycle allocates the workers to other classes, or when the class has no waiting task that could
 * use them; consecutive tasks on the same loan are not reported.
 */
final class LoadClassCounter implements Projection {

    private final ProgressView view;
    private final ApplicationTallies tallies;
    private final Map<String, LoadClassTree> trees = new LinkedHashMap<>();
    private final Map<ClassKey, ClassCounts> classes = new LinkedHashMap<>();
    private final Set<ClassCounts> borrowing = new LinkedHashSet<>();
    /** Preempted tasks that have not ended; their workers already count for other classes. */
    private final Set<TaskRef> preempting = new LinkedHashSet<>();

    private record ClassKey(String partition, String path) {}

    private static final class ClassCounts {
        private final ClassKey key;
        private int percent;
        private int entitlement;
        private int running;
        private long started;
        private int peakRunning;
        private int peakLoaned;
        private long preempted;

        private ClassCounts(ClassKey key) {
            this.key = key;
        }

        private LoadClassProgress progress() {
            return new LoadClassProgress(
                    key.partition,
                    key.path,
                    percent,
                    entitlement,
                    running,
                    started,
                    peakRunning,
                    peakLoaned,
                    preempted);
        }

        private int loaned() {
            return Math.max(0, running - entitlement);
        }
    }

    /** @param tallies have counted the events before this counter receives them */
    LoadClassCounter(ProgressView view, ApplicationTallies tallies) {
        this.view = view;
        this.tallies = tallies;
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        List<Event> events =
                entries.stream().flatMap(entry -> entry.events().stream()).toList();
        Map<ClassCounts, EnumSet<LoadClassChange>> changes = new LinkedHashMap<>();
        Set<String> stale = new LinkedHashSet<>();
        for (Event event : events) {
            if (trees.computeIfAbsent(event.partition(), name -> new LoadClassTree())
                    .update(event)) {
                stale.add(event.partition());
            }
        }
        stale.forEach(partition -> entitle(partition, changes));
        boolean started = false;
        for (Event event : events) {
            if (event instanceof TaskEvent task) {
                count(task, changes);
                started |= event instanceof TaskEvent.Placed;
            }
        }
        noteLoans(started, changes);
        changes.forEach((counts, what) -> what.forEach(change -> view.loadClassChanged(counts.progress(), change)));
    }

    /** Returns the classes of all partitions, parents before children. */
    List<LoadClassProgress> classes() {
        return classes.values().stream().map(ClassCounts::progress).toList();
    }

    private void entitle(String partition, Map<ClassCounts, EnumSet<LoadClassChange>> changes) {
        LoadClassTree tree = trees.getOrDefault(partition, new LoadClassTree());
        for (LoadClassTree.Entitlement each : tree.entitlements()) {
            ClassCounts counts = classes.computeIfAbsent(new ClassKey(partition, each.path()), ClassCounts::new);
            counts.percent = each.percent();
            counts.entitlement = each.workers();
            changed(counts, LoadClassChange.COUNTED, changes);
        }
    }

    private void count(TaskEvent event, Map<ClassCounts, EnumSet<LoadClassChange>> changes) {
        boolean isPreempted = event instanceof TaskEvent.Stopping stopping
                && stopping.reason() == StopReason.REBALANCE
                && preempting.add(event.task());
        boolean ends = event instanceof TaskEvent.Ended && !preempting.remove(event.task());
        for (String path : event.origin().queues()) {
            ClassCounts counts = classes.get(new ClassKey(event.partition(), path));
            if (counts == null) {
                continue;
            }
            if (event instanceof TaskEvent.Placed) {
                counts.started++;
                counts.running++;
                counts.peakRunning = Math.max(counts.peakRunning, counts.running);
                counts.peakLoaned = Math.max(counts.peakLoaned, counts.loaned());
                changed(counts, LoadClassChange.COUNTED, changes);
            } else if (ends) {
                counts.running--;
                changed(counts, LoadClassChange.COUNTED, changes);
            } else if (isPreempted) {
                counts.running--;
                counts.preempted++;
                changed(counts, LoadClassChange.PREEMPTED, changes);
            }
        }
    }

    private void noteLoans(boolean started, Map<ClassCounts, EnumSet<LoadClassChange>> changes) {
        for (ClassCounts counts : List.copyOf(changes.keySet())) {
            if (counts.loaned() > 0 && borrowing.add(counts)) {
                changed(counts, LoadClassChange.BORROWS, changes);
            }
        }
        for (ClassCounts counts : List.copyOf(borrowing)) {
            if (counts.loaned() == 0 && (started || !hasPendingTasks(counts.key))) {
                borrowing.remove(counts);
                changed(counts, LoadClassChange.RETURNED, changes);
            }
        }
    }

    private boolean hasPendingTasks(ClassKey key) {
        return tallies.all().stream()
                .anyMatch(application -> application.partition().equals(key.partition)
                        && application.hasPendingTasks()
                        && application.origin().queues().contains(key.path));
    }

    private static void changed(
            ClassCounts counts, LoadClassChange change, Map<ClassCounts, EnumSet<LoadClassChange>> changes) {
        changes.computeIfAbsent(counts, key -> EnumSet.noneOf(LoadClassChange.class))
                .add(change);
    }
}
