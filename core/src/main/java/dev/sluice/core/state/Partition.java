package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and a queue tree, scheduled together, with the applications in them.
 *
 * <p>Whoever is outside this package only reads it; it is changed by applying events.
 */
public final class Partition {

    /** The throttle of a partition that may run as many tasks as fit. */
    public static final int UNTHROTTLED = -1;

    private final String name;
    private final ResourceTypes types = new ResourceTypes();
    private final QueueTree queues;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Indexes nodeIndexes = new Indexes();
    private final Map<String, Application> applications = new LinkedHashMap<>();
    private final Indexes applicationIndexes = new Indexes();
    private final Timers timers = new Timers();
    private final Changes changes = new Changes();
    private final Users users = new Users();
    private final Lineages lineages = new Lineages(Limits.LINEAGES_IDLE_MAX);
    private final Durations durations = new Durations(Limits.DURATION_KEYS_MAX);
    private PartitionConfiguration configuration;
    private final NodeTotals totals = new NodeTotals();
    private long[] demanded = Vectors.empty();
    private long placements;
    private int throttle = UNTHROTTLED;

    Partition(PartitionConfiguration configuration) {
        this.name = configuration.name();
        this.configuration = configuration;
        this.queues = new QueueTree(this, configuration);
    }

    /** The partition's name. */
    public String name() {
        return name;
    }

    /** What was configured. */
    public PartitionConfiguration configuration() {
        return configuration;
    }

    /** The resource types it has met. */
    public ResourceTypes types() {
        return types;
    }

    /** Its queues. */
    public QueueTree queues() {
        return queues;
    }

    /** Its nodes, in the order of registration. */
    public Collection<Node> nodes() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    /** The node of this name, or null. */
    public @Nullable Node node(String nodeName) {
        return nodes.get(nodeName);
    }

    /** One more than the largest index of a node. */
    public int nodeIndexBound() {
        return nodeIndexes.bound();
    }

    /** The applications that are remembered, in the order of submission. */
    public Collection<Application> applications() {
        return Collections.unmodifiableCollection(applications.values());
    }

    /** The application with this id, or null. */
    public @Nullable Application application(String id) {
        return applications.get(id);
    }

    /** The application with this id; throws {@link IllegalStateException} if there is none. */
    public Application existing(String id) {
        Application application = applications.get(id);
        if (application == null) {
            throw new IllegalStateException("no application " + id + " in " + name);
        }
        return application;
    }

    /** One more than the largest index of an application. */
    public int applicationIndexBound() {
        return applicationIndexes.bound();
    }

    /**
     * What the ready nodes have together, as a vector; not to be changed. Slots are the number of workers if any node declares
     * slots, else 0: then nobody counts them.
     */
    public long[] total() {
        return totals.ready();
    }

    /** What all nodes have together, ready or not, as a vector; not to be changed. */
    public long[] registered() {
        return totals.registered();
    }

    /** What all tasks that have not ended ask for together, as a vector; not to be changed. */
    public long[] demanded() {
        return demanded;
    }

    /** How many workers the ready nodes count as. */
    public long workers() {
        return totals.workers();
    }

    /** Whether any ready node says how many tasks it runs at most. */
    public boolean countsSlots() {
        return totals.countsSlots();
    }

    /** The most tasks that may hold a place at once, or {@link #UNTHROTTLED}. */
    public int throttle() {
        return throttle;
    }

    /** How many more tasks the throttle lets have a place; {@link Long#MAX_VALUE} without one. */
    public long throttleRoom() {
        return throttle == UNTHROTTLED
                ? Long.MAX_VALUE
                : Math.max(0, (long) throttle - queues.root().placedTasks());
    }

    /** What is due in future, the next first. */
    public Collection<Timer> timers() {
        return timers.all();
    }

    /** What is due first, or null. */
    public @Nullable Timer nextTimer() {
        return timers.next();
    }

    /** Who has how many applications that have not ended. */
    public Users users() {
        return users;
    }

    /** Which applications belong together by their tags. */
    public Lineages lineages() {
        return lineages;
    }

    /** How long tasks took that ran before. */
    public Durations durations() {
        return durations;
    }

    /** What has changed since somebody last cleared it. */
    public Changes changes() {
        return changes;
    }

    /** What a task of this specification takes, slots included, as a vector. */
    public long[] demand(TaskSpec task) {
        long[] vector = types.vector(task.resources(), 0);
        long[] demand = vector.length == 0 ? new long[1] : vector;
        demand[ResourceTypes.SLOTS_INDEX] = 1;
        return demand;
    }

    /** Whether so many times these amounts could be added to a sum without exceeding {@link Limits#SUM_MAX}. */
    public boolean canAdd(long[] sum, Resources amounts, long times) {
        for (var entry : amounts.amounts().entrySet()) {
            int type = types.find(entry.getKey());
            long room = Limits.SUM_MAX - (type < 0 ? 0 : Vectors.at(sum, type));
            if (entry.getValue().times(times).value() > room) {
                return false;
            }
        }
        return true;
    }

    /** Whether these amounts name no more new resource types than the partition may still come to know. */
    public boolean canKnow(Iterable<String> typeNames) {
        int unknown = 0;
        for (String typeName : typeNames) {
            unknown += types.find(typeName) < 0 ? 1 : 0;
        }
        return types.size() + unknown <= Limits.RESOURCE_TYPES_MAX;
    }

    void configure(PartitionConfiguration newConfiguration) {
        configuration = newConfiguration;
        queues.configure(newConfiguration);
        for (Queue queue : queues.all()) {
            Instant since = queue.overThresholdSince();
            if (since != null) {
                setOverThreshold(queue, queue.rebalances() ? since : null);
            }
        }
        changes.touchNodes();
        changes.touchQueues();
    }

    void createQueue(String path) {
        queues.create(path);
        changes.touchQueues();
    }

    void removeQueue(String path) {
        Queue queue = queues.find(path);
        if (queue == null) {
            throw new IllegalStateException("no queue " + path);
        }
        timers.cancel(queue);
        queues.remove(queue);
        changes.touchQueues();
    }

    void throttle(int tasksMax) {
        throttle = tasksMax;
    }

    void setOverThreshold(String path, @Nullable Instant since) {
        setOverThreshold(rebalancing(path), since);
    }

    void setRebalanceDue(String path) {
        Queue queue = rebalancing(path);
        queue.setRebalanceDue();
        timers.cancel(queue);
    }

    private Queue rebalancing(String path) {
        Queue queue = queues.find(path);
        if (queue == null || !queue.rebalances()) {
            throw new IllegalStateException("queue " + path + " does not rebalance");
        }
        return queue;
    }

    private void setOverThreshold(Queue queue, @Nullable Instant since) {
        queue.setOverThresholdSince(since);
        if (since == null) {
            timers.cancel(queue);
        } else {
            timers.set(queue, since, queue.configuration().properties().load().rebalanceMinimumDuration());
        }
    }

    void registerNode(String nodeName, Resources capacity, SortedMap<String, String> labels, Instant at) {
        Node node = new Node(this, nodeName, nodeIndexes.take(), capacity, labels, at);
        nodes.put(nodeName, node);
        countNode(node, 1);
    }

    void updateNode(String nodeName, Resources capacity, SortedMap<String, String> labels) {
        Node node = existingNode(nodeName);
        countNode(node, -1);
        node.update(capacity, labels);
        countNode(node, 1);
    }

    void setNodeOffline(String nodeName, boolean offline) {
        Node node = existingNode(nodeName);
        countNode(node, -1);
        node.setOffline(offline);
        countNode(node, 1);
    }

    void setNodeHealth(NodeEvent.HealthChanged change) {
        Node node = existingNode(change.node());
        if (node.health() != change.from()) {
            throw new IllegalStateException(node + " is " + node.health() + ", not " + change.from());
        }
        countNode(node, -1);
        node.setHealth(change.to(), change.flakySince(), change.at());
        countNode(node, 1);
        timers.cancel(node);
        Instant flakySince = node.flakySince();
        if (node.health() == NodeHealth.LOST) {
            timers.set(node, node.healthSince(), Limits.LOST_MAX);
        } else if (node.health() == NodeHealth.FLAKY && flakySince != null) {
            timers.set(node, flakySince, Limits.FLAKY_MAX);
        }
    }

    void removeNode(String nodeName) {
        Node node = existingNode(nodeName);
        if (!node.tasks().isEmpty()) {
            throw new IllegalStateException(nodeName + " still holds tasks");
        }
        countNode(node, -1);
        timers.cancel(node);
        node.markRemoved();
        nodes.remove(nodeName);
        nodeIndexes.giveBack(node.index());
    }

    /** Adds what a node has to the sums, or takes it away. */
    private void countNode(Node node, int sign) {
        totals.count(node, sign);
        changes.touchNodes();
    }

    Application submit(ApplicationSpec spec, @Nullable String queuePath, Instant at) {
        Queue queue = queuePath == null ? null : queues.find(queuePath);
        if (queuePath != null && queue == null) {
            throw new IllegalStateException("no queue " + queuePath);
        }
        Application former = applications.get(spec.id());
        if (former != null) {
            forget(former);
        }
        Application application = new Application(spec, queue, applicationIndexes.take(), at);
        applications.put(spec.id(), application);
        users.add(spec.user());
        if (queue != null) {
            queue.add(application);
            lineages.add(application);
        }
        changes.touch(application);
        return application;
    }

    void addTasks(Application application, List<TaskSpec> tasks) {
        int first = application.groups().size();
        for (TaskSpec task : tasks) {
            TaskGroup group = application.add(task, demand(task), expectedDuration(application, task));
            demanded = Vectors.add(demanded, group.demand(), task.size());
        }
        for (int i = first; i < application.groups().size(); i++) {
            TaskGroup group = application.groups().get(i);
            group.spec().after().forEach((other, condition) -> {
                TaskGroup awaited = application.group(other);
                if (awaited == null) {
                    throw new IllegalStateException(group + " waits for " + other + ", which is not there");
                }
                group.waitFor(awaited, condition);
            });
            countPending(group, group.pending());
        }
    }

    private Duration expectedDuration(Application application, TaskSpec task) {
        return task.expectedDuration().isZero()
                ? durations.use(Durations.Key.of(application.spec(), task))
                : task.expectedDuration();
    }

    void seal(Application application) {
        application.seal();
        changes.touch(application);
    }

    void setState(Application application, ApplicationState state, String reason, Instant at) {
        int starting = (state == ApplicationState.STARTING ? 1 : 0)
                - (application.state() == ApplicationState.STARTING ? 1 : 0);
        if (starting != 0) {
            application.queue().countStarting(starting);
        }
        if (state.isEnded() && !application.state().isEnded()) {
            users.remove(application.spec().user());
        }
        if (state.isEnded() || state == ApplicationState.FAILING) {
            lineages.remove(application);
        }
        application.setState(state, reason, at);
        timers.cancel(application);
        changes.touch(application);
        if (application.isActive() && !keepsActive(state)) {
            application.setActive(false);
            application.queue().countActive(-1);
        }
        if (state.isEnded() && application.hasQueue()) {
            application.queue().remove(application);
        }
        Duration stay = longestStay(state);
        if (stay != null) {
            timers.set(application, at, stay);
        }
        if (state == ApplicationState.EXPIRED) {
            forget(application);
        }
    }

    private static boolean keepsActive(ApplicationState state) {
        return state == ApplicationState.STARTING
                || state == ApplicationState.RUNNING
                || state == ApplicationState.FAILING;
    }

    private static @Nullable Duration longestStay(ApplicationState state) {
        return switch (state) {
            case STARTING -> Limits.STARTING_MAX;
            case COMPLETING -> Limits.COMPLETING_MAX;
            case REJECTED, COMPLETED, FAILED -> Limits.REMEMBERED_MAX;
            case NEW, ACCEPTED, RUNNING, FAILING, EXPIRED, RESUMING -> null;
        };
    }

    private void forget(Application application) {
        timers.cancel(application);
        applications.remove(application.id());
        applicationIndexes.giveBack(application.index());
        changes.touch(application);
    }

    void place(TaskGroup group, int index, String nodeName, boolean held, Instant at) {
        Node node = existingNode(nodeName);
        Application application = group.application();
        Task task = group.place(index, node, placements++, held, at);
        node.add(task);
        application.countPlaced(task);
        application.queue().countPlaced(group.demand(), 1);
        countPending(group, -1);
        if (!application.isActive()) {
            application.setActive(true);
            application.queue().countActive(1);
        }
        changes.touch(node);
    }

    void release(Task task) {
        task.node().release();
        task.released();
    }

    void started(Task task, Instant at) {
        TaskGroup group = task.group();
        if (task.isHeld()) {
            task.node().release();
        }
        boolean had = group.has(TaskCondition.STARTED);
        group.started(task.index());
        task.started(at);
        Duration timeout = task.timeout();
        if (timeout != null && task.state() == TaskState.RUNNING) {
            timers.set(task, at, timeout);
        }
        if (!had) {
            tellDependents(group, TaskCondition.STARTED);
        }
    }

    void stopping(Task task, StopReason reason) {
        boolean left = task.isLeaving();
        boolean held = task.isHeld();
        task.stopping(reason);
        timers.cancel(task);
        if (held) {
            task.node().release();
        }
        if (task.isLeaving() && !left) {
            task.node().leave(task);
            task.application().countLeaving(task);
            task.application().queue().countPlaced(task.demand(), -1);
            task.application().queue().countLeaving(1);
            changes.touch(task.node());
        }
        changes.touch(task.application());
    }

    void ended(Task task, TaskOutcome outcome, boolean again, Instant at) {
        timers.cancel(task);
        countDuration(task, outcome, at);
        TaskGroup group = task.group();
        int pendingBefore = group.pending();
        group.ended(task, outcome, again);
        task.node().remove(task);
        group.application().countEnded(task, outcome, again);
        if (task.isLeaving()) {
            group.application().queue().countLeaving(-1);
        } else {
            group.application().queue().countPlaced(group.demand(), -1);
        }
        if (!again) {
            demanded = Vectors.add(demanded, group.demand(), -1);
        }
        countPending(group, group.pending() - pendingBefore);
        changes.touch(task.node());
        if (outcome == TaskOutcome.SUCCEEDED) {
            tellDependents(group, TaskCondition.SUCCEEDED);
        }
    }

    /**
     * Counts how long a run took that went to its end or to its time limit. One that ended in the instant in which it was reported as
     * started tells nothing: that is how a run looks of which only the end was reported.
     */
    private void countDuration(Task task, TaskOutcome outcome, Instant at) {
        boolean tells = outcome == TaskOutcome.SUCCEEDED || outcome == TaskOutcome.TIMED_OUT;
        Instant started = task.startedAt();
        if (tells && started != null && started.isBefore(at)) {
            durations.add(
                    Durations.Key.of(task.application().spec(), task.group().spec()), Duration.between(started, at));
        }
    }

    void dropUnplaced(TaskGroup group) {
        int pendingBefore = group.pending();
        int dropped = group.dropUnplaced();
        countDropped(group, dropped, pendingBefore);
    }

    void drop(TaskGroup group, int index) {
        int pendingBefore = group.pending();
        group.drop(index);
        countDropped(group, 1, pendingBefore);
    }

    private void countDropped(TaskGroup group, int dropped, int pendingBefore) {
        group.application().countDropped(dropped);
        demanded = Vectors.add(demanded, group.demand(), -dropped);
        countPending(group, group.pending() - pendingBefore);
    }

    /** Tells those that wait for it if a group has come to meet a condition; it comes to that once. */
    private void tellDependents(TaskGroup group, TaskCondition condition) {
        if (!group.has(condition)) {
            return;
        }
        for (TaskGroup.Dependent dependent : group.dependents()) {
            if (dependent.condition() == condition && dependent.group().conditionMet()) {
                countPending(dependent.group(), dependent.group().pending());
            }
        }
    }

    private void countPending(TaskGroup group, int change) {
        if (change != 0) {
            group.application().countPending(change);
            group.application().queue().countPending(group.demand(), change);
        }
        changes.touch(group);
    }

    private Node existingNode(String nodeName) {
        Node node = nodes.get(nodeName);
        if (node == null) {
            throw new IllegalStateException("no node " + nodeName);
        }
        return node;
    }
}
