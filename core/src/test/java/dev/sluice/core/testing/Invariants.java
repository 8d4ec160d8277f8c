package dev.sluice.core.testing;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Limits;
import dev.sluice.core.state.Lineage;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Timer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is true of every state between two calls of the scheduler: everything that is counted is what adding up says, every index
 * and cross-reference holds, and every application is in the state that its tasks call for.
 */
public final class Invariants {

    private final Partition partition;
    private final ResourceTypes types;
    private final Set<Task> placed = Collections.newSetFromMap(new IdentityHashMap<>());

    private Invariants(Partition partition) {
        this.partition = partition;
        this.types = partition.types();
    }

    /** Checks all partitions; throws {@link AssertionError} that says what is wrong with what. */
    public static void check(SchedulerState state) {
        for (Partition partition : state.partitions()) {
            new Invariants(partition).check();
        }
    }

    /** What every queue and node holds, to be compared after a cycle. */
    public static Holdings holdings(Partition partition) {
        Map<String, SortedMap<String, Long>> queues = new TreeMap<>();
        for (Queue queue : partition.queues().all()) {
            queues.put(queue.path(), StateText.amounts(queue.allocated(), partition.types()));
        }
        Map<String, SortedMap<String, Long>> nodes = new TreeMap<>();
        for (Node node : partition.nodes()) {
            nodes.put(node.name(), StateText.amounts(node.allocated(), partition.types()));
        }
        return new Holdings(queues, nodes);
    }

    /**
     * Checks that the cycle that lies between brought no queue over its maximum and no node over its capacity: what is over, because
     * it was lowered before, has not grown.
     */
    public static void checkCycle(Holdings before, Partition partition) {
        ResourceTypes types = partition.types();
        for (Queue queue : partition.queues().all()) {
            SortedMap<String, Long> max = StateText.limits(queue.max(), types);
            StateText.amounts(queue.allocated(), types).forEach((type, amount) -> {
                long former = before.queues()
                        .getOrDefault(queue.path(), Collections.emptySortedMap())
                        .getOrDefault(type, 0L);
                if (amount > former && amount > max.getOrDefault(type, Long.MAX_VALUE)) {
                    fail(queue + " was brought over its maximum of " + type + ": " + amount + " of " + max);
                }
            });
        }
        for (Node node : partition.nodes()) {
            StateText.amounts(node.allocated(), types).forEach((type, amount) -> {
                long former = before.nodes()
                        .getOrDefault(node.name(), Collections.emptySortedMap())
                        .getOrDefault(type, 0L);
                boolean limited = !type.equals(ResourceTypes.SLOTS) || node.declaresSlots();
                if (amount > former
                        && limited
                        && amount > node.capacity().amount(type).value()) {
                    fail(node + " was brought over its capacity of " + type + ": " + amount + " of " + node.capacity());
                }
                if (amount > former && (node.health() != NodeHealth.READY || node.isOffline())) {
                    fail(node + " is not ready and was given a task");
                }
            });
        }
    }

    /**
     * What is allocated, by type.
     *
     * @param queues by path
     * @param nodes by name
     */
    public record Holdings(Map<String, SortedMap<String, Long>> queues, Map<String, SortedMap<String, Long>> nodes) {}

    private void check() {
        Set<Integer> indexes = new HashSet<>();
        SortedMap<String, Long> demanded = new TreeMap<>();
        for (Application application : partition.applications()) {
            same(application, "the partition's own", partition.application(application.id()), application);
            yes(application, "an index of its own", indexes.add(application.index()));
            yes(application, "an index within bounds", application.index() < partition.applicationIndexBound());
            checkCounts(application);
            checkState(application);
            checkQueueOf(application);
            for (TaskGroup group : application.groups()) {
                add(demanded, group.demand(), group.unplaced() + group.placedCount());
            }
        }
        same(partition.name(), "demanded", amounts(partition.demanded()), demanded);
        checkNodes();
        checkQueues();
        checkTimers();
        checkUsers();
        checkLineages();
        yes(partition, "known durations", partition.durations().size() <= Limits.DURATION_KEYS_MAX);
    }

    private void checkUsers() {
        SortedMap<String, Integer> applications = new TreeMap<>();
        for (Application application : partition.applications()) {
            if (!application.state().isEnded()) {
                applications.merge(application.spec().user(), 1, Integer::sum);
            }
        }
        same(partition.name(), "applications by user", partition.users().applications(), applications);
    }

    /** What lives is listed where its tag and basis say, in the order of submission, and nothing else is. */
    private void checkLineages() {
        Map<String, List<Application>> byBasis = new TreeMap<>();
        Map<List<String>, List<Application>> byTag = new LinkedHashMap<>();
        for (Application application : partition.applications()) {
            String user = application.spec().user();
            String tag = application.spec().tag();
            String basis = application.spec().basis();
            boolean lives = application.hasQueue()
                    && !application.state().isEnded()
                    && application.state() != ApplicationState.FAILING;
            if (tag != null) {
                List<Application> tagged = byTag.computeIfAbsent(List.of(user, tag), key -> new ArrayList<>());
                if (lives) {
                    tagged.add(application);
                }
            }
            if (basis != null && lives) {
                byBasis.computeIfAbsent(user + "/" + basis, key -> new ArrayList<>())
                        .add(application);
            }
        }
        byTag.forEach((key, applications) -> same(
                key,
                "living with this tag",
                List.copyOf(partition.lineages().living(key.get(0), key.get(1))),
                applications));
        int idle = 0;
        for (Lineage lineage : partition.lineages().all()) {
            List<Application> living = byBasis.remove(lineage.toString());
            same(lineage, "living", List.copyOf(lineage.living()), living == null ? List.of() : living);
            same(
                    lineage,
                    "living with other tags",
                    lineage.livingBut(lineage.tag()),
                    lineage.living().stream()
                            .filter(application ->
                                    !lineage.tag().equals(application.spec().tag()))
                            .toList());
            same(lineage, "successor of the tag that holds", lineage.successor(lineage.tag()), null);
            yes(lineage, "remembered tags", lineage.successors().size() <= Limits.LINEAGE_TAGS_MAX);
            same(lineage, "found", partition.lineages().find(lineage.user(), lineage.basis()), lineage);
            idle += living == null ? 1 : 0;
        }
        yes(partition.name(), "remembered lineages", byBasis.isEmpty() && idle <= Limits.LINEAGES_IDLE_MAX);
    }

    private void checkCounts(Application application) {
        SortedMap<String, Long> allocated = new TreeMap<>();
        long tasks = 0;
        long unplaced = 0;
        long pending = 0;
        long holding = 0;
        long leaving = 0;
        long succeeded = 0;
        long failed = 0;
        long stopped = 0;
        for (int i = 0; i < application.groups().size(); i++) {
            TaskGroup group = application.groups().get(i);
            same(group, "index", group.index(), i);
            same(group, "found by name", application.group(group.spec().name()), group);
            checkGroup(group);
            add(allocated, group.demand(), holding(group));
            tasks += group.spec().size();
            unplaced += group.unplaced();
            pending += isFree(group) ? group.unplaced() : 0;
            holding += holding(group);
            leaving += group.placedCount() - holding(group);
            succeeded += group.succeeded();
            failed += group.failed();
            stopped += group.stopped();
        }
        same(application, "allocated", amounts(application.allocated()), allocated);
        same(application, "tasks", application.tasks(), tasks);
        same(application, "unplaced", application.unplaced(), unplaced);
        same(application, "pending", application.pending(), pending);
        same(application, "placed", (long) application.placed(), holding);
        same(application, "leaving", (long) application.leaving(), leaving);
        same(application, "succeeded", application.succeeded(), succeeded);
        same(application, "failed", application.failed(), failed);
        same(application, "stopped", application.stopped(), stopped);
    }

    /** How many tasks of a group hold their place, those not counted that are leaving it. */
    private static int holding(TaskGroup group) {
        return (int) group.placed().stream().filter(task -> !task.isLeaving()).count();
    }

    private static boolean isFree(TaskGroup group) {
        return group.spec().after().entrySet().stream().allMatch(entry -> {
            TaskGroup other = group.application().group(entry.getKey());
            if (other == null) {
                return false;
            }
            return switch (entry.getValue()) {
                case STARTED -> other.startedOnce() == other.spec().size();
                case SUCCEEDED -> other.succeeded() == other.spec().size();
            };
        });
    }

    private void checkGroup(TaskGroup group) {
        int size = group.spec().size();
        Duration expected = group.spec().expectedDuration();
        yes(group, "the expected duration asked for", expected.isZero() || expected.equals(group.expectedDuration()));
        same(group, "waiting", group.isWaiting(), !isFree(group));
        same(
                group,
                "all of its tasks",
                group.unplaced() + group.placedCount() + group.succeeded() + group.failed() + group.stopped(),
                size);
        yes(group, "no count below 0", group.unplaced() >= 0 && group.failed() >= 0 && group.stopped() >= 0);
        yes(group, "as many started", group.startedOnce() >= group.succeeded() && group.startedOnce() <= size);
        same(group, "placed", group.placed().size(), group.placedCount());
        for (Task task : group.placed()) {
            yes(task, "placed once", placed.add(task));
            same(task, "group", task.group(), group);
            same(task, "found by index", group.placed(task.index()), task);
            yes(task, "not unplaced", !group.isUnplaced(task.index()));
            yes(task, "an attempt more", task.attempt() == group.attempts(task.index()) + 1);
            yes(task, "on a node that is there", partition.node(task.node().name()) == task.node());
            yes(task, "listed by its node", task.node().tasks().contains(task));
            yes(
                    task,
                    "a reason to stop",
                    (task.state() == TaskState.STOPPING || task.isLeaving()) == (task.stopReason() != null));
            Duration own = group.spec().attempts().timeout();
            yes(task, "its own timeout", task.startedAt() == null || own == null || own.equals(task.timeout()));
            yes(task, "no timeout before it started", task.startedAt() != null || task.timeout() == null);
            yes(task, "started", task.state() != TaskState.RUNNING || task.startedAt() != null);
        }
        for (int index = 0; index < Math.min(size, StateText.LISTED_MAX); index++) {
            yes(
                    group,
                    "as many failures and losses as are allowed",
                    group.failures(index) <= group.spec().attempts().retries()
                            && group.losses(index) <= group.spec().attempts().lostRetries());
        }
        if (size <= StateText.LISTED_MAX) {
            int unplaced = 0;
            int first = -1;
            for (int index = size - 1; index >= 0; index--) {
                if (group.isUnplaced(index)) {
                    unplaced++;
                    first = index;
                }
            }
            same(group, "unplaced", group.unplaced(), unplaced);
            if (unplaced > 0) {
                same(group, "the next one", group.nextIndex(), first);
            }
        }
    }

    /** The application is where its tasks call for: nothing is left to be done about it until something happens. */
    private void checkState(Application application) {
        boolean holds = application.standing() > 0;
        boolean over = !holds && application.unplaced() == 0;
        boolean fits = switch (application.state()) {
            case NEW -> application.tasks() == 0 && !application.isSealed();
            case ACCEPTED -> !holds && !over && application.allocations() == 0;
            case STARTING -> !over && application.allocations() == 1;
            case RUNNING -> !over;
            case COMPLETING -> over && !application.isSealed();
            case FAILING -> holds && application.unplaced() == 0;
            case REJECTED -> application.tasks() == 0 && !application.hasQueue();
            case COMPLETED -> over && application.failed() + application.stopped() == 0;
            case FAILED -> over;
            case EXPIRED, RESUMING -> false;
        };
        yes(application, "in a fitting state, not " + application.state(), fits);
        yes(application, "something to wait for", application.unplaced() == 0 || holds || application.pending() > 0);
        yes(application, "active while it holds a place", !holds || application.isActive());
        yes(
                application,
                "not active in state " + application.state(),
                !application.isActive()
                        || application.state() == ApplicationState.STARTING
                        || application.state() == ApplicationState.RUNNING
                        || application.state() == ApplicationState.FAILING);
        yes(
                application,
                "active in state " + application.state(),
                application.isActive() || application.state() != ApplicationState.STARTING);
    }

    private void checkQueueOf(Application application) {
        if (application.hasQueue()) {
            boolean ended = application.state().isEnded();
            Queue queue = application.queue();
            same(application, "in its queue", queue.applications().contains(application), !ended);
            if (!ended) {
                same(application, "its queue is there", partition.queues().find(queue.path()), queue);
            }
        }
    }

    private void checkNodes() {
        Set<Integer> indexes = new HashSet<>();
        SortedMap<String, Long> total = new TreeMap<>();
        SortedMap<String, Long> registered = new TreeMap<>();
        long workers = 0;
        boolean countsSlots = false;
        int tasks = 0;
        for (Node node : partition.nodes()) {
            same(node, "the partition's own", partition.node(node.name()), node);
            yes(node, "an index of its own", indexes.add(node.index()) && node.index() < partition.nodeIndexBound());
            yes(node, "not removed", !node.isRemoved());
            SortedMap<String, Long> allocated = new TreeMap<>();
            int holding = 0;
            int held = 0;
            for (Task task : node.tasks()) {
                yes(task, "placed by its group", placed.contains(task) && task.node() == node);
                if (!task.isLeaving()) {
                    add(allocated, task.demand(), 1);
                    holding++;
                }
                if (task.isHeld()) {
                    held++;
                    yes(
                            task,
                            "held only while its room is being left or nothing is heard from its node",
                            node.mustHold(task.demand()) || node.health() == NodeHealth.LOST);
                }
                tasks++;
            }
            same(node, "allocated", amounts(node.allocated()), allocated);
            same(node, "has held tasks", node.hasHeld(), held > 0);
            same(node, "idle workers", node.idleWorkers(), Math.max(0, node.workers() - holding));
            add(registered, node.capacityVector(), 1);
            same(node, "capacity", amounts(node.capacityVector()), nonZero(node));
            if (node.health() == NodeHealth.READY && !node.isOffline()) {
                add(total, node.capacityVector(), 1);
                workers += node.workers();
                countsSlots |= node.declaresSlots();
            }
        }
        same(partition.name(), "tasks on nodes", tasks, placed.size());
        total.remove(ResourceTypes.SLOTS);
        if (countsSlots && workers > 0) {
            total.put(ResourceTypes.SLOTS, workers);
        }
        same(partition.name(), "total", amounts(partition.total()), total);
        same(partition.name(), "registered", amounts(partition.registered()), registered);
        same(partition.name(), "workers", partition.workers(), workers);
        same(partition.name(), "counts slots", partition.countsSlots(), countsSlots);
    }

    private static SortedMap<String, Long> nonZero(Node node) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        node.capacity().amounts().forEach((type, amount) -> {
            if (amount.value() != 0) {
                amounts.put(type, amount.value());
            }
        });
        return amounts;
    }

    private void checkQueues() {
        Set<Integer> indexes = new HashSet<>();
        for (Queue queue : partition.queues().all()) {
            same(queue, "found by path", partition.queues().find(queue.path()), queue);
            yes(queue, "an index of its own", indexes.add(queue.index()));
            yes(
                    queue,
                    "an index within bounds",
                    queue.index() < partition.queues().indexBound());
            yes(
                    queue,
                    "a leaf or without applications",
                    queue.isLeaf() || queue.applications().isEmpty());
            boolean kept = queue.parent() == null || !(queue.isDraining() || queue.isDynamic());
            yes(
                    queue,
                    "taken out when empty",
                    kept || !queue.children().isEmpty() || !queue.applications().isEmpty());
            checkCounts(queue);
            if (!queue.isDraining()) {
                checkInherited(queue);
            }
        }
        Queue root = partition.queues().root();
        checkConfigured(root, partition.configuration().root());
    }

    private static void checkConfigured(Queue queue, QueueConfiguration configuration) {
        same(queue, "configuration", queue.configuration(), configuration);
        yes(queue, "not draining", !queue.isDraining());
        yes(queue, "configured, not dynamic", !queue.isDynamic());
        int position = 0;
        for (QueueConfiguration childConfiguration : configuration.children()) {
            Queue child = queue.child(childConfiguration.name());
            if (child == null) {
                fail(queue + " lacks " + childConfiguration.name() + ", which is configured");
                return;
            }
            same(child, "place", queue.children().indexOf(child), position);
            checkConfigured(child, childConfiguration);
            position++;
        }
    }

    private static void checkInherited(Queue queue) {
        Queue parent = queue.parent();
        ApplicationSortPolicy inherited = parent == null ? ApplicationSortPolicy.FIFO : parent.sortPolicy();
        ApplicationSortPolicy policy = queue.configuration().properties().applicationSortPolicy();
        same(queue, "sort policy", queue.sortPolicy(), policy == null ? inherited : policy);
        boolean counts = parent == null || parent.priorityCounts();
        Boolean priority = queue.configuration().properties().applicationSortPriority();
        same(queue, "priorities", queue.priorityCounts(), priority == null ? counts : priority);
        Duration timeout = queue.configuration().properties().taskTimeout();
        Duration above = parent == null ? null : parent.taskTimeout();
        same(queue, "task timeout", queue.taskTimeout(), timeout == null ? above : timeout);
    }

    private void checkCounts(Queue queue) {
        SortedMap<String, Long> allocated = new TreeMap<>();
        SortedMap<String, Long> pending = new TreeMap<>();
        long pendingTasks = 0;
        int placedTasks = 0;
        int leavingTasks = 0;
        int active = 0;
        int starting = 0;
        for (Application application : live(queue)) {
            for (TaskGroup group : application.groups()) {
                int waiting = isFree(group) ? group.unplaced() : 0;
                add(allocated, group.demand(), holding(group));
                add(pending, group.demand(), waiting);
                pendingTasks += waiting;
                placedTasks += holding(group);
                leavingTasks += group.placedCount() - holding(group);
            }
            active += application.isActive() ? 1 : 0;
            starting += application.state() == ApplicationState.STARTING && application.queue() == queue ? 1 : 0;
        }
        same(queue, "allocated", amounts(queue.allocated()), allocated);
        same(queue, "pending", amounts(queue.pending()), pending);
        same(queue, "pending tasks", queue.pendingTasks(), pendingTasks);
        same(queue, "placed tasks", queue.placedTasks(), placedTasks);
        same(queue, "leaving tasks", queue.leavingTasks(), leavingTasks);
        same(queue, "active applications", queue.activeApplications(), active);
        same(queue, "starting applications", queue.startingApplications(), starting);
    }

    /** The applications of a queue and those below it that have not ended, found from the applications' side. */
    private List<Application> live(Queue queue) {
        List<Application> live = new ArrayList<>();
        for (Application application : partition.applications()) {
            if (application.hasQueue() && !application.state().isEnded()) {
                String path = application.queue().path();
                if (path.equals(queue.path()) || (!queue.isLeaf() && path.startsWith(queue.path() + "."))) {
                    live.add(application);
                }
            }
        }
        return live;
    }

    private void checkTimers() {
        List<Timer> due = new ArrayList<>();
        for (Node node : partition.nodes()) {
            Instant flakySince = node.flakySince();
            yes(node, "flaky since some time", node.health() != NodeHealth.FLAKY || flakySince != null);
            yes(node, "not flaky once ready", node.health() != NodeHealth.READY || flakySince == null);
            if (node.health() == NodeHealth.LOST) {
                due.add(new Timer(later(node.healthSince(), Limits.LOST_MAX), node));
            } else if (node.health() == NodeHealth.FLAKY && flakySince != null) {
                due.add(new Timer(later(flakySince, Limits.FLAKY_MAX), node));
            }
        }
        for (Application application : partition.applications()) {
            Duration stay = switch (application.state()) {
                case STARTING -> Limits.STARTING_MAX;
                case COMPLETING -> Limits.COMPLETING_MAX;
                case REJECTED, COMPLETED, FAILED -> Limits.REMEMBERED_MAX;
                case NEW, ACCEPTED, RUNNING, FAILING, EXPIRED, RESUMING -> null;
            };
            if (stay != null) {
                due.add(new Timer(later(application.stateSince(), stay), application));
            }
        }
        for (Task task : placed) {
            Duration timeout = task.timeout();
            Instant started = task.startedAt();
            if (timeout != null && started != null && task.state() == TaskState.RUNNING) {
                due.add(new Timer(later(started, timeout), task));
            }
        }
        for (Queue queue : partition.queues().all()) {
            Instant since = queue.overThresholdSince();
            if (since != null && !queue.isRebalanceDue()) {
                yes(queue, "out of balance only where it rebalances", queue.rebalances());
                Duration most = queue.configuration().properties().load().rebalanceMinimumDuration();
                due.add(new Timer(later(since, most), queue));
            }
        }
        Collections.sort(due);
        same(partition.name(), "timers", List.copyOf(partition.timers()), due);
        same(partition.name(), "next timer", partition.nextTimer(), due.isEmpty() ? null : due.get(0));
    }

    private static Instant later(Instant from, Duration duration) {
        try {
            return from.plus(duration);
        } catch (ArithmeticException | DateTimeException e) {
            return Instant.MAX;
        }
    }

    private SortedMap<String, Long> amounts(long[] vector) {
        return StateText.amounts(vector, types);
    }

    private void add(SortedMap<String, Long> sum, long[] demand, int times) {
        if (times != 0) {
            amounts(demand).forEach((type, amount) -> sum.merge(type, amount * times, Long::sum));
        }
    }

    private static void same(Object subject, String what, @Nullable Object actual, @Nullable Object expected) {
        if (!Objects.equals(actual, expected)) {
            fail(subject + ": " + what + " is " + actual + " but should be " + expected);
        }
    }

    private static void yes(Object subject, String what, boolean holds) {
        if (!holds) {
            fail(subject + " should be or have: " + what);
        }
    }

    private static void fail(String message) {
        throw new AssertionError(message);
    }
}
