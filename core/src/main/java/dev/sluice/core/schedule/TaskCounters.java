package dev.sluice.core.schedule;

import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.state.Changes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks in each topology domain, counted for the selectors that pending tasks use and for what running tasks
 * exclude. Equal selectors share a counter.
 *
 * <p>Counters are updated when tasks are allocated and end, and counted again when nodes have changed. Tasks without
 * labels cost nothing as long as no selector selects them.
 */
final class TaskCounters {

    /** Counters that no class uses are kept up to this number, because classes come and go. */
    private static final int UNUSED_MAX = 1_000;

    private static final int EXCLUDING_MIN = 64;
    private static final int LABELS_MIN = 10_000;

    private final Partition partition;
    private final TopologyDomains topologies;
    private final Map<TaskCounter.Subject, TaskCounter> counters = new LinkedHashMap<>();

    /** The allocated tasks by their labels, once a selector is in use; also labels that no task has any more. */
    private final Map<SortedMap<String, String>, Labelled> byLabels = new HashMap<>();

    private Labelled unlabelled = new Labelled(List.of());
    private int labelsMax = LABELS_MIN;
    private boolean countsLabels;

    /** The counters of what running tasks exclude; new ones are added at the end. */
    private final List<TaskCounter> excluding = new ArrayList<>();

    private int excludingMax = EXCLUDING_MIN;
    private int generation;
    private boolean stale = true;

    /** The tasks with the same labels. */
    private static final class Labelled {
        private final List<TaskCounter> selecting;
        private int allocated;

        private Labelled(List<TaskCounter> selecting) {
            this.selecting = new ArrayList<>(selecting);
        }
    }

    TaskCounters(Partition partition) {
        this.partition = partition;
        this.topologies = new TopologyDomains(partition);
    }

    /** Updates all counters. */
    void sync(Changes changes) {
        if (stale || changes.nodesStale() || changes.tasksStale()) {
            recount();
            return;
        }
        if (byLabels.size() > labelsMax) {
            byLabels.values().removeIf(labelled -> labelled.allocated == 0);
            labelsMax = Math.max(LABELS_MIN, 2 * byLabels.size());
        }
        List<Task> placed = changes.placedTasks();
        for (int i = 0; i < placed.size(); i++) {
            count(placed.get(i), 1);
        }
        List<Task> ended = changes.endedTasks();
        for (int i = 0; i < ended.size(); i++) {
            count(ended.get(i), -1);
        }
    }

    private void recount() {
        stale = false;
        topologies.nodesChanged();
        excluding.forEach(counter -> counters.remove(counter.subject()));
        excluding.clear();
        generation++;
        countsLabels =
                counters.values().stream().anyMatch(counter -> counter.subject() instanceof TaskCounter.Selected);
        byLabels.clear();
        unlabelled = new Labelled(selecting(TaskConstraints.NONE.labels()));
        counters.values().forEach(counter -> counter.reset(topologies));
        allocated().forEach(task -> count(task, 1));
    }

    private Stream<Task> allocated() {
        return partition.nodes().stream().flatMap(node -> node.tasks().stream());
    }

    /** Returns the domains that counters refer to. */
    TopologyDomains topologies() {
        return topologies;
    }

    private void count(Task task, int by) {
        count(task.kind().constraints().tasks(), task.group(), true, task.node(), by);
    }

    /**
     * Counts a task of this class as if it were allocated to the node, until it is counted with -1. What it excludes
     * counts only if tasks of other classes are to be held: others of its own class are apart from it anyway.
     */
    void hold(EquivalenceClass equivalenceClass, boolean excludes, Node node, int by) {
        count(equivalenceClass.key.constraints().tasks(), equivalenceClass.key.group(), excludes, node, by);
    }

    /** @param group the group of the task; only used if the number of its tasks per node is limited */
    private void count(TaskConstraints constraints, @Nullable TaskGroup group, boolean excludes, Node node, int by) {
        if (countsLabels) {
            Labelled labelled = labelled(constraints.labels());
            labelled.allocated += by;
            for (int i = 0; i < labelled.selecting.size(); i++) {
                labelled.selecting.get(i).change(node, by);
            }
        }
        if (constraints.isUnconstrained()) {
            return; // nearly all tasks of most partitions
        }
        for (TaskTerm term : excludes ? constraints.antiAffinity().required() : List.<TaskTerm>of()) {
            excluding(new TaskCounter.Apart(term)).change(node, by);
        }
        for (HostPort port : constraints.ports()) {
            excluding(new TaskCounter.Port(port)).change(node, by);
        }
        TaskCounter ofGroup =
                group != null && constraints.perNode() > 0 ? counters.get(new TaskCounter.OfGroup(group)) : null;
        if (ofGroup != null) {
            ofGroup.change(node, by);
        }
    }

    private Labelled labelled(SortedMap<String, String> labels) {
        return labels.isEmpty()
                ? unlabelled
                : byLabels.computeIfAbsent(labels, missing -> new Labelled(selecting(missing)));
    }

    private List<TaskCounter> selecting(SortedMap<String, String> labels) {
        return counters.values().stream()
                .filter(counter -> selects(counter, labels))
                .toList();
    }

    private static boolean selects(TaskCounter counter, SortedMap<String, String> labels) {
        return counter.subject() instanceof TaskCounter.Selected selected
                && selected.selector().matches(labels);
    }

    private TaskCounter excluding(TaskCounter.Subject subject) {
        TaskCounter known = counters.get(subject);
        if (known != null) {
            return known;
        }
        if (excluding.size() >= excludingMax) {
            excluding.removeIf(counter -> counter.total() == 0 && counters.remove(counter.subject()) != null);
            excludingMax = Math.max(EXCLUDING_MIN, 2 * excluding.size());
            generation++;
        }
        TaskCounter counter = new TaskCounter(subject);
        counter.reset(topologies);
        counters.put(subject, counter);
        excluding.add(counter);
        return counter;
    }

    /** Returns the counters of what running tasks exclude. While the generation is the same, more are only added. */
    List<TaskCounter> excluding() {
        return excluding;
    }

    /** Returns a number that changes when counters are removed from {@link #excluding()}. */
    int generation() {
        return generation;
    }

    /** Returns the counter of tasks that a selector selects, for one more class. */
    TaskCounter use(TaskCounter.Selected subject) {
        TaskCounter counter = counters.get(subject);
        if (counter == null) {
            counter = create(subject);
            if (!stale) {
                countSelected(counter);
            }
        }
        counter.uses++;
        return counter;
    }

    /** Counts the tasks that a new counter selects. Visits all tasks only if it selects any. */
    private void countSelected(TaskCounter counter) {
        if (!countsLabels) {
            countsLabels = true;
            byLabels.clear();
            unlabelled = new Labelled(List.of());
            allocated().forEach(task -> labelled(labelsOf(task)).allocated++);
        }
        boolean any = false;
        for (Map.Entry<SortedMap<String, String>, Labelled> each : byLabels.entrySet()) {
            any |= select(counter, each.getKey(), each.getValue());
        }
        any |= select(counter, TaskConstraints.NONE.labels(), unlabelled);
        if (any) {
            allocated()
                    .filter(task -> selects(counter, labelsOf(task)))
                    .forEach(task -> counter.change(task.node(), 1));
        }
    }

    private static SortedMap<String, String> labelsOf(Task task) {
        return task.kind().constraints().tasks().labels();
    }

    /** Adds a counter to those that select these labels, if it does; returns whether any task has them. */
    private static boolean select(TaskCounter counter, SortedMap<String, String> labels, Labelled labelled) {
        if (!selects(counter, labels)) {
            return false;
        }
        if (!labelled.selecting.contains(counter)) {
            labelled.selecting.add(counter);
        }
        return labelled.allocated > 0;
    }

    /** Returns the counter of the tasks of this group on each node. */
    TaskCounter use(TaskGroup group) {
        TaskCounter counter = counters.get(new TaskCounter.OfGroup(group));
        if (counter == null) {
            counter = create(new TaskCounter.OfGroup(group));
            for (Task task : stale ? List.<Task>of() : group.placed()) {
                counter.change(task.node(), 1);
            }
        }
        counter.uses++;
        return counter;
    }

    private TaskCounter create(TaskCounter.Subject subject) {
        TaskCounter counter = new TaskCounter(subject);
        if (!stale) {
            counter.reset(topologies);
        }
        counters.put(subject, counter);
        return counter;
    }

    /** Called when a class does not use a counter any more. */
    void release(TaskCounter counter) {
        counter.uses--;
        boolean kept = counter.subject() instanceof TaskCounter.Selected && counters.size() < UNUSED_MAX;
        if (counter.uses == 0 && !kept) {
            counters.remove(counter.subject());
            unlabelled.selecting.remove(counter);
            byLabels.values().forEach(labelled -> labelled.selecting.remove(counter));
        }
    }
}
