package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservationEvent;
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
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simple, slow implementation of a cycle: what an engine should do to this partition now.
 *
 * <p>It only reads the partition, and only before the cycle; the result is one line per event, as {@link #text} formats
 * those of the engine.
 */
public final class ReferenceCycle {

    private final Map<String, ReferenceApplication> applications = new LinkedHashMap<>();
    private final Map<String, ReferenceNode> allNodes = new LinkedHashMap<>();
    private final List<ReferenceNode> nodes = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private final PartitionConfiguration configuration;
    private final ReferenceQueue root;
    private final SortedMap<String, Long> total = new TreeMap<>();
    private final long throttle;
    private final ReferenceCores cores;
    private final long seed;
    private final ReferenceGang gang;
    private long placements;
    private final EventCounts eventCounts = new EventCounts();
    private final ReferenceReservations reservations;

    private ReferenceCycle(Partition partition, Instant now) {
        configuration = partition.configuration();
        throttle = partition.throttle() < 0 ? Long.MAX_VALUE : partition.throttle();
        ReferenceNeighbours neighbours = new ReferenceNeighbours(allNodes.values());
        for (Node node : partition.nodes()) {
            allNodes.put(node.name(), new ReferenceNode(node, ReferenceNode.takesTasks(node, now), neighbours));
        }
        root = new ReferenceQueue(
                partition.queues().root(),
                null,
                applications,
                allNodes,
                partition.configuration().topology());
        gang = new ReferenceGang(root, throttle, nodes, configuration.topology());
        seed = partition.seed();
        placements = partition.placements();
        List<ReferenceNode> readyBefore = partition.nodes().stream()
                .filter(Node::isReady)
                .map(node -> allNodes.get(node.name()))
                .toList();
        root.countUsage(new ReferenceCores(partition.types(), readyBefore), now);
        allNodes.values().stream().filter(node -> node.ready).forEach(nodes::add);
        cores = new ReferenceCores(partition.types(), nodes);
        reservations = new ReferenceReservations(
                partition, root, applications, this::sortedNodes, steps, throttle, gang, this::firstNode, now);
        nodes.forEach(node -> ReferenceAmounts.add(total, node.capacityWithoutSlots()));
        if (nodes.stream().anyMatch(ReferenceNode::declaresSlots)) {
            total.put(
                    ResourceTypes.SLOTS,
                    nodes.stream().mapToLong(ReferenceNode::workers).sum());
        }
    }

    /** Returns the expected events of a cycle at this time, in order. */
    public static List<String> run(Partition partition, Instant now) {
        return run(partition, now, new EventCounts());
    }

    /** Returns the expected events of a cycle at this time, in order, and counts its random draws. */
    static List<String> run(Partition partition, Instant now, EventCounts eventCounts) {
        ReferenceCycle cycle = new ReferenceCycle(partition, now);
        new ReferenceExpiry(partition, cycle.applications, cycle.allNodes, cycle.root, cycle.steps).expire(now);
        if (cycle.configuration.quotaPreemption()) {
            new ReferenceQuota(cycle.root, cycle.total, now, cycle.steps).run();
        }
        cycle.reservations.begin();
        new ReferenceCycleOpening(
                        cycle.root, cycle.nodes, cycle.throttle, cycle.steps, cycle.cores, cycle::drawsOf, now)
                .open();
        eventCounts.unstartable += cycle.unstartable();
        List<ReferenceReclaim> reclaims = cycle.reclaims();
        reclaims.forEach(reclaim -> reclaim.reserve(cycle.reservations::isReserved));
        while (cycle.root.isEligible() && cycle.root.allocatedTasks() < cycle.throttle && cycle.anythingFits()) {
            cycle.step(cycle.root, false);
        }
        for (ReferenceReclaim reclaim : reclaims) {
            ReferenceQueue parent = reclaim.parent;
            while (cycle.mayReclaimFor(parent)) {
                cycle.step(parent, true);
            }
        }
        cycle.reservations.reserveForOthers(cycle.total);
        new ReferencePreemption(cycle.root, cycle.configuration, cycle.total, cycle.throttle, now)
                .run(cycle::preemptAndPlace, cycle::sortedNodes, cycle.reservations::permits);
        eventCounts.vainRebalances +=
                reclaims.stream().filter(ReferenceReclaim::isUnused).count();
        eventCounts.add(cycle.eventCounts);
        return cycle.steps;
    }

    private ReferenceDraws drawsOf(String path) {
        return new ReferenceDraws(seed, configuration.name(), path, () -> placements, () -> eventCounts.draws++);
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
    private List<ReferenceReclaim> reclaims() {
        return root.queues()
                .map(queue -> queue.load == null ? null : queue.load.anyReclaim())
                .filter(Objects::nonNull)
                .toList();
    }

    private boolean anythingFits() {
        return applications.values().stream()
                .anyMatch(application -> application.pending.stream()
                        .anyMatch(task -> nodes.stream()
                                .anyMatch(node -> node.takes(task)
                                        && reservations.mayPermit(
                                                node, application, task, refused -> refused.refusedReserved))));
    }

    /**
     * Whether a class below this parent may still start a task in place of others; a class with preempted tasks may
     * not.
     */
    private boolean mayReclaimFor(ReferenceQueue parent) {
        for (ReferenceQueue queue = parent; queue.parent != null; queue = queue.parent) {
            if (queue.parent.load != null && queue.parent.load.hasPreempted(queue)) {
                return false;
            }
        }
        return parent.isEligible() && parent.load != null && parent.load.nextBeneficiary() != null;
    }

    private void step(ReferenceQueue from, boolean beneficiary) {
        observeAll();
        Map<ReferenceQueue, Map<String, Long>> budgets = new LinkedHashMap<>();
        List<ReferenceReclaim> reclaims = new ArrayList<>();
        ReferenceQueue queue = from;
        while (!queue.leaf) {
            ReferenceQueue child = beneficiary && queue == from
                    ? Objects.requireNonNull(queue.load).nextBeneficiary()
                    : queue.nextChild(total, this::observeAll);
            if (child == null) {
                queue.skipped = true;
                return;
            }
            Map<String, Long> budget = queue.usage == null ? null : queue.usage.budget(child);
            if (budget != null) {
                budgets.put(child, budget);
            }
            ReferenceReclaim reclaim = queue.load == null ? null : queue.load.reclaim();
            if (reclaim != null) {
                reclaims.add(reclaim);
            }
            queue = child;
        }
        eventCounts.submissionTies += queue.hasSubmissionTie() ? 1 : 0;
        eventCounts.infeasible += queue.skipsInfeasible() ? 1 : 0;
        ReferenceApplication application = queue.nextApplication(total);
        ReferenceTask task = application.nextTask();
        List<ReferenceQueue> queues = queue.upToRoot();
        ReferenceQueue taken = queue;
        boolean activates =
                queues.stream().allMatch(ReferenceQueue::canActivateApplication) && queue.limitsPermit(application);
        if (!application.active && !activates) {
            application.skip();
            queue.skipped(application);
            return;
        }
        if (application.isGangWaiting()) {
            List<ReferenceGang.Taken> members = beneficiary
                    ? null
                    : gang.start(
                            application,
                            taken,
                            budgets,
                            (member, among) -> firstNode(application, member, among),
                            reservations);
            if (members != null) {
                reservations.gangStarts(application);
            }
            for (ReferenceGang.Taken member : members == null ? List.<ReferenceGang.Taken>of() : members) {
                place(application, member.task(), Objects.requireNonNull(member.node()));
                countPlaced(queues, member.task());
            }
            if (members != null) {
                steps.add(gangStarted(application.id, members.size()));
            } else if (beneficiary) {
                application.skip();
                queue.skipped(application);
            }
            return;
        }
        if (!queue.limitsPermit(application, task)) {
            application.pending.stream()
                    .filter(other -> !taken.limitsPermit(application, other))
                    .forEach(other -> other.skipped = true);
            queue.skipped(application);
            eventCounts.limited++;
            return;
        }
        if (queues.stream().allMatch(q -> q.fits(task))) {
            for (Map.Entry<ReferenceQueue, Map<String, Long>> budget : budgets.entrySet()) {
                if (exceeds(task, budget.getValue())) {
                    budget.getKey().overBudget.add(new ReferenceQueue.SkippedTask(application, task, queue));
                    application.skipEquivalent(task);
                    queue.skipped(application);
                    return;
                }
            }
        }
        boolean within = queues.stream().allMatch(q -> q.fits(task));
        ReferenceNode node = within && root.allocatedTasks() < throttle ? firstNode(application, task) : null;
        boolean withinBudgets = budgets.values().stream().noneMatch(budget -> exceeds(task, budget));
        if (node == null && withinBudgets) {
            node = preempt(task, queues, reclaims);
        }
        if (node == null) {
            if (within && root.allocatedTasks() < throttle) {
                reservations.refused(queue, application, task);
            }
            application.skipEquivalent(task);
            queue.skipped(application);
            return;
        }
        place(application, task, node);
        countPlaced(queues, task);
    }

    private static void countPlaced(List<ReferenceQueue> queues, ReferenceTask task) {
        for (ReferenceQueue child : queues) {
            ReferenceLoad load = child.parent == null ? null : child.parent.load;
            if (load != null) {
                load.placed(child);
            }
            ReferenceUsage usage = child.parent == null ? null : child.parent.usage;
            if (usage != null) {
                usage.placed(child, task.demand);
            }
        }
    }

    private void place(ReferenceApplication application, ReferenceTask task, ReferenceNode node) {
        boolean reserved = node.mustReserve(task.demand);
        steps.add(place(application.id, task.spec.name(), task.index, node.name, reserved));
        reservations.placed(application, task);
        settle(application, application.place(task, node, reserved, placements++));
    }

    private void preemptAndPlace(
            ReferenceApplication application, ReferenceTask task, String reason, List<ReferenceAllocation> victims) {
        victims.forEach(victim -> ReferenceCycleOpening.stop(victim, reason, steps));
        place(application, task, victims.get(0).node);
    }

    /** Preempts tasks for this one, from the loans of the first parent with any; returns their node, or null. */
    private @Nullable ReferenceNode preempt(
            ReferenceTask task, List<ReferenceQueue> queues, List<ReferenceReclaim> reclaims) {
        for (ReferenceReclaim reclaim : reclaims) {
            List<ReferenceQueue> below = queues.subList(0, queues.indexOf(reclaim.parent));
            boolean within = below.stream().allMatch(queue -> queue.fits(task) && !queue.isPreemptionFence())
                    && queues.stream().noneMatch(ReferenceQueue::disablesPreemption);
            List<ReferenceAllocation> victims =
                    within ? reclaim.victimsFor(task, queues.get(queues.indexOf(reclaim.parent) - 1)) : null;
            if (victims != null) {
                victims.forEach(victim -> preempt(victim, reclaim));
                return victims.get(0).node;
            }
        }
        reclaims.forEach(ReferenceReclaim::refused);
        return null;
    }

    private void preempt(ReferenceAllocation victim, ReferenceReclaim reclaim) {
        ReferenceQueue parent = reclaim.parent;
        if (reclaim.preempted(victim)) {
            steps.add(rebalanced(parent.path));
        }
        ReferenceCycleOpening.stop(victim, "rebalance", steps);
        parent.children.stream()
                .filter(child -> child.all().anyMatch(application -> application == victim.application))
                .forEach(Objects.requireNonNull(parent.load)::preempted);
        ReferenceCycleOpening.freeAbove(parent, victim.demand);
    }

    private static boolean exceeds(ReferenceTask task, Map<String, Long> budget) {
        return task.demand.entrySet().stream()
                .anyMatch(demand -> demand.getValue() > budget.getOrDefault(demand.getKey(), Long.MAX_VALUE));
    }

    private List<ReferenceNode> sortedNodes() {
        Comparator<ReferenceNode> byUtilisation = Comparator.comparing(
                node -> node.utilisation(configuration.resourceWeights()), ReferenceNode.Fraction.ORDER);
        if (configuration.nodeSortPolicy() == NodeSortPolicy.BIN_PACKING) {
            byUtilisation = byUtilisation.reversed();
        }
        nodes.sort(byUtilisation.thenComparing(node -> node.name));
        return nodes;
    }

    private @Nullable ReferenceNode firstNode(ReferenceApplication application, ReferenceTask task) {
        ReferenceNode found = firstNode(application, task, node -> true);
        if (found == null && nodes.stream().anyMatch(node -> reservations.isReserved(node) && node.takes(task))) {
            application.refuseReserved(task);
        }
        return found;
    }

    /** Returns the node for a task: nodes without reservations come first, and only among them preferences count. */
    private @Nullable ReferenceNode firstNode(
            ReferenceApplication application, ReferenceTask task, Predicate<ReferenceNode> among) {
        List<ReferenceNode> nodes = sortedNodes();
        List<ReferenceNode> reserved =
                nodes.stream().filter(reservations::isReserved).toList();
        nodes.sort(ReferenceNode.byRank(task)); // keeps the order of nodes of equal rank
        return Stream.concat(nodes.stream().filter(node -> !reservations.isReserved(node)), reserved.stream())
                .filter(node -> node.takes(task) && among.test(node) && reservations.permits(node, application, task))
                .findFirst()
                .orElse(null);
    }

    private void settle(ReferenceApplication application, ApplicationState after) {
        if (application.state == ApplicationState.ACCEPTED) {
            steps.add(change(application.id, ApplicationState.ACCEPTED, ApplicationState.STARTING));
            application.state = ApplicationState.STARTING;
        }
        if (application.state != after) {
            steps.add(change(application.id, application.state, after));
            application.state = after;
        }
    }

    private static String text(TaskRef task) {
        return task.application() + "/" + task.task() + "[" + task.position() + "]";
    }

    /** Formats an event of the engine as a line. */
    public static String text(Event event) {
        if (event instanceof TaskEvent.Placed placed) {
            return place(
                    placed.application(),
                    placed.task().task(),
                    placed.task().position(),
                    placed.node(),
                    placed.reserved());
        }
        if (event instanceof ApplicationEvent.StartTimeReached reached) {
            return startTimeReached(reached.application());
        }
        if (event instanceof ApplicationEvent.GangStarted started) {
            return gangStarted(started.application(), started.members());
        }
        if (event instanceof ApplicationEvent.GangTimedOut timedOut) {
            return gangTimedOut(timedOut.application());
        }
        if (event instanceof ApplicationEvent.DependencyEnded ended) {
            return dependencyEnded(ended.application(), ended.awaited());
        }
        if (event instanceof ApplicationEvent.TasksDropped dropped) {
            return drop(dropped.application(), dropped.tasks());
        }
        if (event instanceof TaskEvent.RetryDue due) {
            return retryDue(text(due.task()));
        }
        if (event instanceof TaskEvent.Released released) {
            return release(text(released.task()));
        }
        if (event instanceof TaskEvent.Stopping stopping) {
            return stop(
                    stopping.application(),
                    stopping.task().task(),
                    stopping.task().position(),
                    stopping.reason().wireName());
        }
        if (event instanceof ApplicationEvent.StateChanged changed) {
            return change(changed.application(), changed.from(), changed.to());
        }
        if (event instanceof TaskEvent.Ended ended) {
            return text(ended.task()) + " ended: " + ended.outcome() + (ended.again() ? ", to run again" : "");
        }
        if (event instanceof NodeEvent.HealthChanged changed) {
            return change(changed.node(), changed.from(), changed.to());
        }
        if (event instanceof ReservationEvent reservationEvent) {
            return text(reservationEvent);
        }
        return event instanceof PartitionEvent partitionEvent ? text(partitionEvent) : event.toString();
    }

    private static String text(ReservationEvent event) {
        Reservation reservation = event.reservation();
        return event instanceof ReservationEvent.Ended ended
                ? ReferenceReservations.ended(
                        text(reservation.task()), ended.reason().wireName())
                : ReferenceReservations.made(
                        text(reservation.task()),
                        parts(reservation),
                        reservation.start(),
                        reservation.delays(),
                        ReferenceReservations.nameOf(reservation.overrun()));
    }

    private static Map<String, Resources> parts(Reservation reservation) {
        Map<String, Resources> parts = new LinkedHashMap<>();
        reservation.capacity().forEach(part -> parts.put(part.node(), part.resources()));
        return parts;
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
        if (event instanceof PartitionEvent.MaximumExceeded exceeded) {
            return maximumExceeded(exceeded.path());
        }
        return event instanceof PartitionEvent.QueueRemoved removed ? remove(removed.path()) : event.toString();
    }

    static String place(String application, String task, int index, String node, boolean reserved) {
        return application + "/" + task + "[" + index + "] -> " + node + (reserved ? ", reserved" : "");
    }

    static String gangStarted(String application, int members) {
        return "gang of " + application + " started with " + members;
    }

    static String gangTimedOut(String application) {
        return "gang of " + application + " timed out";
    }

    static String dependencyEnded(String application, String awaited) {
        return application + " does not wait for " + awaited + " any more";
    }

    static String drop(String application, String tasks) {
        return "drop " + application + "/" + tasks;
    }

    static String retryDue(String task) {
        return "retry " + task;
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

    static String maximumExceeded(String queue) {
        return queue + ": maximum exceeded";
    }

    static String rebalanced(String queue) {
        return queue + ": rebalanced";
    }

    static String stop(String application, String task, int index, String reason) {
        return "stop " + application + "/" + task + "[" + index + "]: " + reason;
    }

    static String change(String application, ApplicationState from, ApplicationState to) {
        return application + ": " + from.wireName() + " -> " + to.wireName();
    }

    static String change(String node, NodeHealth from, NodeHealth to) {
        return node + ": " + from.wireName() + " -> " + to.wireName();
    }

    static String startTimeReached(String application) {
        return application + " may start";
    }

    static String remove(String queue) {
        return "remove " + queue;
    }
}
