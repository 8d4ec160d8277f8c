package dev.sluice.core.share;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The loans that a parent may reclaim in one cycle: how many tasks of each class may be preempted, and which.
 *
 * <p>It names candidates only. Each is preempted for a pending task of a class that is due a loan and takes its place, so in the end it may be
 * fewer than were planned, or none. The plan counts workers. Where tasks are unlike that may be too few: then a class below its entitlement may
 * have all that is on loan, down to what the others are entitled to.
 */
public final class Reclaim {

    /** How many pending tasks may find no victims before the parent gives up for the cycle: the search must not cost what waits. */
    private static final int REFUSALS_MAX = 1_000;

    /** The most recently started first: (not started yet, start, placement), each descending. */
    private static final Comparator<Task> MOST_RECENT = Comparator.comparing(Reclaim::start)
            .thenComparingLong(Task::sequence)
            .reversed();

    private final Queue parent;
    private final Partition partition;
    private final Map<Queue, Integer> positions;
    private final int[] planned;
    private final int[] loans;
    private @Nullable List<Task> reclaimable;
    private boolean exceedsPlan;
    private int refusals;
    private boolean unused = true;

    /**
     * The loans of a parent.
     *
     * @param planned how many tasks of each class are to be preempted if tasks are alike, in the order of configuration
     * @param loans how many of them the class has beyond its entitlement, if they can be preempted
     */
    Reclaim(Queue parent, Partition partition, List<Integer> planned, int[] loans) {
        this.parent = parent;
        this.partition = partition;
        this.positions = positions(parent);
        this.planned = planned.stream().mapToInt(Integer::intValue).toArray();
        this.loans = loans.clone();
    }

    private static Map<Queue, Integer> positions(Queue parent) {
        Map<Queue, Integer> positions = new HashMap<>();
        parent.children().forEach(child -> positions.put(child, positions.size()));
        return positions;
    }

    /** The tasks below a queue that give a worker back when they are preempted, the most recently started first. */
    static List<Task> reclaimable(Queue parent, Partition partition) {
        List<Task> reclaimable = new ArrayList<>();
        for (Node node : partition.nodes()) {
            if (node.isReady()) {
                for (Task task : node.tasks()) {
                    if (task.stopReason() == null && isBelow(task, parent)) {
                        reclaimable.add(task);
                    }
                }
            }
        }
        reclaimable.sort(MOST_RECENT);
        return reclaimable;
    }

    private static Instant start(Task task) {
        Instant started = task.startedAt();
        return started == null ? Instant.MAX : started;
    }

    private static boolean isBelow(Task task, Queue parent) {
        Queue queue = task.application().queue();
        while (queue != null && queue != parent) {
            queue = queue.parent();
        }
        return queue == parent;
    }

    /** The position of the class that a task below the parent belongs to. */
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

    /** How many of these tasks belong to each class of a parent, in the order of configuration. */
    static List<Integer> countByClass(Queue parent, List<Task> tasks) {
        Map<Queue, Integer> positions = positions(parent);
        int[] counts = new int[positions.size()];
        tasks.forEach(task -> counts[position(task, positions)]++);
        return IntStream.of(counts).boxed().toList();
    }

    /** The queue whose classes share. */
    public Queue parent() {
        return parent;
    }

    /** The tasks that give a worker back when they are preempted, the most recently started first; collected when first asked for. */
    public List<Task> reclaimable() {
        if (reclaimable == null) {
            reclaimable = reclaimable(parent, partition);
        }
        return reclaimable;
    }

    /** The candidates that are preempted if each beneficiary takes the place of one task. */
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

    /** Notes whether the class that is served now is below its entitlement, so that it may have more loans than planned. */
    void setBelowEntitlement(boolean belowEntitlement) {
        exceedsPlan = belowEntitlement;
    }

    /** Whether the class that is served now may have more loans than planned. */
    public boolean mayExceedPlan() {
        return exceedsPlan;
    }

    /** Whether this candidate may still be preempted, by the plan or beyond it. Once it may not, it never may. */
    public boolean mayPreempt(Task task, boolean beyond) {
        return task.stopReason() == null && (beyond ? loans : planned)[classOf(task)] > 0;
    }

    /** Whether these may be preempted together. */
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

    /** Notes that a task was preempted; returns the position of its class. */
    int preempted(Task task) {
        int position = classOf(task);
        planned[position]--;
        loans[position]--;
        unused = false;
        return position;
    }

    /** Whether no task was preempted yet. */
    public boolean isUnused() {
        return unused;
    }

    /** Notes that no victims were found for a pending task. */
    public void refused() {
        refusals++;
    }

    /** Spares the tasks of a class that has started one in this cycle: no class does both. */
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
