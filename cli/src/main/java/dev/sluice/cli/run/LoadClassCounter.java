package dev.sluice.cli.run;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.share.LoadClass;
import dev.sluice.core.share.LoadDivision;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts running tasks by load class from events, and detects the start and end of loans.
 *
 * <p>A loan ends when a cycle allocates the workers to other classes, or when the class has no waiting task that could
 * use them; consecutive tasks on the same loan are not reported.
 *
 * <p>A class is entitled to its percentage of the workers of the partition, or of the entitlement of the class above
 * it.
 */
final class LoadClassCounter {

    private final ProgressView view;
    private final Map<ClassKey, ClassCounts> classes = new LinkedHashMap<>();
    private final Set<ClassCounts> borrowing = new LinkedHashSet<>();
    /** Preempted tasks that have not ended; their workers already count for other classes. */
    private final Set<TaskRef> preempting = new LinkedHashSet<>();

    private record ClassKey(String partition, String path) {}

    private static final class ClassCounts {
        private final ClassKey key;
        private Queue queue;
        private int percent;
        private int entitlement;
        private int running;
        private long started;
        private int peakRunning;
        private int peakLoaned;
        private long preempted;

        private ClassCounts(ClassKey key, Queue queue) {
            this.key = key;
            this.queue = queue;
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

    LoadClassCounter(ProgressView view) {
        this.view = view;
    }

    /** Processes the events of a decision. */
    void decided(List<Event> events, SchedulerState state) {
        Map<ClassCounts, EnumSet<LoadClassChange>> changes = new LinkedHashMap<>();
        Set<String> stale = new LinkedHashSet<>();
        for (Event event : events) {
            if (event instanceof PartitionEvent || event instanceof NodeEvent) {
                stale.add(event.partition());
            }
        }
        for (String name : stale) {
            Partition partition = state.partition(name);
            if (partition != null) {
                entitle(partition, changes);
            }
        }
        boolean started = false;
        for (Event event : events) {
            if (event instanceof TaskEvent task) {
                count(task, state, changes);
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

    private void entitle(Partition partition, Map<ClassCounts, EnumSet<LoadClassChange>> changes) {
        for (Queue parent : partition.queues().all()) {
            if (parent.isLeaf() || parent.sharePolicy() != SharePolicyKind.LOAD) {
                continue;
            }
            List<Queue> children = parent.children();
            LoadDivision division = LoadDivision.allocate(
                    workers(parent, partition),
                    0,
                    children.stream().map(LoadClassCounter::loadClass).toList());
            for (int i = 0; i < children.size(); i++) {
                Queue child = children.get(i);
                ClassCounts counts = classes.computeIfAbsent(
                        new ClassKey(partition.name(), child.path()), key -> new ClassCounts(key, child));
                counts.queue = child;
                counts.percent = division.percents().get(i);
                counts.entitlement = division.entitlements().get(i);
                changed(counts, LoadClassChange.COUNTED, changes);
            }
        }
    }

    private int workers(Queue parent, Partition partition) {
        ClassCounts above = classes.get(new ClassKey(partition.name(), parent.path()));
        return above == null ? (int) Math.min(Integer.MAX_VALUE, partition.workers()) : above.entitlement;
    }

    private static LoadClass loadClass(Queue queue) {
        return new LoadClass(queue.configuration().properties().load().percentOrZero(), 0, 0);
    }

    private void count(TaskEvent event, SchedulerState state, Map<ClassCounts, EnumSet<LoadClassChange>> changes) {
        boolean isPreempted = event instanceof TaskEvent.Stopping stopping
                && stopping.reason() == StopReason.REBALANCE
                && preempting.add(event.task());
        boolean ends = event instanceof TaskEvent.Ended && !preempting.remove(event.task());
        for (Queue queue = queueOf(event, state); queue != null; queue = queue.parent()) {
            ClassCounts counts = classes.get(new ClassKey(event.partition(), queue.path()));
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

    private static @Nullable Queue queueOf(TaskEvent event, SchedulerState state) {
        Partition partition = state.partition(event.partition());
        Application application = partition == null ? null : partition.application(event.application());
        return application == null || !application.hasQueue() ? null : application.queue();
    }

    private void noteLoans(boolean started, Map<ClassCounts, EnumSet<LoadClassChange>> changes) {
        for (ClassCounts counts : List.copyOf(changes.keySet())) {
            if (counts.loaned() > 0 && borrowing.add(counts)) {
                changed(counts, LoadClassChange.BORROWS, changes);
            }
        }
        for (ClassCounts counts : List.copyOf(borrowing)) {
            if (counts.loaned() == 0 && (started || counts.queue.pendingTasks() == 0)) {
                borrowing.remove(counts);
                changed(counts, LoadClassChange.RETURNED, changes);
            }
        }
    }

    private static void changed(
            ClassCounts counts, LoadClassChange change, Map<ClassCounts, EnumSet<LoadClassChange>> changes) {
        changes.computeIfAbsent(counts, key -> EnumSet.noneOf(LoadClassChange.class))
                .add(change);
    }
}
