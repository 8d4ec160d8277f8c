package dev.sluice.core.share;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The loans that a parent may reclaim in one cycle: how many tasks of each class may be preempted, and which.
 *
 * <p>It only names candidates. Each is preempted for a pending task of a class below its entitlement that takes its
 * place, so the engine may preempt fewer than planned, or none. The plan counts workers. If tasks differ in size, that
 * may not be enough: then a class below its entitlement may reclaim all loans, down to the entitlements of the others.
 */
public final class Reclaim {

    /**
     * The number of pending tasks without victims after which the parent gives up for the cycle, so that the cost of
     * the search does not grow with the number of pending tasks.
     */
    private static final int REFUSALS_MAX = 1_000;

    private final Queue parent;
    private final Partition partition;
    private final Instant now;
    private final Map<Queue, Integer> positions;
    private final int[] planned;
    private final int[] loans;
    private @Nullable List<Task> reclaimable;
    private boolean exceedsPlan;
    private int refusals;
    private boolean unused = true;

    /**
     * Creates the loans of a parent.
     *
     * @param planned the number of tasks per class to preempt if all tasks are equal in size, in configuration order
     * @param loans the number of reclaimable tasks per class beyond its entitlement
     */
    Reclaim(Queue parent, Partition partition, Instant now, List<Integer> planned, int[] loans) {
        this.parent = parent;
        this.partition = partition;
        this.now = now;
        this.positions = positions(parent);
        this.planned = planned.stream().mapToInt(Integer::intValue).toArray();
        this.loans = loans.clone();
    }

    private static Map<Queue, Integer> positions(Queue parent) {
        Map<Queue, Integer> positions = new HashMap<>();
        parent.children().forEach(child -> positions.put(child, positions.size()));
        return positions;
    }

    /**
     * The tasks below a queue whose preemption makes a worker idle.
     *
     * @param tasks those that are not protected, most recently started first
     * @param protectionEnds when the first of the others may be preempted, or null
     */
    record Reclaimable(List<Task> tasks, @Nullable Instant protectionEnds) {}

    /** Returns the tasks below a queue that are reclaimable now, and when others will be. */
    static Reclaimable reclaimable(Queue parent, Partition partition, Instant now) {
        List<Task> reclaimable = new ArrayList<>();
        Instant protectionEnds = Instant.MAX;
        for (Node node : partition.nodes()) {
            for (Task task : node.isReady() ? node.tasks() : List.<Task>of()) {
                if (task.stopReason() == null
                        && parent.contains(task.application().queue())) {
                    Instant until = task.protectedUntil();
                    if (!until.isAfter(now)) {
                        reclaimable.add(task);
                    } else if (until.isBefore(protectionEnds)) {
                        protectionEnds = until;
                    }
                }
            }
        }
        reclaimable.sort(Task.MOST_RECENT);
        return new Reclaimable(reclaimable, protectionEnds.equals(Instant.MAX) ? null : protectionEnds);
    }

    /** Returns the position of the class that contains a task below the parent. */
    private static int position(Task task, Map<Queue, Integer> positions) {
        for (Queue queue = task.application().queue(); queue != null; queue = queue.parent()) {
            Integer position = positions.get(queue);
            if (position != null) {
                return position;
            }
        }
        throw new IllegalStateException(task + " belongs to none of the load classes");
    }

    private int classOf(Task task) {
        return position(task, positions);
    }

    /** Counts these tasks by class, in configuration order. */
    static List<Integer> countByClass(Queue parent, List<Task> tasks) {
        Map<Queue, Integer> positions = positions(parent);
        int[] counts = new int[positions.size()];
        tasks.forEach(task -> counts[position(task, positions)]++);
        return IntStream.of(counts).boxed().toList();
    }

    /** The queue whose children are the load classes. */
    public Queue parent() {
        return parent;
    }

    /**
     * Returns the unprotected tasks whose preemption makes a worker idle, most recently started first; computed on the
     * first call.
     */
    public List<Task> reclaimable() {
        if (reclaimable == null) {
            reclaimable = reclaimable(parent, partition, now).tasks();
        }
        return reclaimable;
    }

    /** Returns the tasks that are preempted if each beneficiary takes the place of one task. */
    List<Task> plannedVictims() {
        List<Task> victims = new ArrayList<>();
        int[] more = planned.clone();
        if (IntStream.of(more).anyMatch(tasks -> tasks > 0)) {
            for (Task task : reclaimable()) {
                int position = classOf(task);
                if (more[position] > 0) {
                    more[position]--;
                    victims.add(task);
                }
            }
        }
        return victims;
    }

    /** Sets whether the class served now is below its entitlement, so that it may reclaim more than planned. */
    void setBelowEntitlement(boolean belowEntitlement) {
        exceedsPlan = belowEntitlement;
    }

    /** Whether the class served now may reclaim more than planned. */
    public boolean mayExceedPlan() {
        return exceedsPlan;
    }

    /**
     * Whether this candidate may still be preempted, within the plan or beyond it. Once false, the result stays false.
     */
    public boolean mayPreempt(Task task, boolean beyond) {
        return task.stopReason() == null && (beyond ? loans : planned)[classOf(task)] > 0;
    }

    /** Whether all these tasks together may be preempted. */
    public boolean mayPreempt(List<Task> tasks, boolean beyond) {
        int[] counts = new int[planned.length];
        for (Task task : tasks) {
            int position = classOf(task);
            counts[position]++;
            if (counts[position] > (beyond ? loans : planned)[position]) {
                return false;
            }
        }
        return true;
    }

    /** Records that a task was preempted; returns the position of its class. */
    int preempted(Task task) {
        int position = classOf(task);
        planned[position]--;
        loans[position]--;
        unused = false;
        return position;
    }

    /** Whether no task has been preempted yet. */
    public boolean isUnused() {
        return unused;
    }

    /** Records that no victims were found for a pending task. */
    public void refused() {
        refusals++;
    }

    /** Excludes a class that has started a task in this cycle: no class both starts and loses tasks. */
    void exempt(int position) {
        planned[position] = 0;
        loans[position] = 0;
    }

    /** Whether any task may still be preempted. */
    boolean hasMore() {
        if (refusals >= REFUSALS_MAX) {
            return false;
        }
        for (int tasks : loans) {
            if (tasks > 0) {
                return true;
            }
        }
        return false;
    }
}
