package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.resource.ResourceTypes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The opening of a cycle, before any placement: every parent that shares by load, from root down, rebalances or
 * divides.
 */
final class ReferenceCycleOpening {

    private final ReferenceQueue root;
    private final List<ReferenceNode> nodes;
    private final long throttle;
    private final List<String> steps;
    private final ReferenceCores cores;
    private final Function<String, ReferenceDraws> draws;
    private final Instant now;

    /**
     * Creates the opening with these ready nodes and this maximum number of tasks; the draws of a parent depend on its
     * path.
     */
    ReferenceCycleOpening(
            ReferenceQueue root,
            List<ReferenceNode> nodes,
            long throttle,
            List<String> steps,
            ReferenceCores cores,
            Function<String, ReferenceDraws> draws,
            Instant now) {
        this.now = now;
        this.cores = cores;
        this.draws = draws;
        this.root = root;
        this.nodes = nodes;
        this.throttle = throttle;
        this.steps = steps;
    }

    void open() {
        for (ReferenceQueue queue : root.queues().toList()) {
            if (queue.sharesByLoad()) {
                open(queue);
            } else if (queue.sharesByUsage()) {
                queue.usage = beginUsage(queue);
            }
        }
    }

    private void open(ReferenceQueue queue) {
        long idleWorkers = idleWorkers() + expected(queue).getOrDefault(ResourceTypes.SLOTS, 0L);
        List<ReferenceQueue> path = queue.upToRoot();
        for (int i = 1; i < path.size(); i++) {
            ReferenceLoad load = path.get(i).load;
            idleWorkers = load == null ? idleWorkers : Math.min(idleWorkers, load.left(path.get(i - 1)));
            ReferenceUsage usage = path.get(i).usage;
            idleWorkers = usage == null
                    ? idleWorkers
                    : Math.min(idleWorkers, usage.allowance(path.get(i - 1)).getOrDefault(ResourceTypes.SLOTS, 0L));
        }
        queue.children.forEach(child -> child.countStartable(nodes));
        long workers = Math.min(throttle, queue.parent == null ? workers() : queue.allocatedTasks() + idleWorkers);
        List<ReferenceDivision.Counts> counts = queue.children.stream()
                .map(child ->
                        new ReferenceDivision.Counts(child.loadPercent(), child.allocatedTasks(), child.startable, 0))
                .toList();
        ReferenceDivision division = ReferenceDivision.allocate(workers, idleWorkers, counts);
        ReferenceReclaim reclaim = null;
        if (queue.threshold() > 0 && isRebalanceDue(queue, workers) && root.allocatedTasks() <= throttle) {
            division = rebalance(queue, workers, idleWorkers);
            reclaim = new ReferenceReclaim(queue, division, now);
        }
        queue.load = new ReferenceLoad(division, queue.children, reclaim);
    }

    /** What the queues above plan to preempt for those below them. */
    private static SortedMap<String, Long> expected(ReferenceQueue queue) {
        SortedMap<String, Long> expected = new TreeMap<>();
        for (ReferenceQueue above : queue.upToRoot().subList(1, queue.upToRoot().size())) {
            ReferenceReclaim reclaim = above.load == null ? null : above.load.anyReclaim();
            if (reclaim != null) {
                ReferenceAmounts.add(expected, reclaim.expected());
            }
        }
        return expected;
    }

    private ReferenceUsage beginUsage(ReferenceQueue queue) {
        SortedMap<String, Long> free = new TreeMap<>();
        for (String type : cores.types()) {
            long sum = nodes.stream().mapToLong(node -> node.free(type)).sum();
            long expected = expected(queue).getOrDefault(type, 0L);
            free.put(type, (type.equals(ResourceTypes.SLOTS) ? idleWorkers() : sum) + expected);
        }
        boolean belowLoad = false;
        List<ReferenceQueue> path = queue.upToRoot();
        for (int i = 1; i < path.size(); i++) {
            ReferenceQueue child = path.get(i - 1);
            ReferenceLoad load = path.get(i).load;
            ReferenceUsage usage = path.get(i).usage;
            if (load != null) {
                belowLoad = true;
                free.merge(ResourceTypes.SLOTS, load.left(child), Math::min);
            }
            if (usage != null) {
                usage.allowance(child).forEach((type, most) -> free.merge(type, most, Math::min));
            }
        }
        boolean slotsCount = belowLoad || nodes.stream().anyMatch(ReferenceNode::declaresSlots);
        return new ReferenceUsage(queue, free, cores, slotsCount, draws.apply(queue.path));
    }

    private long workers() {
        return nodes.stream().mapToLong(ReferenceNode::workers).sum();
    }

    private long idleWorkers() {
        long room = Math.max(0, throttle - root.allocatedTasks());
        return Math.min(
                room, nodes.stream().mapToLong(ReferenceNode::idleWorkers).sum());
    }

    /**
     * The demand of a rebalance: what may not preempt other classes counts as far as there are idle workers, preempting
     * tasks count as waiting.
     */
    private static long waiting(ReferenceQueue child, long idleWorkers) {
        long others = child.startable - child.startableByPreemption;
        return child.startableByPreemption + Math.min(others, idleWorkers) + child.preemptingTasks();
    }

    private boolean isRebalanceDue(ReferenceQueue queue, long workers) {
        List<ReferenceDivision.Counts> counts = queue.children.stream()
                .map(child ->
                        new ReferenceDivision.Counts(child.loadPercent(), child.allocatedTasks(), waiting(child, 0), 0))
                .toList();
        boolean anyDue = ReferenceDivision.allocate(workers, 0, counts).classes.stream()
                .anyMatch(share -> queue.children.get(share.position).startableByPreemption > 0
                        && share.running < share.entitlement);
        boolean exceeds = anyDue && ReferenceDivision.spread(workers, counts) > queue.threshold();
        if (exceeds != queue.overThreshold) {
            steps.add(ReferenceCycle.spread(queue.path, exceeds));
            queue.overThreshold = exceeds;
            queue.rebalanceDue = false;
        }
        return queue.rebalanceDue;
    }

    private ReferenceDivision rebalance(ReferenceQueue queue, long workers, long idleWorkers) {
        List<ReferenceDivision.Counts> counts = new ArrayList<>();
        for (ReferenceQueue child : queue.children) {
            long stopping = child.tasksOnNodes()
                    .filter(task -> task.state == TaskState.STOPPING)
                    .count();
            long reclaimable = child.tasksOnNodes()
                    .filter(task -> task.isReclaimable() && !queue.protects(task, now))
                    .count();
            counts.add(new ReferenceDivision.Counts(
                    child.loadPercent(), child.allocatedTasks() - stopping, waiting(child, idleWorkers), reclaimable));
        }
        return ReferenceDivision.rebalance(workers, idleWorkers, counts);
    }

    /** Queues above grant the freed resources of a preempted task to others below the same queue. */
    static void freeAbove(ReferenceQueue queue, SortedMap<String, Long> demand) {
        List<ReferenceQueue> path = queue.upToRoot();
        for (int i = 1; i < path.size(); i++) {
            ReferenceLoad load = path.get(i).load;
            if (load != null) {
                load.freed(path.get(i - 1));
            }
            ReferenceUsage usage = path.get(i).usage;
            if (usage != null) {
                usage.freed(path.get(i - 1), demand);
            }
        }
    }

    static void stop(ReferenceAllocation task, String reason, List<String> steps) {
        ReferenceApplication application = task.application;
        boolean reserved = task.isReserved();
        steps.add(ReferenceCycle.stop(application.id, task.spec.name(), task.index, reason));
        application.markPreempting(task);
        if (!reserved) {
            return;
        }
        steps.add(task.name() + " ended: STOPPED, to run again");
        release(task.node, steps);
        if (application.mustRestart(task.groupIndex)) {
            restart(application, steps);
        }
        boolean begun = application.state == ApplicationState.STARTING || application.state == ApplicationState.RUNNING;
        if (begun && application.standing.isEmpty()) {
            steps.add(ReferenceCycle.change(application.id, application.state, ApplicationState.RESUMING));
            steps.add(ReferenceCycle.change(application.id, ApplicationState.RESUMING, ApplicationState.ACCEPTED));
            application.resume();
        }
    }

    /** Stops all tasks of a gang that starts again. */
    private static void restart(ReferenceApplication application, List<String> steps) {
        List<ReferenceAllocation> standing = application.standing.stream()
                .sorted(Comparator.comparing((ReferenceAllocation task) -> task.groupIndex)
                        .thenComparing(task -> task.index))
                .toList();
        for (ReferenceAllocation task : standing) {
            if (ReferenceApplication.isStopping(task)) {
                continue;
            }
            application.restart();
            if (task.isReserved()) {
                stop(task, "gang", steps);
            } else {
                steps.add(ReferenceCycle.stop(application.id, task.spec.name(), task.index, "gang"));
                task.state = TaskState.STOPPING;
            }
        }
    }

    /** Starts reserved tasks of a node that fit now, in placement order. */
    static void release(ReferenceNode node, List<String> steps) {
        for (ReferenceAllocation task : ReferenceAllocation.inOrderOfPlacement(node.standing)) {
            if (task.isReserved() && !node.mustReserve(task.demand)) {
                task.state = TaskState.STARTING;
                steps.add(ReferenceCycle.release(task.name()));
            }
        }
    }
}
