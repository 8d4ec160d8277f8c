package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.resource.ResourceTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
        long mine = idleWorkers();
        List<PlainQueue> path = queue.upToRoot();
        for (int i = 1; i < path.size(); i++) {
            PlainLoad load = path.get(i).load;
            mine = load == null ? mine : Math.min(mine, load.left(path.get(i - 1)));
            PlainUsage usage = path.get(i).usage;
            mine = usage == null
                    ? mine
                    : Math.min(mine, usage.allowance(path.get(i - 1)).getOrDefault(ResourceTypes.SLOTS, 0L));
        }
        long workers = Math.min(throttle, queue.parent == null ? workers() : queue.placedTasks() + mine);
        boolean due = queue.threshold() > 0 && isRebalanceDue(queue, workers) && root.placedTasks() <= throttle;
        PlainDivision division = due ? rebalance(queue, workers, mine) : null;
        if (division == null) {
            List<PlainDivision.Counts> counts = queue.children.stream()
                    .map(child ->
                            new PlainDivision.Counts(child.loadPercent(), child.placedTasks(), child.servedTasks(), 0))
                    .toList();
            division = PlainDivision.allocate(workers, mine, counts);
        }
        queue.load = new PlainLoad(division, queue.children, idleWorkers());
    }

    private PlainUsage beginUsage(PlainQueue queue) {
        SortedMap<String, Long> free = new TreeMap<>();
        for (String type : cores.types()) {
            long sum = nodes.stream().mapToLong(node -> node.free(type)).sum();
            free.put(type, type.equals(ResourceTypes.SLOTS) ? idleWorkers() : sum);
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
        return child.servedTasks() + child.leavingTasks();
    }

    private boolean isRebalanceDue(PlainQueue queue, long workers) {
        List<PlainDivision.Counts> counts = queue.children.stream()
                .map(child -> new PlainDivision.Counts(child.loadPercent(), child.placedTasks(), waiting(child), 0))
                .toList();
        boolean exceeds = PlainDivision.spread(workers, counts) > queue.threshold();
        if (exceeds != queue.overThreshold) {
            steps.add(PlainCycle.spread(queue.path, exceeds));
            queue.overThreshold = exceeds;
            queue.rebalanceDue = false;
        }
        return queue.rebalanceDue;
    }

    /** Stops tasks; returns null if there is none to stop. */
    private @Nullable PlainDivision rebalance(PlainQueue queue, long workers, long mine) {
        List<PlainDivision.Counts> counts = new ArrayList<>();
        for (PlainQueue child : queue.children) {
            long stopping = child.standing()
                    .filter(task -> task.state == TaskState.STOPPING)
                    .count();
            long stoppable = child.standing().filter(PlainStanding::isStoppable).count();
            counts.add(new PlainDivision.Counts(
                    child.loadPercent(), child.placedTasks() - stopping, waiting(child), stoppable));
        }
        PlainDivision division = PlainDivision.rebalance(workers, mine, counts);
        if (division.classes.stream().allMatch(share -> share.stop == 0)) {
            return null;
        }
        for (PlainDivision.Share share : division.byLoad) {
            List<PlainStanding> tasks = queue.children
                    .get(share.position)
                    .standing()
                    .filter(PlainStanding::isStoppable)
                    .sorted(PlainStanding.MOST_RECENT)
                    .limit(share.stop)
                    .toList();
            tasks.forEach(task -> {
                stop(task);
                freeAbove(queue, task.demand);
            });
        }
        steps.add(PlainCycle.rebalanced(queue.path));
        return division;
    }

    /** Those above let others below the same queue have what a task gave up. */
    private static void freeAbove(PlainQueue queue, SortedMap<String, Long> demand) {
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

    private void stop(PlainStanding task) {
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
