package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.TaskEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One cycle, plainly: what an engine that does what DESIGN.md says would do to this partition now.
 *
 * <p>The partition is only read, and only before the cycle; the answer is one line per event, as {@link #text} writes those of the
 * engine.
 */
public final class PlainCycle {

    private final Map<String, PlainApplication> applications = new LinkedHashMap<>();
    private final Map<String, PlainNode> allNodes = new LinkedHashMap<>();
    private final List<PlainNode> nodes = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private final PartitionConfiguration configuration;
    private final PlainQueue root;
    private final SortedMap<String, Long> total = new TreeMap<>();
    private final long throttle;
    private final PlainCores cores;
    private final long seed;
    private long placements;
    private final Occurrences occurrences = new Occurrences();

    private PlainCycle(Partition partition, Instant now) {
        configuration = partition.configuration();
        throttle = partition.throttle() < 0 ? Long.MAX_VALUE : partition.throttle();
        for (Node node : partition.nodes()) {
            allNodes.put(node.name(), new PlainNode(node, PlainNode.takesTasks(node, now)));
        }
        root = new PlainQueue(partition.queues().root(), null, applications, allNodes);
        seed = partition.seed();
        placements = partition.placements();
        List<PlainNode> readyBefore = partition.nodes().stream()
                .filter(Node::isReady)
                .map(node -> allNodes.get(node.name()))
                .toList();
        root.countUsage(new PlainCores(partition.types(), readyBefore), now);
        allNodes.values().stream().filter(node -> node.ready).forEach(nodes::add);
        cores = new PlainCores(partition.types(), nodes);
        nodes.forEach(node -> PlainAmounts.add(total, node.capacityWithoutSlots()));
        if (nodes.stream().anyMatch(PlainNode::declaresSlots)) {
            total.put(
                    ResourceTypes.SLOTS,
                    nodes.stream().mapToLong(PlainNode::workers).sum());
        }
    }

    /** What a cycle at this instant should do, in order. */
    public static List<String> run(Partition partition, Instant now) {
        return run(partition, now, new Occurrences());
    }

    /** What a cycle at this instant should do, in order; the lots that it draws are counted. */
    static List<String> run(Partition partition, Instant now, Occurrences occurrences) {
        PlainCycle cycle = new PlainCycle(partition, now);
        new PlainExpiry(cycle.applications, cycle.allNodes, cycle.root, cycle.steps).expire(partition, now);
        new PlainOpening(cycle.root, cycle.nodes, cycle.throttle, cycle.steps, cycle.cores, cycle::lotsOf).open();
        occurrences.unstartable += cycle.unstartable();
        List<PlainReclaim> reclaims = cycle.reclaims();
        while (cycle.root.isInPlay()
                && cycle.root.placedTasks() < cycle.throttle
                && (reclaims.isEmpty() || cycle.anythingFits())) {
            cycle.step(cycle.root, false);
        }
        for (PlainReclaim reclaim : reclaims) {
            PlainQueue parent = reclaim.parent;
            while (cycle.mayReclaimFor(parent)) {
                cycle.step(parent, true);
            }
        }
        occurrences.vainRebalances +=
                reclaims.stream().filter(PlainReclaim::isVain).count();
        occurrences.add(cycle.occurrences);
        return cycle.steps;
    }

    private PlainLots lotsOf(String path) {
        return new PlainLots(seed, configuration.name(), path, () -> placements, () -> occurrences.lots++);
    }

    private void observeAll() {
        root.queues().forEach(queue -> {
            if (queue.usage != null) {
                queue.usage.observe();
            }
        });
    }

    private long unstartable() {
        return root.queues()
                .filter(queue -> queue.parent != null && queue.parent.load != null)
                .filter(queue -> queue.startable
                        < queue.all()
                                .mapToLong(application -> application.pending.size())
                                .sum())
                .count();
    }

    /** The loans that parents may reclaim, from root down. */
    private List<PlainReclaim> reclaims() {
        return root.queues()
                .map(queue -> queue.load == null ? null : queue.load.anyReclaim())
                .filter(Objects::nonNull)
                .toList();
    }

    private boolean anythingFits() {
        return applications.values().stream()
                .flatMap(application -> application.pending.stream())
                .anyMatch(task -> nodes.stream().anyMatch(node -> node.takes(task)));
    }

    /** Whether a class below this parent may still start a task in place of others; none of a class that lost some may. */
    private boolean mayReclaimFor(PlainQueue parent) {
        for (PlainQueue queue = parent; queue.parent != null; queue = queue.parent) {
            if (queue.parent.load != null && queue.parent.load.hasPreempted(queue)) {
                return false;
            }
        }
        return parent.isInPlay() && parent.load != null && parent.load.nextBeneficiary() != null;
    }

    private void step(PlainQueue from, boolean beneficiary) {
        observeAll();
        Map<PlainQueue, Map<String, Long>> budgets = new LinkedHashMap<>();
        List<PlainReclaim> reclaims = new ArrayList<>();
        PlainQueue queue = from;
        while (!queue.leaf) {
            PlainQueue child = beneficiary && queue == from
                    ? Objects.requireNonNull(queue.load).nextBeneficiary()
                    : queue.nextChild(total, this::observeAll);
            if (child == null) {
                queue.aside = true;
                return;
            }
            Map<String, Long> budget = queue.usage == null ? null : queue.usage.budget(child);
            if (budget != null) {
                budgets.put(child, budget);
            }
            PlainReclaim reclaim = queue.load == null ? null : queue.load.reclaim();
            if (reclaim != null) {
                reclaims.add(reclaim);
            }
            queue = child;
        }
        occurrences.submissionTies += queue.hasSubmissionTie() ? 1 : 0;
        occurrences.unholdable += queue.leavesOut() ? 1 : 0;
        PlainApplication application = queue.nextApplication(total);
        PlainTask task = application.nextTask();
        List<PlainQueue> queues = queue.upToRoot();
        if (!application.active && !queues.stream().allMatch(PlainQueue::hasRoomForApplication)) {
            application.passOver();
            queue.passedOver(application);
            return;
        }
        if (queues.stream().allMatch(q -> q.hasRoomFor(task))) {
            for (Map.Entry<PlainQueue, Map<String, Long>> budget : budgets.entrySet()) {
                if (exceeds(task, budget.getValue())) {
                    budget.getKey().overBudget.add(new PlainQueue.PassedOver(application, task, queue));
                    application.passOverShape(task);
                    queue.passedOver(application);
                    return;
                }
            }
        }
        boolean within = queues.stream().allMatch(q -> q.hasRoomFor(task));
        PlainNode node = within && root.placedTasks() < throttle ? firstNode(task) : null;
        boolean withinBudgets = budgets.values().stream().noneMatch(budget -> exceeds(task, budget));
        if (node == null && withinBudgets) {
            node = preempt(task, queues, reclaims);
        }
        if (node == null) {
            application.passOverShape(task);
            queue.passedOver(application);
            return;
        }
        boolean held = node.mustHold(task.demand);
        placements++;
        steps.add(place(application.id, task.spec.name(), task.index, node.name, held));
        settle(application, application.place(task, node, held));
        for (PlainQueue child : queues) {
            PlainLoad load = child.parent == null ? null : child.parent.load;
            if (load != null) {
                load.placed(child);
            }
            PlainUsage usage = child.parent == null ? null : child.parent.usage;
            if (usage != null) {
                usage.placed(child, task.demand);
            }
        }
    }

    /** Preempts tasks for this one, of the loans of the first parent that has some; returns their node, or null. */
    private @Nullable PlainNode preempt(PlainTask task, List<PlainQueue> queues, List<PlainReclaim> reclaims) {
        for (PlainReclaim reclaim : reclaims) {
            boolean within = queues.subList(0, queues.indexOf(reclaim.parent)).stream()
                    .allMatch(queue -> queue.hasRoomFor(task));
            List<PlainStanding> victims =
                    within ? reclaim.victimsFor(task, queues.get(queues.indexOf(reclaim.parent) - 1)) : null;
            if (victims != null) {
                victims.forEach(victim -> preempt(victim, reclaim));
                return victims.get(0).node;
            }
        }
        reclaims.forEach(PlainReclaim::refused);
        return null;
    }

    private void preempt(PlainStanding victim, PlainReclaim reclaim) {
        PlainQueue parent = reclaim.parent;
        if (reclaim.preempted(victim)) {
            steps.add(rebalanced(parent.path));
        }
        PlainOpening.stop(victim, steps);
        parent.children.stream()
                .filter(child -> child.all().anyMatch(application -> application == victim.application))
                .forEach(Objects.requireNonNull(parent.load)::preempted);
        PlainOpening.freeAbove(parent, victim.demand);
    }

    private static boolean exceeds(PlainTask task, Map<String, Long> budget) {
        return task.demand.entrySet().stream()
                .anyMatch(demand -> demand.getValue() > budget.getOrDefault(demand.getKey(), Long.MAX_VALUE));
    }

    private @Nullable PlainNode firstNode(PlainTask task) {
        Comparator<PlainNode> byUtilisation = Comparator.comparing(
                node -> node.utilisation(configuration.resourceWeights()), PlainNode.Fraction.ORDER);
        if (configuration.nodeSortPolicy() == NodeSortPolicy.BIN_PACKING) {
            byUtilisation = byUtilisation.reversed();
        }
        nodes.sort(byUtilisation.thenComparing(node -> node.name));
        return nodes.stream().filter(node -> node.takes(task)).findFirst().orElse(null);
    }

    private void settle(PlainApplication application, ApplicationState after) {
        if (application.state == ApplicationState.ACCEPTED) {
            steps.add(change(application.id, ApplicationState.ACCEPTED, ApplicationState.STARTING));
            application.state = ApplicationState.STARTING;
        }
        if (application.state != after) {
            steps.add(change(application.id, application.state, after));
            application.state = after;
        }
    }

    /** An event of the engine as a line. */
    public static String text(Event event) {
        if (event instanceof TaskEvent.Placed placed) {
            return place(placed.application(), placed.task(), placed.index(), placed.node(), placed.held());
        }
        if (event instanceof TaskEvent.Released released) {
            return release(released.application() + "/" + released.task() + "[" + released.index() + "]");
        }
        if (event instanceof TaskEvent.Stopping stopping) {
            return stop(
                    stopping.application(),
                    stopping.task(),
                    stopping.index(),
                    stopping.reason().word());
        }
        if (event instanceof ApplicationEvent.StateChanged changed) {
            return change(changed.application(), changed.from(), changed.to());
        }
        if (event instanceof TaskEvent.Ended ended) {
            return ended.application() + "/" + ended.task() + "[" + ended.index() + "] ended: " + ended.outcome()
                    + (ended.again() ? ", to run again" : "");
        }
        if (event instanceof NodeEvent.HealthChanged changed) {
            return change(changed.node(), changed.from(), changed.to());
        }
        return event instanceof PartitionEvent partitionEvent ? text(partitionEvent) : event.toString();
    }

    private static String text(PartitionEvent event) {
        if (event instanceof PartitionEvent.SpreadExceeded exceeded) {
            return spread(exceeded.path(), true);
        }
        if (event instanceof PartitionEvent.SpreadReturned returned) {
            return spread(returned.path(), false);
        }
        if (event instanceof PartitionEvent.RebalanceDue due) {
            return due(due.path());
        }
        if (event instanceof PartitionEvent.Rebalanced rebalanced) {
            return rebalanced(rebalanced.path());
        }
        return event instanceof PartitionEvent.QueueRemoved removed ? remove(removed.path()) : event.toString();
    }

    static String place(String application, String task, int index, String node, boolean held) {
        return application + "/" + task + "[" + index + "] -> " + node + (held ? ", held" : "");
    }

    static String release(String task) {
        return "release " + task;
    }

    static String spread(String queue, boolean exceeded) {
        return queue + (exceeded ? ": spread exceeded" : ": spread returned");
    }

    static String due(String queue) {
        return queue + ": rebalance due";
    }

    static String rebalanced(String queue) {
        return queue + ": rebalanced";
    }

    static String stop(String application, String task, int index, String reason) {
        return "stop " + application + "/" + task + "[" + index + "]: " + reason;
    }

    static String change(String application, ApplicationState from, ApplicationState to) {
        return application + ": " + from.word() + " -> " + to.word();
    }

    static String change(String node, NodeHealth from, NodeHealth to) {
        return node + ": " + from.word() + " -> " + to.word();
    }

    static String remove(String queue) {
        return "remove " + queue;
    }
}
