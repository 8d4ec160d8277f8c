package dev.sluice.core.state;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * When the tasks of a node must leave it because of its taints. Its timer is due when the first of them must; it
 * follows from the taints and tasks of the node and is not stored.
 */
public final class NodeEviction extends TimerSubject {

    private final Node node;

    /** The tasks that must leave, by when they must; those of the same time in the order of their allocation. */
    private final NavigableMap<Instant, Set<Task>> leaving = new TreeMap<>();

    NodeEviction(Node node) {
        this.node = node;
    }

    /** Returns the tasks that must leave by now, in the order of their allocation. */
    public List<Task> due(Instant now) {
        List<Task> due = new ArrayList<>();
        leaving.headMap(now, true).values().forEach(due::addAll);
        due.sort(Comparator.comparingLong(Task::sequence));
        return due;
    }

    /** Finds the tasks that must leave, after the taints of the node have changed or its tasks were restored. */
    void update(Timers timers) {
        leaving.clear();
        List<Task> tasks = new ArrayList<>(node.tasks()); // in no order that a restored state would have, too
        tasks.sort(Comparator.comparingLong(Task::sequence));
        for (Task task : tasks) {
            Instant leaves = node.leavesAt(task);
            if (leaves != null) {
                leaving.computeIfAbsent(leaves, at -> new LinkedHashSet<>()).add(task);
            }
        }
        setTimer(timers);
    }

    /** Called when a task ends or is asked to stop. */
    void left(Task task, Timers timers) {
        Instant leaves = task.kind().constraints().leavesAt(node.taints());
        Set<Task> together = leaves == null ? null : leaving.get(leaves);
        if (together != null && together.remove(task) && together.isEmpty()) {
            leaving.remove(leaves);
            setTimer(timers);
        }
    }

    private void setTimer(Timers timers) {
        Instant first = leaving.isEmpty() ? null : leaving.firstKey();
        if (timer == null || !timer.due().equals(first)) {
            timers.cancel(this);
            if (first != null) {
                timers.add(this, first);
            }
        }
    }

    @Override
    int timerRank() {
        return node.timerRank();
    }

    @Override
    int timerIndex() {
        return node.timerIndex();
    }

    /** After the timer of the health of the node. */
    @Override
    long timerSequence() {
        return 0;
    }

    @Override
    public String toString() {
        return "eviction from " + node;
    }
}
