package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.resource.ResourceTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** What happens before anything is placed: every parent that shares by load, from root down, rebalances or divides. */
final class PlainOpening {

    private final PlainQueue root;
    private final List<PlainNode> nodes;
    private final long throttle;
    private final List<String> steps;
    private final PlainCores cores;
    private final Function<String, PlainLots> lots;

    /** The opening of a cycle with these ready nodes and at most so many tasks; a parent's path tells what lots it draws. */
    PlainOpening(
            PlainQueue root,
            List<PlainNode> nodes,
            long throttle,
            List<String> steps,
            PlainCores cores,
            Function<String, PlainLots> lots) {
        this.cores = cores;
        this.lots = lots;
        this.root = root;
        this.nodes = nodes;
        this.throttle = throttle;
        this.steps = steps;
    }

    void open() {
        for (PlainQueue queue : root.queues().toList()) {
            if (queue.sharesByLoad()) {
                open(queue);
            } else if (queue.sharesByUsage()) {
                queue.usage = beginUsage(queue);
            }
        }
    }

    private void open(PlainQueue queue) {
        long mine = idleWorkers() + expected(queue).getOrDefault(ResourceTypes.SLOTS, 0L);
        List<PlainQueue> path = queue.upToRoot();
        for (int i = 1; i < path.size(); i++) {
            PlainLoad load = path.get(i).load;
            mine = load == null ? mine : Math.min(mine, load.left(path.get(i - 1)));
            PlainUsage usage = path.get(i).usage;
            mine = usage == null
                    ? mine
                    : Math.min(mine, usage.allowance(path.get(i - 1)).getOrDefault(ResourceTypes.SLOTS, 0L));
        }
        queue.children.forEach(child -> child.countStartable(nodes));
        long workers = Math.min(throttle, queue.parent == null ? workers() : queue.placedTasks() + mine);
        List<PlainDivision.Counts> counts = queue.children.stream()
                .map(child -> new PlainDivision.Counts(child.loadPercent(), child.placedTasks(), child.startable, 0))
                .toList();
        PlainDivision division = PlainDivision.allocate(workers, mine, counts);
        PlainReclaim reclaim = null;
        if (queue.threshold() > 0 && isRebalanceDue(queue, workers) && root.placedTasks() <= throttle) {
            division = rebalance(queue, workers, mine);
            reclaim = new PlainReclaim(queue, division);
        }
        queue.load = new PlainLoad(division, queue.children, reclaim);
    }

    /** What the queues above plan to preempt for those below them. */
    private static SortedMap<String, Long> expected(PlainQueue queue) {
        SortedMap<String, Long> expected = new TreeMap<>();
        for (PlainQueue above : queue.upToRoot().subList(1, queue.upToRoot().size())) {
            PlainReclaim reclaim = above.load == null ? null : above.load.anyReclaim();
            if (reclaim != null) {
                PlainAmounts.add(expected, reclaim.expected());
            }
        }
        return expected;
    }

    private PlainUsage beginUsage(PlainQueue queue) {
        SortedMap<String, Long> free = new TreeMap<>();
        for (String type : cores.types()) {
            long sum = nodes.stream().mapToLong(node -> node.free(type)).sum();
            long expected = expected(queue).getOrDefault(type, 0L);
            free.put(type, (type.equals(ResourceTypes.SLOTS) ? idleWorkers() : sum) + expected);
        }
        boolean belowLoad = false;
        List<PlainQueue> path = queue.upToRoot();
        for (int i = 1; i < path.size(); i++) {
            PlainQueue child = path.get(i - 1);
            PlainLoad load = path.get(i).load;
            PlainUsage usage = path.get(i).usage;
            if (load != null) {
                belowLoad = true;
                free.merge(ResourceTypes.SLOTS, load.left(child), Math::min);
            }
            if (usage != null) {
                usage.allowance(child).forEach((type, most) -> free.merge(type, most, Math::min));
            }
        }
        boolean slotsCount = belowLoad || nodes.stream().anyMatch(PlainNode::declaresSlots);
        return new PlainUsage(queue, free, cores, slotsCount, lots.apply(queue.path));
    }

    private long workers() {
        return nodes.stream().mapToLong(PlainNode::workers).sum();
    }

    private long idleWorkers() {
        long room = Math.max(0, throttle - root.placedTasks());
        return Math.min(room, nodes.stream().mapToLong(PlainNode::idleWorkers).sum());
    }

    /** What is leaving waits to come back. */
    private static long waiting(PlainQueue child) {
        return child.startable + child.leavingTasks();
    }

    private boolean isRebalanceDue(PlainQueue queue, long workers) {
        List<PlainDivision.Counts> counts = queue.children.stream()
                .map(child -> new PlainDivision.Counts(child.loadPercent(), child.placedTasks(), waiting(child), 0))
                .toList();
        boolean anyDue = PlainDivision.allocate(workers, 0, counts).classes.stream()
                .anyMatch(
                        share -> queue.children.get(share.position).startable > 0 && share.running < share.entitlement);
        boolean exceeds = anyDue && PlainDivision.spread(workers, counts) > queue.threshold();
        if (exceeds != queue.overThreshold) {
            steps.add(PlainCycle.spread(queue.path, exceeds));
            queue.overThreshold = exceeds;
            queue.rebalanceDue = false;
        }
        return queue.rebalanceDue;
    }

    private PlainDivision rebalance(PlainQueue queue, long workers, long mine) {
        List<PlainDivision.Counts> counts = new ArrayList<>();
        for (PlainQueue child : queue.children) {
            long stopping = child.standing()
                    .filter(task -> task.state == TaskState.STOPPING)
                    .count();
            long stoppable = child.standing().filter(PlainStanding::isStoppable).count();
            counts.add(new PlainDivision.Counts(
                    child.loadPercent(), child.placedTasks() - stopping, waiting(child), stoppable));
        }
        return PlainDivision.rebalance(workers, mine, counts);
    }

    /** Those above let others below the same queue have what a task gave up. */
    static void freeAbove(PlainQueue queue, SortedMap<String, Long> demand) {
        List<PlainQueue> path = queue.upToRoot();
        for (int i = 1; i < path.size(); i++) {
            PlainLoad load = path.get(i).load;
            if (load != null) {
                load.freed(path.get(i - 1));
            }
            PlainUsage usage = path.get(i).usage;
            if (usage != null) {
                usage.freed(path.get(i - 1), demand);
            }
        }
    }

    static void stop(PlainStanding task, List<String> steps) {
        PlainApplication application = task.application;
        boolean held = task.isHeld();
        steps.add(PlainCycle.stop(application.id, task.spec.name(), task.index, "rebalance"));
        application.leave(task);
        if (!held) {
            return;
        }
        steps.add(task.name() + " ended: STOPPED, to run again");
        release(task.node, steps);
        boolean begun = application.state == ApplicationState.STARTING || application.state == ApplicationState.RUNNING;
        if (begun && application.standing.isEmpty()) {
            steps.add(PlainCycle.change(application.id, application.state, ApplicationState.RESUMING));
            steps.add(PlainCycle.change(application.id, ApplicationState.RESUMING, ApplicationState.ACCEPTED));
            application.resume();
        }
    }

    /** What is held on a node starts as far as there is room for it now, in the order of placement. */
    static void release(PlainNode node, List<String> steps) {
        for (PlainStanding task : PlainStanding.inOrderOfPlacement(node.standing)) {
            if (task.isHeld() && !node.mustHold(task.demand)) {
                task.state = TaskState.STARTING;
                steps.add(PlainCycle.release(task.name()));
            }
        }
    }
}
