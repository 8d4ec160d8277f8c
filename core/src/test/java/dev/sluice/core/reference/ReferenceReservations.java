package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reservations of a partition in a cycle: each is planned from scratch, over all nodes. */
final class ReferenceReservations {

    private final List<Reserved> reserved = new ArrayList<>();
    private final Set<ReferenceQueue> considered = new LinkedHashSet<>();
    private final ReferenceQueue root;
    private final Map<String, ReferenceApplication> applications;
    private final Supplier<List<ReferenceNode>> nodes;
    private final List<String> steps;
    private final Instant now;
    private final long throttle;
    private final long most;
    private final long delaysMax;
    private final ReferenceGang gang;
    private final NodeSearch firstNode;

    /** Whether there were as many reservations as permitted at the start of the cycle. */
    private boolean full;

    /** Finds the first node, among these, for a task of an application. */
    interface NodeSearch {
        @Nullable ReferenceNode find(ReferenceApplication application, ReferenceTask task, Predicate<ReferenceNode> among);
    }

    /** One reservation. */
    private static final class Reserved {
        private final String queue;
        private final String application;
        private final Instant submitted;
        private final String task;
        private final int index;

        /** What is reserved, by node. */
        private Map<String, Resources> parts = Map.of();

        private Instant start;
        private int delays;
        private @Nullable String overrun;

        private Reserved(String queue, String application, Instant submitted, String task, int index) {
            this.queue = queue;
            this.application = application;
            this.submitted = submitted;
            this.task = task;
            this.index = index;
            this.start = Instant.MIN;
        }

        private Reserved(Reservation reservation) {
            this(
                    reservation.queue(),
                    reservation.task().application(),
                    reservation.origin().submitted(),
                    reservation.task().task(),
                    reservation.task().position());
            parts = new LinkedHashMap<>();
            reservation.capacity().forEach(part -> parts.put(part.node(), part.resources()));
            start = reservation.start();
            delays = reservation.delays();
            overrun = nameOf(reservation.overrun());
        }

        private String name() {
            return application + "/" + task + "[" + index + "]";
        }
    }

    private record Start(ReferenceNode node, Instant at) {}

    /** Where and when a gang may start. */
    private record GangStart(Map<String, Resources> parts, Instant at) {}

    ReferenceReservations(
            Partition partition,
            ReferenceQueue root,
            Map<String, ReferenceApplication> applications,
            Supplier<List<ReferenceNode>> nodes,
            List<String> steps,
            long throttle,
            ReferenceGang gang,
            NodeSearch firstNode,
            Instant now) {
        this.gang = gang;
        this.firstNode = firstNode;
        this.root = root;
        this.applications = applications;
        this.nodes = nodes;
        this.steps = steps;
        this.throttle = throttle;
        this.now = now;
        Integer max =
                partition.configuration().root().properties().reservation().max();
        most = max == null ? 10 : max;
        Integer delays =
                partition.configuration().root().properties().reservation().delaysMax();
        delaysMax = delays == null ? 1_000 : delays;
        partition.reservations().all().forEach(reservation -> reserved.add(new Reserved(reservation)));
    }

    static @Nullable String nameOf(@Nullable RunRef run) {
        return run == null
                ? null
                : run.task().application() + "/" + run.task().task() + "["
                        + run.task().position() + "]";
    }

    static String made(String task, Map<String, Resources> parts, Instant start, int delays, @Nullable String overrun) {
        return task + " reserved on " + parts + " from " + start + ", delayed " + delays + " times by " + overrun;
    }

    static String ended(String task, String reason) {
        return "reservation of " + task + " ended: " + reason;
    }

    private void step(Reserved each) {
        steps.add(made(each.name(), each.parts, each.start, each.delays, each.overrun));
    }

    private void end(Reserved each, String reason) {
        reserved.remove(each);
        steps.add(ended(each.name(), reason));
    }

    /** Checks every reservation, and plans it again. */
    void begin() {
        int kept = 0;
        for (Reserved each : List.copyOf(reserved)) {
            String reason = kept < most ? reasonToEnd(each) : "disabled";
            if (reason == null && !planAgain(each)) {
                reason = "no-node";
            }
            if (reason == null) {
                kept++;
            } else {
                end(each, reason);
            }
        }
        full = kept >= most;
    }

    private @Nullable ReferenceTask holder(Reserved each) {
        ReferenceApplication application = applications.get(each.application);
        return application == null || !application.submitted.equals(each.submitted)
                ? null
                : application.pending.stream()
                        .filter(task -> task.spec.name().equals(each.task))
                        .findFirst()
                        .orElse(null);
    }

    private @Nullable String reasonToEnd(Reserved each) {
        ReferenceTask task = holder(each);
        if (task == null) {
            return "withdrawn";
        }
        ReferenceApplication application = Objects.requireNonNull(applications.get(each.application));
        boolean schedulable = Stream.of(ApplicationState.ACCEPTED, ApplicationState.STARTING, ApplicationState.RUNNING)
                .anyMatch(state -> state == application.state);
        ReferenceQueue leaf = leafOf(application);
        if (!schedulable || application.isRestarting() || !leaf.path.equals(each.queue)) {
            return "withdrawn";
        }
        boolean permitted;
        if (application.isGangWaiting()) {
            List<ReferenceTask> members = application.gangMembers();
            if (members == null) {
                return "withdrawn";
            }
            permitted = gang.isPermitted(application, leaf, members, false);
        } else {
            if (!task.spec.resources().equals(each.parts.values().iterator().next())) {
                return "withdrawn";
            }
            permitted = isPermitted(leaf, application, task);
        }
        return permitted && ReferencePreemption.isServed(leaf) ? null : "not-permitted";
    }

    private ReferenceQueue leafOf(ReferenceApplication application) {
        return root.queues()
                .filter(queue -> queue.applications.contains(application))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isPermitted(ReferenceQueue leaf, ReferenceApplication application, ReferenceTask task) {
        return ReferencePreemption.isPermitted(leaf, application, task)
                && leaf.upToRoot().stream().allMatch(queue -> queue.fits(task));
    }

    private boolean planAgain(Reserved each) {
        ReferenceApplication application = Objects.requireNonNull(applications.get(each.application));
        if (application.isGangWaiting()) {
            return planGangAgain(each, application);
        }
        ReferenceTask task = Objects.requireNonNull(holder(each));
        Start current = starts(task, each)
                .filter(start -> start.node.name.equals(first(each)))
                .findFirst()
                .orElse(null);
        if (current != null && current.at.equals(now)) {
            return true;
        }
        Start best = current != null && isFirm(each) ? current : best(task, each);
        if (best == null) {
            return false;
        }
        if (current != null && current.at.equals(best.at)) {
            best = current;
        }
        if (!best.node.name.equals(first(each)) || !best.at.equals(each.start)) {
            plan(each, Map.of(best.node.name, task.spec.resources()), best.at);
        }
        return true;
    }

    /** Whether it keeps its nodes for its holder alone. */
    private boolean isFirm(Reserved each) {
        return each.delays >= delaysMax;
    }

    private static String first(Reserved each) {
        return each.parts.keySet().iterator().next();
    }

    private void plan(Reserved each, Map<String, Resources> parts, Instant at) {
        boolean later = at.isAfter(each.start);
        each.overrun = later ? overrun(each) : each.overrun;
        each.delays += later ? 1 : 0;
        each.parts = parts;
        each.start = at;
        step(each);
    }

    /** Looks at all nodes only if its own do not hold the gang in time. */
    private boolean planGangAgain(Reserved each, ReferenceApplication application) {
        List<ReferenceTask> members = Objects.requireNonNull(application.gangMembers());
        GangStart best = gangStart(application, members, ownNodes(each));
        if (best != null && best.at.equals(now)) {
            return true;
        }
        if (best == null || (best.at.isAfter(each.start) && !isFirm(each))) {
            GangStart other = gangStart(application, members, freeOfOthers(each));
            best = other != null && (best == null || other.at.isBefore(best.at)) ? other : best;
        }
        if (best != null
                && !(best.at.equals(each.start)
                        && List.copyOf(best.parts.entrySet()).equals(List.copyOf(each.parts.entrySet())))) {
            plan(each, best.parts, best.at);
        }
        return best != null;
    }

    private List<ReferenceNode> ownNodes(Reserved each) {
        List<ReferenceNode> ready = nodes.get();
        return each.parts.keySet().stream()
                .flatMap(name -> ready.stream().filter(node -> node.name.equals(name)))
                .toList();
    }

    private List<ReferenceNode> freeOfOthers(@Nullable Reserved own) {
        return List.copyOf(nodes.get()).stream()
                .filter(node ->
                        reserved.stream().noneMatch(other -> other != own && other.parts.containsKey(node.name)))
                .toList();
    }

    /** Returns where and when the members may start together first on these nodes, or null if never. */
    private @Nullable GangStart gangStart(
            ReferenceApplication application, List<ReferenceTask> members, List<ReferenceNode> among) {
        Gang.Topology topology = application.topology();
        if (topology == null || !topology.require()) {
            return earliest(application, members, among);
        }
        List<String> labels = gang.levelsTo(topology.key());
        SortedMap<String, List<ReferenceNode>> domains = new TreeMap<>();
        for (ReferenceNode node : among) {
            List<String> path = labels.isEmpty() ? null : node.domain(labels);
            if (path != null) {
                domains.computeIfAbsent(String.join("\0", path), key -> new ArrayList<>())
                        .add(node);
            }
        }
        return domains.values().stream()
                .map(nodes -> earliest(application, members, nodes))
                .filter(Objects::nonNull)
                .min(Comparator.comparing(GangStart::at))
                .orElse(null);
    }

    private @Nullable GangStart earliest(
            ReferenceApplication application, List<ReferenceTask> members, List<ReferenceNode> among) {
        List<Instant> times = Stream.concat(
                        Stream.of(now),
                        among.stream().flatMap(node -> node.standing.stream()).map(this::end))
                .filter(at -> at.isBefore(Instant.MAX))
                .sorted()
                .distinct()
                .toList();
        for (Instant at : times) {
            Map<String, Resources> parts = fitAt(application, members, among, at);
            if (parts != null) {
                return new GangStart(parts, at);
            }
        }
        return null;
    }

    /** Returns what the members take on these nodes, one after the other, if they start at that time; else null. */
    private @Nullable Map<String, Resources> fitAt(
            ReferenceApplication application, List<ReferenceTask> members, List<ReferenceNode> among, Instant at) {
        Map<ReferenceNode, SortedMap<String, Long>> taken = new LinkedHashMap<>();
        List<ReferenceAllocation> neighbours = new ArrayList<>();
        try {
            for (ReferenceTask member : members) {
                ReferenceNode node = among.stream()
                        .filter(each -> each.mayHold(member))
                        .filter(each -> {
                            SortedMap<String, Long> both = new TreeMap<>(member.demand);
                            ReferenceAmounts.add(both, taken.getOrDefault(each, new TreeMap<>()));
                            return isFree(each, both, at, neighbours);
                        })
                        .findFirst()
                        .orElse(null);
                if (node == null) {
                    return null;
                }
                ReferenceAmounts.add(taken.computeIfAbsent(node, key -> new TreeMap<>()), member.demand);
                ReferenceAllocation neighbour = new ReferenceAllocation(member, application, node, false, 0);
                node.standing.add(neighbour);
                neighbours.add(neighbour);
            }
        } finally {
            neighbours.forEach(neighbour -> neighbour.node.standing.remove(neighbour));
        }
        Map<String, Resources> parts = new LinkedHashMap<>();
        taken.forEach((node, amounts) -> parts.put(node.name, resources(amounts)));
        return parts;
    }

    private static Resources resources(SortedMap<String, Long> amounts) {
        SortedMap<String, Amount> byName = new TreeMap<>();
        amounts.forEach((type, amount) -> {
            if (amount != 0) {
                byName.put(type, new Amount(amount));
            }
        });
        return Resources.of(byName);
    }

    /** Returns the first task allocated on its nodes that has not ended as expected. */
    private @Nullable String overrun(Reserved reservation) {
        List<ReferenceAllocation> standing = ownNodes(reservation).stream()
                .flatMap(each -> each.standing.stream())
                .toList();
        return ReferenceAllocation.inOrderOfPlacement(standing).stream()
                .filter(task -> !task.isPreempting() && !plannedEnd(task).isAfter(now))
                .findFirst()
                .map(ReferenceAllocation::name)
                .orElse(null);
    }

    /** When and where the task may start in future, on nodes without other reservations, in node order. */
    private Stream<Start> starts(ReferenceTask task, @Nullable Reserved own) {
        return List.copyOf(nodes.get()).stream()
                .filter(node -> node.mayHold(task))
                .filter(node ->
                        reserved.stream().noneMatch(other -> other != own && other.parts.containsKey(node.name)))
                .map(node -> new Start(node, startOn(node, task.demand)))
                .filter(start -> start.at.isBefore(Instant.MAX));
    }

    private @Nullable Start best(ReferenceTask task, @Nullable Reserved own) {
        return starts(task, own).min(Comparator.comparing(Start::at)).orElse(null); // the first of equal ones
    }

    private Instant startOn(ReferenceNode node, SortedMap<String, Long> demand) {
        return Stream.concat(Stream.of(now), node.standing.stream().map(this::end))
                .sorted()
                .filter(at -> at.isBefore(Instant.MAX))
                .filter(at -> isFree(node, demand, at))
                .findFirst()
                .orElse(Instant.MAX);
    }

    private boolean isFree(ReferenceNode node, SortedMap<String, Long> demand, Instant at) {
        return isFree(node, demand, at, List.of());
    }

    private boolean isFree(
            ReferenceNode node, SortedMap<String, Long> demand, Instant at, List<ReferenceAllocation> ignored) {
        SortedMap<String, Long> taken = new TreeMap<>();
        node.standing.stream()
                .filter(task -> !task.isPreempting()
                        && !ignored.contains(task)
                        && end(task).isAfter(at))
                .forEach(task -> ReferenceAmounts.add(taken, task.demand));
        return node.fitsBeside(taken, demand);
    }

    private @Nullable Duration duration(
            @Nullable Duration limit, ReferenceApplication application, Duration expectedDuration) {
        Duration most = limit != null ? limit : leafOf(application).taskTimeout();
        return most != null ? most : expectedDuration.isZero() ? null : expectedDuration;
    }

    private Instant plannedEnd(ReferenceAllocation task) {
        Duration limit = task.timeout();
        Duration length = task.hasStarted()
                ? (limit != null ? limit : task.expectedDuration.isZero() ? null : task.expectedDuration)
                : duration(limit, task.application, task.expectedDuration);
        return length == null || task.isSuspended()
                ? Instant.MAX
                : task.since(now).plus(length);
    }

    /** When it ends: as planned; if it has not, 30 s later, then another 60 s, 120 s and so on. */
    private Instant end(ReferenceAllocation task) {
        Instant end = plannedEnd(task);
        for (long more = 30; !end.isAfter(now); more *= 2) {
            end = end.plusSeconds(more);
        }
        return end;
    }

    private boolean isHolder(Reserved each, ReferenceApplication application, ReferenceTask task) {
        ReferenceTask holder = holder(each);
        return application == applications.get(each.application)
                && holder != null
                && (application.isGangWaiting() || holder.isEquivalentTo(task));
    }

    /** Whether no reservation keeps the task from using this node, which has enough free capacity. */
    boolean permits(ReferenceNode node, ReferenceApplication application, ReferenceTask task) {
        return reserved.stream()
                .filter(each -> each.parts.containsKey(node.name))
                .allMatch(each -> isHolder(each, application, task)
                        || (!isFirm(each)
                                && (endsBefore(each.start, application, task) || fitsBeside(each, node, task))));
    }

    boolean isReserved(ReferenceNode node) {
        return reserved.stream().anyMatch(each -> each.parts.containsKey(node.name));
    }

    private boolean endsBefore(Instant start, ReferenceApplication application, ReferenceTask task) {
        Duration length = duration(task.spec.attempts().timeout(), application, task.expectedDuration);
        return length != null && !now.plus(length).isAfter(start);
    }

    private boolean fitsBeside(Reserved each, ReferenceNode node, ReferenceTask task) {
        SortedMap<String, Long> both = new TreeMap<>(task.demand);
        ReferenceTask holder = holder(each);
        if (holder != null
                && Objects.requireNonNull(applications.get(each.application)).isGangWaiting()) {
            Objects.requireNonNull(each.parts.get(node.name))
                    .amounts()
                    .forEach((type, amount) -> both.merge(type, amount.value(), Long::sum));
        } else if (holder != null) {
            ReferenceAmounts.add(both, holder.demand);
        }
        return isFree(node, both, each.start);
    }

    /** Whether this task or one like it may still be able to use a reserved node in this cycle. */
    boolean mayPermit(
            ReferenceNode node,
            ReferenceApplication application,
            ReferenceTask task,
            Predicate<ReferenceTask> refused) {
        return reserved.stream()
                .filter(each -> each.parts.containsKey(node.name))
                .allMatch(each -> isHolder(each, application, task)
                        || (!isFirm(each) && (fitsBeside(each, node, task) || !refused.test(task))));
    }

    /** Reserves a node for a task that no node fits, if it is the first of its leaf in this cycle. */
    void refused(ReferenceQueue leaf, ReferenceApplication application, ReferenceTask task) {
        boolean feasible = nodes.get().stream().anyMatch(node -> node.couldTake(task));
        if (most > 0 && feasible && considered.add(leaf) && isDue(leaf, application)) {
            reserve(leaf, application, task);
        }
    }

    /** Reserves nodes for a gang that does not fit, if it is the first of its leaf in this cycle. */
    void refused(ReferenceQueue leaf, ReferenceApplication application, List<ReferenceTask> members) {
        GangStart start = full || most == 0 || considered.contains(leaf) ? null : startOf(leaf, application, members);
        if (start != null && considered.add(leaf) && isDue(leaf, application)) {
            reserve(leaf, application, members, start);
        }
    }

    private @Nullable Reserved former(ReferenceQueue leaf) {
        return reserved.stream()
                .filter(each -> each.queue.equals(leaf.path))
                .findFirst()
                .orElse(null);
    }

    private boolean outranks(ReferenceQueue leaf, ReferenceTask task, Reserved former) {
        ReferenceTask holder = holder(former);
        return holder != null && leaf.usesPriorities() && task.spec.priority() > holder.spec.priority();
    }

    private @Nullable GangStart startOf(
            ReferenceQueue leaf, ReferenceApplication application, List<ReferenceTask> members) {
        Reserved former = former(leaf);
        boolean may = former == null ? reserved.size() < most : outranks(leaf, members.get(0), former);
        return may ? gangStart(application, members, freeOfOthers(former)) : null;
    }

    private void reserve(
            ReferenceQueue leaf, ReferenceApplication application, List<ReferenceTask> members, GangStart start) {
        Reserved former = former(leaf);
        if (former != null) {
            end(former, "outranked");
        }
        ReferenceTask task = members.get(0);
        Reserved made = new Reserved(leaf.path, application.id, application.submitted, task.spec.name(), task.index);
        made.parts = start.parts;
        made.start = start.at;
        reserved.add(made);
        step(made);
    }

    /** Returns the first node that is reserved for the gang of an application and fits the task, or null. */
    @Nullable ReferenceNode ownNode(ReferenceApplication application, ReferenceTask task) {
        return reserved.stream()
                .filter(each -> application == applications.get(each.application) && holder(each) != null)
                .flatMap(each -> ownNodes(each).stream())
                .filter(node -> node.takes(task))
                .findFirst()
                .orElse(null);
    }

    /** Ends the reservation of a gang before its members are placed. */
    void gangStarts(ReferenceApplication application) {
        List.copyOf(reserved).stream()
                .filter(each -> application == applications.get(each.application) && holder(each) != null)
                .forEach(each -> end(each, "started"));
    }

    private boolean isDue(ReferenceQueue leaf, ReferenceApplication application) {
        return !application.waitingSince(now).plus(leaf.reservationDelay()).isAfter(now);
    }

    private record First(ReferenceQueue leaf, ReferenceApplication application, ReferenceTask task) {}

    /** Reserves nodes for the leaves that have not been considered in this cycle. */
    void reserveForOthers(SortedMap<String, Long> total) {
        if (most == 0 || root.allocatedTasks() >= throttle) {
            return;
        }
        root.requeueAll();
        List<First> all = new ArrayList<>();
        for (ReferenceQueue leaf : root.queues().filter(queue -> queue.leaf).toList()) {
            First first = considered.contains(leaf) || !ReferencePreemption.isServed(leaf) ? null : first(leaf, total);
            if (first != null && isDue(leaf, first.application)) {
                all.add(first);
            }
        }
        all.stream()
                .sorted(Comparator.comparing((First first) -> first.application.waitingSince(now))
                        .thenComparing(first -> first.leaf.path))
                .forEach(this::reserve);
    }

    private void reserve(First first) {
        if (!first.application.isGangWaiting()) {
            reserve(first.leaf, first.application, first.task);
            return;
        }
        List<ReferenceTask> members = Objects.requireNonNull(first.application.gangMembers());
        GangStart start = startOf(first.leaf, first.application, members);
        if (start != null) {
            reserve(first.leaf, first.application, members, start);
        }
    }

    private boolean isRefused(
            ReferenceQueue leaf, ReferenceApplication application, @Nullable List<ReferenceTask> members) {
        return members != null
                && gang.isPermitted(application, leaf, members, true)
                && gang.place(
                                application,
                                leaf,
                                members,
                                (member, among) -> firstNode.find(application, member, among),
                                this)
                        == null;
    }

    private @Nullable First first(ReferenceQueue leaf, SortedMap<String, Long> total) {
        while (leaf.isEligible()) {
            ReferenceApplication application = leaf.nextApplication(total);
            if (application.isGangWaiting()) {
                List<ReferenceTask> members = application.gangMembers();
                if (isRefused(leaf, application, members)
                        && startOf(leaf, application, Objects.requireNonNull(members)) != null) {
                    return new First(leaf, application, members.get(0));
                }
                application.skip();
                leaf.skipped(application);
                continue;
            }
            ReferenceTask task = application.nextTask();
            if (isPermitted(leaf, application, task)
                    && nodes.get().stream().anyMatch(node -> node.couldTake(task))
                    && nodes.get().stream().noneMatch(node -> node.takes(task) && permits(node, application, task))) {
                return new First(leaf, application, task);
            }
            application.skipEquivalent(task);
            leaf.skipped(application);
        }
        return null;
    }

    private void reserve(ReferenceQueue leaf, ReferenceApplication application, ReferenceTask task) {
        Reserved former = former(leaf);
        if (former != null ? !outranks(leaf, task, former) : reserved.size() >= most) {
            return;
        }
        Start best = best(task, former);
        if (best == null || isFreedByOne(task, former, leaf.reservationDelay())) {
            return;
        }
        if (former != null) {
            end(former, "outranked");
        }
        Reserved made = new Reserved(leaf.path, application.id, application.submitted, task.spec.name(), task.index);
        made.parts = Map.of(best.node.name, task.spec.resources());
        made.start = best.at;
        reserved.add(made);
        step(made);
    }

    /** Whether the end of one task, within this time, is expected to free all that the task needs. */
    private boolean isFreedByOne(ReferenceTask task, @Nullable Reserved own, Duration within) {
        return nodes.get().stream()
                .filter(node -> node.mayHold(task))
                .filter(node ->
                        reserved.stream().noneMatch(other -> other != own && other.parts.containsKey(node.name)))
                .flatMap(node -> node.standing.stream())
                .filter(other -> !other.isPreempting() && !end(other).isAfter(now.plus(within)))
                .anyMatch(other -> task.demand.entrySet().stream()
                        .allMatch(demand -> other.demand.getOrDefault(demand.getKey(), 0L) >= demand.getValue()));
    }

    /** Ends the reservation of a task that was placed; called before it leaves the pending ones. */
    void placed(ReferenceApplication application, ReferenceTask task) {
        List.copyOf(reserved).stream()
                .filter(each -> isHolder(each, application, task))
                .forEach(each -> end(each, "started"));
    }
}
