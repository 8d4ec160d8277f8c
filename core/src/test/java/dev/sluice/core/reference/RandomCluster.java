package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.CheckpointedScheduler;
import dev.sluice.core.testing.Invariants;
import dev.sluice.core.testing.TaskRefs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A random cluster: random commands in virtual time, and cycles that are compared with those of the reference
 * implementation.
 *
 * <p>Everything is determined by the seed.
 */
public final class RandomCluster {

    private static final String PARTITION = "p";
    private static final int TRACE_LENGTH = 40;
    /** Few enough that events on one node concern all */
    public static final int FEW_NODES = 8;

    /** More than the engine keeps in one block */
    public static final int MANY_NODES = 60;

    private static final int APPLICATIONS_MAX = 14;
    private static final int REPLACED_PERCENT = 20;
    private static final int CONTENTION_PERCENT = 20;

    private final long seed;
    private final boolean usage;
    private final boolean contended;
    private final RandomSource chance;
    private final RandomConfiguration configurations;
    private final RandomTasks tasks;
    private final List<String> types;
    private final int nodesMax;
    private final int nodeSize;
    private final int slotsPercent;
    private final CheckedScheduler scheduler = new CheckedScheduler();
    private final CheckpointedScheduler replaced = new CheckpointedScheduler();
    private final RandomSource replacing;

    private @Nullable RandomSource controlling;
    private @Nullable RandomLimits limiting;
    private @Nullable RandomConstraints constraining;
    private final RandomSource tainting;
    private @Nullable RandomPreemption preempting;
    private @Nullable RandomGangs ganging;
    private @Nullable RandomReservations reserving;
    private @Nullable RandomPolicies policies;
    private @Nullable RandomSource contending;
    private boolean reservesNothing;

    private final List<String> trace = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private int applications;

    /** The events of each node that is removed in the cycle that is compared. */
    private final List<List<String>> removals = new ArrayList<>();

    private int cycles;
    private final EventCounts eventCounts = new EventCounts();
    private int refusals;
    private int nodesRemoved;

    /** Creates a cluster with at most this number of nodes, optionally with queues that share by usage. */
    public RandomCluster(long seed, boolean usage, int nodesMax) {
        this.nodesMax = nodesMax;
        this.usage = usage;
        this.contended = false;
        this.seed = seed;
        chance = new RandomSource(seed);
        replacing = new RandomSource(~seed);
        tainting = new RandomSource(seed + 3);
        types = new ArrayList<>(List.of(ResourceTypes.SLOTS));
        // if only workers count, classes take all of them, and thus more than their share
        boolean workersOnly = chance.percent(50);
        if (!workersOnly) {
            types.addAll(List.of(ResourceTypes.VCORE, ResourceTypes.MEMORY));
            if (chance.percent(40)) {
                types.add("gpu");
            }
            if (chance.percent(20)) {
                types.add("a-licence");
            }
        }
        configurations = new RandomConfiguration(chance, PARTITION, types, workersOnly, usage);
        tasks = new RandomTasks(chance, types);
        nodeSize = workersOnly ? chance.of(1, 2, 4, 8) : chance.of(2, 8, 16, 32);
        slotsPercent = workersOnly ? 100 : chance.of(0, 50, 100);
    }

    /**
     * Creates a cluster whose load classes are often unbalanced and cannot always start their pending tasks: with
     * maxima, tasks that fit no node, and nodes without slots.
     */
    static RandomCluster ofClasses(long seed, int nodesMax) {
        return new RandomCluster(seed, nodesMax);
    }

    private RandomCluster(long seed, int nodesMax) {
        this.nodesMax = nodesMax;
        this.usage = false;
        this.seed = seed;
        chance = new RandomSource(seed);
        replacing = new RandomSource(~seed);
        tainting = new RandomSource(seed + 3);
        types = new ArrayList<>(List.of(ResourceTypes.SLOTS, ResourceTypes.VCORE));
        if (chance.percent(40)) {
            types.add(ResourceTypes.MEMORY);
        }
        configurations = RandomConfiguration.ofClasses(chance, PARTITION, types);
        tasks = new RandomTasks(chance, types, chance.of(1, 2, 3));
        nodeSize = chance.of(4, 8, 8);
        slotsPercent = chance.of(0, 50, 100);
        contended = true;
    }

    /** Also holds, releases, updates and retries applications, submits held ones, and delays retries of tasks. */
    public RandomCluster controlled() {
        controlling = new RandomSource(seed + 1);
        return this;
    }

    /** Also limits users and groups. */
    public RandomCluster limited() {
        limiting = new RandomLimits(seed + 2, types);
        return this;
    }

    /** Also taints nodes, and submits tasks with constraints on nodes. */
    public RandomCluster constrained() {
        constraining = new RandomConstraints(tainting, nodesMax);
        tasks.constrain(constraining);
        return this;
    }

    /** Also guarantees resources to queues, and draws who may be preempted for whom. */
    public RandomCluster preempting() {
        return preempting(80);
    }

    /** Also preempts; this part of the parents shares by fairness. */
    RandomCluster preempting(int fairPercent) {
        preempting = new RandomPreemption(seed + 6, types, fairPercent);
        return this;
    }

    /** Often starts all placed tasks and submits more. */
    RandomCluster contending() {
        contending = new RandomSource(seed + 9);
        return this;
    }

    /** Reserves no nodes. */
    public RandomCluster reservingNothing() {
        reservesNothing = true;
        return this;
    }

    /** Also draws when nodes are reserved, and how long tasks take. */
    public RandomCluster reserving() {
        reserving = new RandomReservations(seed + 4);
        return this;
    }

    /** Also submits gangs; call last. */
    public RandomCluster ganging() {
        ganging = new RandomGangs(seed + 5, controlling == null, RandomGangs.LABELS);
        return this;
    }

    /** Also submits gangs in a topology whose narrowest level are nodes. */
    RandomCluster gangingOnHosts() {
        ganging = new RandomGangs(seed + 5, true, RandomGangs.HOSTS);
        return this;
    }

    /** Also mixes share and sort policies at all levels. */
    RandomCluster mixingPolicies() {
        policies = new RandomPolicies(seed + 8);
        return this;
    }

    /** The trace of everything that happened. */
    public List<Event> journal() {
        return scheduler.journal();
    }

    /** The number of compared cycles. */
    int cycles() {
        return cycles;
    }

    /** The events in and between the cycles. */
    EventCounts eventCounts() {
        return eventCounts;
    }

    /** The share policies of parents directly below others, such as {@code LOAD below USAGE}. */
    List<String> nestedPolicies() {
        List<String> nested = new ArrayList<>();
        for (Queue queue : partition().queues().all()) {
            Queue parent = queue.parent();
            if (parent != null && !queue.isLeaf()) {
                nested.add(queue.configuration().properties().sharePolicy() + " below "
                        + parent.configuration().properties().sharePolicy());
            }
        }
        return nested;
    }

    /** The number of nodes that were removed as lost. */
    int nodesRemoved() {
        return nodesRemoved;
    }

    /** The number of restarts from a checkpoint. */
    int replacements() {
        return replaced.replacements();
    }

    /** The number of refused commands. */
    int refusals() {
        return refusals;
    }

    /**
     * Runs this number of cycles; throws {@link AssertionError} with the seed and a trace for a difference or a broken
     * invariant.
     */
    public void run(int count) {
        try {
            handle(new Command.ApplyConfiguration(List.of(limit(configurations.make()))));
            for (int i = 0; i <= chance.below(nodesMax) || (nodesMax > FEW_NODES && i < nodesMax); i++) {
                registerNode("n" + i);
            }
            while (cycles < count) {
                if (replacing.percent(REPLACED_PERCENT)) {
                    replaced.replace();
                }
                control();
                taint();
                lowerMaximum();
                if (preempting != null && preempting.contends()) {
                    lend();
                }
                contend();
                step();
                Invariants.check(scheduler.state());
            }
            scheduler.check();
            replaced.check(scheduler.scheduler());
        } catch (AssertionError | RuntimeException failure) {
            int from = Math.max(0, trace.size() - TRACE_LENGTH);
            throw new AssertionError(
                    "seed " + seed + ", cycle " + cycles + ": " + failure.getMessage() + "\nafter\n  "
                            + String.join("\n  ", trace.subList(from, trace.size())),
                    failure);
        }
    }

    /** Changes the taints of a node now and then. */
    private void taint() {
        RandomConstraints constraints = constraining;
        List<Node> nodes = List.copyOf(partition().nodes());
        if (constraints != null && !nodes.isEmpty() && tainting.percent(15)) {
            handle(new Command.TaintNode(PARTITION, tainting.of(nodes).name(), constraints.taints()));
        }
        RandomPreemption preemption = preempting;
        List<Task> reserved = placed().stream().filter(Task::isReserved).toList();
        if (constraints != null && preemption != null && !reserved.isEmpty()) {
            String node = preemption.of(reserved).node().name();
            handle(new Command.TaintNode(PARTITION, node, preemption.taints()));
        }
    }

    /** Lowers the maximum of a queue now and then. */
    private void lowerMaximum() {
        PartitionConfiguration lowered = preempting == null ? null : preempting.lowered(partition());
        if (lowered != null) {
            handle(new Command.ApplyConfiguration(List.of(lowered)));
        }
    }

    private PartitionConfiguration limit(PartitionConfiguration configuration) {
        PartitionConfiguration limited = limiting == null ? configuration : limiting.addTo(configuration);
        PartitionConfiguration topological = ganging == null ? limited : limited.withTopology(ganging.levels());
        PartitionConfiguration mixed = policies == null ? topological : policies.addTo(topological);
        PartitionConfiguration preempted = preempting == null ? mixed : preempting.addTo(mixed);
        if (reservesNothing) {
            QueueConfiguration root = preempted.root();
            return preempted.withRoot(
                    root.withProperties(root.properties().withReservation(new ReservationProperties(null, 0))));
        }
        return reserving == null ? preempted : reserving.addTo(preempted);
    }

    private StartConditions start() {
        RandomSource random = controlling;
        if (random == null) {
            return StartConditions.NONE;
        }
        Instant notBefore = random.percent(8) ? now.plusSeconds(random.below(90)) : null;
        return new StartConditions(random.percent(5), notBefore, after(random));
    }

    /** Returns the task with another retry and random rules for its retries. */
    private TaskSpec delayed(TaskSpec task) {
        RandomSource random = controlling;
        int times = task.attempts().retries().times();
        if (random == null || random.percent(30)) {
            return task;
        }
        Duration delay = Duration.ofMillis(random.of(0, 1, 900, 30_000, 100_000));
        double backoff = delay.isZero() ? 1 : random.of(1.0, 1.5, 3.0);
        List<Integer> exitCodes = random.percent(15) ? List.of(random.of(1, 2), 75) : List.of();
        return task.withRetries(new Retries(times + 1, delay, backoff, exitCodes));
    }

    /** Returns a dependency on a sealed application, which does not end in a cycle, or none. */
    private Map<String, ApplicationCondition> after(RandomSource random) {
        List<Application> sealed = partition().applications().stream()
                .filter(application -> application.spec().sealed())
                .toList();
        return sealed.isEmpty() || !random.percent(15)
                ? Map.of()
                : Map.of(
                        random.of(sealed).id(),
                        random.of(
                                ApplicationCondition.ENDED,
                                ApplicationCondition.SUCCEEDED,
                                ApplicationCondition.FAILED));
    }

    /** Changes an application now and then: its queue, or what its tasks request. */
    private void update() {
        RandomSource random = controlling;
        List<Application> known = List.copyOf(partition().applications());
        if (random == null || known.isEmpty() || !random.percent(12)) {
            return;
        }
        Application application = random.of(known);
        ApplicationUpdate update = new ApplicationUpdate(
                random.percent(30) ? randomQueue(random) : null,
                random.percent(30) ? "t" + random.below(3) : null,
                random.percent(40) ? random.of(-3, 0, 1, 5) : null,
                random.percent(30) ? Duration.ofMinutes(random.of(1, 2, 3)) : null,
                random.percent(50) ? tasks.updated(random) : Resources.NONE,
                random.percent(20) ? affinity(random) : null);
        handle(new Command.UpdateApplication(PARTITION, application.id(), update));
    }

    /** Returns an affinity for some nodes by name or label, or for none. */
    private static NodeAffinity affinity(RandomSource random) {
        NodeSelectorRequirement name = new NodeSelectorRequirement(
                NodeSelectorRequirement.NAME_FIELD,
                random.percent(50) ? NodeSelectorRequirement.Operator.IN : NodeSelectorRequirement.Operator.NOT_IN,
                List.of("n" + random.below(3)));
        NodeSelectorTerm named = new NodeSelectorTerm(List.of(), List.of(name));
        NodeSelectorTerm impossible = new NodeSelectorTerm(List.of(), List.of());
        return new NodeAffinity(
                random.percent(20) ? List.of() : List.of(random.percent(80) ? named : impossible), List.of());
    }

    private @Nullable String randomQueue(RandomSource random) {
        List<String> leaves = partition().queues().all().stream()
                .filter(Queue::isLeaf)
                .map(Queue::path)
                .toList();
        return leaves.isEmpty() || random.percent(10) ? random.of("root.a", "root.none", "root") : random.of(leaves);
    }

    /** Cancels all applications of a queue that a rule created now and then, and retries those that have ended. */
    private void cancelAndRetry() {
        RandomSource random = controlling;
        List<Queue> created = partition().queues().all().stream()
                .filter(queue -> queue.isLeaf() && queue.isDynamic())
                .toList();
        if (random == null || created.isEmpty() || !random.percent(10)) {
            return;
        }
        List<Application> living = List.copyOf(random.of(created).applications());
        for (Application application : living) {
            handle(new Command.CancelApplication(PARTITION, application.id(), "cancelled"));
        }
        for (Application application : living) {
            handle(new Command.RetryApplication(PARTITION, application.id(), random.percent(40)));
        }
    }

    /** Sets the quotas of a queue that a rule created now and then. */
    private void setQuotas() {
        RandomSource random = controlling;
        List<Application> known = List.copyOf(partition().applications());
        if (random == null || known.isEmpty() || !random.percent(8)) {
            return;
        }
        for (int i = 0; i < 3; i++) {
            Resources quota = Resources.parse("vcore", random.of("0", "1", "3", "40"), "memory", "64Gi");
            handle(new Command.SetQueueQuotas(
                    PARTITION,
                    random.of(known).id(),
                    random.percent(50) ? null : quota,
                    random.percent(30) ? null : quota,
                    random.below(4)));
        }
    }

    /** Holds, releases, updates or retries applications now and then. */
    private void control() {
        update();
        cancelAndRetry();
        setQuotas();
        if (controlling == null || !controlling.percent(10)) {
            return;
        }
        List<Application> known = List.copyOf(partition().applications());
        if (controlling.percent(30)) {
            known.stream()
                    .filter(application -> application.state().isEnded() && controlling.percent(30))
                    .forEach(ended ->
                            handle(new Command.RetryApplication(PARTITION, ended.id(), controlling.percent(40))));
        } else if (controlling.percent(70)) {
            known.stream()
                    .filter(Application::isHeld)
                    .forEach(held -> handle(new Command.ResumeTasks(PARTITION, held.id(), List.of())));
        } else if (!known.isEmpty()) {
            String id = controlling.of(known).id();
            handle(
                    controlling.percent(50)
                            ? new Command.HoldApplication(PARTITION, id)
                            : new Command.SuspendTasks(PARTITION, id, List.of()));
        }
    }

    private void step() {
        int dice = chance.below(contended ? 135 : 105);
        if (dice >= 105) {
            lend();
            return;
        }
        if (dice >= 100) {
            changeSetting();
        } else if (dice < 21) {
            compareCycle();
        } else if (dice < 38) {
            submit();
        } else if (dice < 70) {
            report();
        } else if (dice < 84) {
            changeApplication();
        } else if (dice < 90) {
            changeNode();
        } else if (dice < 92) {
            handle(new Command.ApplyConfiguration(
                    List.of(limit(configurations.change(partition().configuration())))));
        } else {
            advance();
        }
    }

    /** Reports placed tasks as started, submits more, and advances time in cycles. */
    private void lend() {
        placed().stream()
                .filter(task -> task.startedAt() == null && !task.isReserved())
                .forEach(this::started);
        submit();
        compareCycle();
        advanceTo(now.plus(Duration.ofSeconds(2)));
        compareCycle();
    }

    /** Now and then lends and, if no application may be submitted any more, cancels one. */
    private void contend() {
        RandomSource random = contending;
        if (random == null || !random.percent(CONTENTION_PERCENT)) {
            return;
        }
        List<Application> live = live();
        if (live.size() >= APPLICATIONS_MAX) {
            handle(new Command.CancelApplication(PARTITION, random.of(live).id(), "cancelled"));
        }
        lend();
    }

    private List<Application> live() {
        return partition().applications().stream()
                .filter(application -> !application.state().isEnded())
                .toList();
    }

    private void compareCycle() {
        List<String> expected = expected();
        Scheduler restored = chance.percent(5) ? scheduler.fold() : null;
        List<Event> events = scheduler.cycle(PARTITION, now);
        List<String> actual =
                removalsFirst(events.stream().map(ReferenceCycle::text).toList());
        cycles++;
        events.forEach(eventCounts::count);
        trace.add("cycle: " + actual);
        if (!actual.equals(expected)) {
            int same = 0;
            while (same < Math.min(actual.size(), expected.size())
                    && actual.get(same).equals(expected.get(same))) {
                same++;
            }
            throw new AssertionError(
                    "the engine differs at event " + same + "\n  engine    " + actual + "\n  reference " + expected);
        }
        replaced.cycle(PARTITION, now, events);
        if (restored != null && !restored.cycle(PARTITION, now).equals(events)) {
            throw new AssertionError("a scheduler restored from the journal decides otherwise");
        }
    }

    /**
     * Returns the events with those of removed nodes first, as in {@link #expected}. The engine emits them in the order
     * of time among tasks that must stop by then, which makes no other difference.
     */
    private List<String> removalsFirst(List<String> events) {
        List<String> first = new ArrayList<>();
        List<String> others = new ArrayList<>(events);
        for (List<String> removal : removals) {
            int at = Collections.indexOfSubList(others, removal);
            if (at >= 0) {
                others.subList(at, at + removal.size()).clear();
                first.addAll(removal);
            }
        }
        first.addAll(others);
        return first;
    }

    /** Returns the events of the reference cycle, after the removal of lost nodes that are due. */
    private List<String> expected() {
        List<Node> lost = partition().nodes().stream()
                .filter(node -> ReferenceNode.isRemovalDue(node, now))
                .sorted(Comparator.comparing(Node::index))
                .toList();
        removals.clear();
        if (lost.isEmpty()) {
            return ReferenceCycle.run(partition(), now, eventCounts);
        }
        nodesRemoved += lost.size();
        Scheduler without = scheduler.fold();
        List<String> expected = new ArrayList<>();
        for (Node node : lost) {
            CommandResult reply = without.handle(new Command.RemoveNode(PARTITION, node.name()), now);
            removals.add(reply.events().stream().map(ReferenceCycle::text).toList());
            expected.addAll(removals.get(removals.size() - 1));
        }
        expected.addAll(
                ReferenceCycle.run(Objects.requireNonNull(without.state().partition(PARTITION)), now, eventCounts));
        return expected;
    }

    private void submit() {
        int live = live().size();
        int count = chance.of(1, 1, 3);
        for (int i = 0; i < count && live + i < APPLICATIONS_MAX; i++) {
            // ids do not grow with submission time, so that the two orders differ
            String id = chance.of("x", "y", "z") + applications++;
            ApplicationSpec spec = tasks.application(chance.percent(3) ? "x1" : id, randomQueue())
                    .withStart(start())
                    .withGroups(limiting == null ? List.of() : limiting.groups());
            spec = spec.withTasks(spec.tasks().stream()
                    .map(this::delayed)
                    .map(task -> preempting == null ? task : preempting.changed(task))
                    .map(task -> reserving == null ? task : reserving.changed(task))
                    .toList());
            spec = ganging == null ? spec : ganging.addTo(spec);
            handle(
                    chance.percent(10)
                            ? new Command.AdoptApplication(PARTITION, spec)
                            : new Command.SubmitApplication(PARTITION, spec));
        }
    }

    private @Nullable String randomQueue() {
        List<String> leaves = partition().queues().all().stream()
                .filter(Queue::isLeaf)
                .map(Queue::path)
                .toList();
        if (leaves.isEmpty() || chance.percent(10)) {
            return chance.percent(20) ? null : chance.of("root.a", "root.a.b", "root.e", "root");
        }
        return chance.of(leaves);
    }

    private void report() {
        List<Task> placed = placed();
        if (placed.isEmpty()) {
            return;
        }
        int kind = chance.below(100);
        if (kind < 25) {
            placed.stream().filter(task -> task.startedAt() == null).forEach(this::started);
            return;
        }
        if (kind < 32) {
            placed.stream()
                    .filter(Task::isPreempting)
                    .filter(task -> chance.percent(70))
                    .forEach(this::left);
            return;
        }
        int count = chance.of(1, 1, 2, placed.size() / 2);
        for (int i = 0; i < count; i++) {
            Task task = chance.of(placed);
            String application = task.application().id();
            int attempt = chance.of(0, task.attempt(), task.attempt(), 1);
            if (kind < 75) {
                handle(new Command.ReportTaskSucceeded(TaskRefs.run(PARTITION, application, task.id(), attempt)));
            } else if (kind < 87) {
                handle(new Command.ReportTaskFailed(
                        TaskRefs.run(PARTITION, application, task.id(), attempt), 1, "failed"));
            } else if (kind < 95) {
                handle(new Command.ReportTaskLost(TaskRefs.run(PARTITION, application, task.id(), attempt)));
            } else {
                started(task);
            }
        }
    }

    private void started(Task task) {
        handle(new Command.ReportTaskStarted(
                TaskRefs.run(PARTITION, task.application().id(), task.id(), task.attempt())));
    }

    private void left(Task task) {
        handle(new Command.ReportTaskFailed(
                TaskRefs.run(PARTITION, task.application().id(), task.id(), task.attempt()), null, "stopped"));
    }

    private void changeSetting() {
        List<String> parents = partition().queues().all().stream()
                .filter(queue -> !queue.isLeaf())
                .map(Queue::path)
                .toList();
        String queue = parents.isEmpty() ? "root" : chance.of(parents);
        if ((usage || policies != null) && chance.percent(50)) {
            List<String> paths =
                    partition().queues().all().stream().map(Queue::path).toList();
            handle(
                    chance.percent(30)
                            ? new Command.SetSeed(PARTITION, chance.below(1000))
                            : new Command.SetUsagePriority(
                                    PARTITION, chance.of(paths), chance.of(0.0, 1.0, 3.5, 40.0)));
            return;
        }
        switch (chance.below(6)) {
            case 0 -> handle(new Command.SetThrottle(PARTITION, chance.of(-1, -1, chance.below(12), chance.below(40))));
            case 1, 2, 3 -> {
                Map<String, Integer> percents = new TreeMap<>();
                for (String name : RandomConfiguration.NAMES) {
                    if (partition().queues().find(queue + "." + name) != null) {
                        percents.put(name, configurations.loadPercent());
                    }
                }
                handle(new Command.SetClassLoadPercents(PARTITION, queue, percents));
            }
            case 4 -> handle(new Command.SetRebalanceThreshold(PARTITION, queue, configurations.threshold()));
            default ->
                handle(new Command.SetRebalanceMinimumDuration(PARTITION, queue, configurations.minimumDuration()));
        }
    }

    private void changeApplication() {
        List<Application> known = List.copyOf(partition().applications());
        if (known.isEmpty()) {
            return;
        }
        Application application = chance.of(known);
        String id = application.id();
        int kind = chance.below(100);
        if (kind < 45) {
            List<String> names = application.groups().stream()
                    .map(group -> group.spec().name())
                    .toList();
            handle(new Command.AddTasks(PARTITION, id, tasks.tasks(names, 1)));
        } else if (kind < 65) {
            handle(new Command.SealApplication(PARTITION, id));
        } else if (kind < 72) {
            handle(new Command.CancelApplication(PARTITION, id, "cancelled"));
        } else if (!application.groups().isEmpty()) {
            TaskGroup group = chance.of(application.groups());
            String task = group.spec().taskId(chance.below(group.spec().size()));
            handle(new Command.StopTask(TaskRefs.task(PARTITION, id, task)));
        }
    }

    private void changeNode() {
        String name = "n" + chance.below(nodesMax);
        Node node = partition().node(name);
        if (node == null) {
            registerNode(name);
            return;
        }
        switch (chance.below(9)) {
            case 0 -> handle(new Command.TakeNodeOffline(PARTITION, name));
            case 1 -> handle(new Command.RemoveNode(PARTITION, name));
            case 2 -> handle(new Command.UpdateNode(PARTITION, name, capacity(), tasks.nodeLabels()));
            case 3 -> handle(new Command.SuspendNode(PARTITION, name));
            case 4, 5 -> handle(new Command.ReportNodeLost(PARTITION, name));
            case 6 -> handle(new Command.ReportNodeFlaky(PARTITION, name));
            default -> {
                for (Node away : List.copyOf(partition().nodes())) {
                    handle(
                            chance.percent(50)
                                    ? new Command.ReinstateNode(PARTITION, away.name())
                                    : new Command.ReportNodeReady(PARTITION, away.name()));
                }
            }
        }
    }

    private void registerNode(String name) {
        handle(new Command.RegisterNode(PARTITION, name, capacity(), tasks.nodeLabels()));
    }

    private Resources capacity() {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (String type : types) {
            boolean slots = type.equals(ResourceTypes.SLOTS);
            if (chance.percent(slots ? slotsPercent : 90)) {
                long units = chance.of(nodeSize, nodeSize, nodeSize, nodeSize / 2, 2 * nodeSize, chance.of(0, 1));
                amounts.put(type, new Amount(RandomTasks.unit(type) * units));
            }
        }
        return Resources.of(amounts);
    }

    /**
     * Advances time; if a lost node times out, runs a cycle then and one right before, so that nothing else is due.
     */
    private void advance() {
        Instant then = now.plus(
                chance.percent(3)
                        ? Duration.ofDays(2)
                        : chance.of(
                                Duration.ofMillis(1),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(20),
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(2)));
        for (Instant due = nextRemoval(); due != null && !due.isAfter(then); due = nextRemoval()) {
            advanceTo(due.minusMillis(1));
            compareCycle();
            advanceTo(due);
            compareCycle();
        }
        // minimum durations only elapse if cycles observe the condition before and after
        boolean watched = chance.percent(40);
        if (watched) {
            compareCycle();
        }
        advanceTo(then);
        if (watched) {
            compareCycle();
        }
    }

    private void advanceTo(Instant instant) {
        now = instant.isAfter(now) ? instant : now;
        trace.add("at " + now);
    }

    private @Nullable Instant nextRemoval() {
        return partition().nodes().stream()
                .filter(node -> node.health() == NodeHealth.LOST)
                .map(ReferenceNode::removalDueAt)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private void handle(Command command) {
        List<String> excluded = excluded(command);
        CommandResult reply = scheduler.handle(command, now);
        if (reply.isAccepted() && excluded != null) {
            eventCounts.exclusions += excluded.size();
            if (!withdrawn(reply).equals(excluded)) {
                throw new AssertionError(command + " must withdraw " + excluded + ", not " + withdrawn(reply));
            }
        }
        replaced.handle(command, now, reply);
        reply.events().forEach(eventCounts::count);
        if (!reply.isAccepted()) {
            refusals++;
        }
        trace.add(command + (reply.refusal() == null ? "" : ": " + reply.refusal()));
    }

    /** Returns the reserved tasks that this command excludes from their node; null if it concerns no constraints. */
    private @Nullable List<String> excluded(Command command) {
        if (command instanceof Command.TaintNode taint) {
            Node node = Objects.requireNonNull(partition().node(taint.node()));
            return ReferenceNode.excluded(node, node.labels(), taint.taints());
        }
        if (command instanceof Command.UpdateNode update) {
            Node node = Objects.requireNonNull(partition().node(update.node()));
            return ReferenceNode.excluded(node, update.labels(), node.taints());
        }
        return null;
    }

    private static List<String> withdrawn(CommandResult reply) {
        List<String> withdrawn = new ArrayList<>();
        for (Event event : reply.events()) {
            if (event instanceof TaskEvent.Stopping stopping && stopping.reason() == StopReason.WITHDRAWN) {
                withdrawn.add(stopping.application() + "/" + stopping.task().id());
            }
        }
        return withdrawn;
    }

    private List<Task> placed() {
        List<Task> placed = new ArrayList<>();
        partition().nodes().forEach(node -> placed.addAll(node.tasks()));
        placed.sort(Comparator.comparingLong(Task::sequence));
        return placed;
    }

    private Partition partition() {
        Partition partition = scheduler.state().partition(PARTITION);
        if (partition == null) {
            throw new IllegalStateException("the partition is gone");
        }
        return partition;
    }
}
