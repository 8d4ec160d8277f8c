package dev.sluice.config.snapshot;

import dev.sluice.config.snapshot.RunningTaskPlacement.AllocatedTask;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Creates a scheduler with the state of a snapshot.
 *
 * <p>Partitions, nodes and applications are added by commands, so they are validated as usual. What no command can
 * express (running tasks, the state of an application) is added by events, as from a journal.
 */
public final class SnapshotLoader {

    /** The states between an application that has started and one that has not. */
    private static final List<ApplicationState> RESTART_PATH =
            List.of(ApplicationState.STARTING, ApplicationState.RESUMING, ApplicationState.ACCEPTED);

    private final Snapshot snapshot;
    private final Scheduler scheduler = new Scheduler();

    /** The node for ended tasks by partition; it exists only while the snapshot is loaded. */
    private final Map<String, String> temporaryNodes = new LinkedHashMap<>();

    private SnapshotLoader(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /**
     * Returns the scheduler of this snapshot. Applications that no queue accepts are in state Rejected.
     *
     * @throws SnapshotException if the scheduler rejects a part of the snapshot
     */
    public static Scheduler load(Snapshot snapshot) {
        SnapshotLoader loader = new SnapshotLoader(snapshot);
        loader.configure();
        loader.registerNodes();
        loader.submit();
        loader.restoreQueues();
        return loader.scheduler;
    }

    private void configure() {
        List<PartitionConfiguration> partitions =
                snapshot.partitions().isEmpty() ? List.of(PartitionConfiguration.simplest()) : snapshot.partitions();
        handle(new Command.ApplyConfiguration(partitions), snapshot.at());
        partitions.forEach(each -> handle(new Command.SetSeed(each.name(), snapshot.seed()), snapshot.at()));
        for (PartitionEntry entry : snapshot.settings()) {
            if (entry.seed() != null) {
                handle(new Command.SetSeed(entry.partition(), entry.seed()), snapshot.at());
            }
            if (entry.throttle() != null) {
                handle(new Command.SetThrottle(entry.partition(), entry.throttle()), snapshot.at());
            }
        }
    }

    private void registerNodes() {
        for (NodeEntry node : snapshot.nodes()) {
            Instant since = node.since() == null ? snapshot.at() : node.since();
            for (int i = 0; i < node.size(); i++) {
                for (Command command : node.commands(i)) {
                    handle(command, since);
                }
            }
        }
    }

    private void submit() {
        IdentityHashMap<ApplicationEntry, List<AllocatedTask>> allocated = new IdentityHashMap<>();
        for (AllocatedTask task : RunningTaskPlacement.of(snapshot)) {
            allocated
                    .computeIfAbsent(task.application(), key -> new ArrayList<>())
                    .add(task);
        }
        createQueues();
        for (ApplicationEntry entry : snapshot.applications()) {
            if (entry.state() != ApplicationState.EXPIRED) {
                handle(new Command.AdoptApplication(entry.partition(), asAdopted(entry)), entry.submitted());
            }
        }
        for (ApplicationEntry entry : snapshot.applications()) {
            if (isAccepted(entry)) {
                entry.tasks().forEach(task -> run(entry, task));
                if (allocated.containsKey(entry)) {
                    end(entry);
                }
                returnToAccepted(entry);
            }
        }
        for (AllocatedTask task : inOrderOfStart(allocated)) {
            if (isAccepted(task.application())) {
                restoreAllocation(task);
            }
        }
        releaseReserved();
        for (ApplicationEntry entry : snapshot.applications()) {
            if (isAccepted(entry)) {
                if (!allocated.containsKey(entry)) {
                    endTasks(entry);
                }
                bringToState(entry);
            }
        }
        temporaryNodes.forEach((partition, node) -> handle(new Command.RemoveNode(partition, node), snapshot.at()));
    }

    /** Restores the past usage of queues, where the configuration uses it. */
    private void restoreQueues() {
        Map<String, Map<String, Double>> usagePriorities = new HashMap<>();
        for (QueueEntry entry : snapshot.queues()) {
            Double usagePriority = entry.usagePriority();
            if (usagePriority != null) {
                usagePriorities
                        .computeIfAbsent(entry.partition(), key -> new HashMap<>())
                        .put(entry.path(), usagePriority);
            }
            Partition partition = scheduler.state().partition(entry.partition());
            Queue queue = partition == null ? null : partition.queues().find(entry.path());
            Instant since = entry.overThresholdSince();
            if (since != null && queue != null && queue.rebalances()) {
                scheduler.restore(List.of(new PartitionEvent.SpreadExceeded(entry.partition(), entry.path(), since)));
            }
        }
        for (Partition partition : List.copyOf(scheduler.state().partitions())) {
            setUsagePriorities(partition, usagePriorities.getOrDefault(partition.name(), Map.of()));
        }
    }

    /**
     * Sets usage priorities as of now, 0 where none is given: when running tasks started does not tell what was used
     * before.
     */
    private void setUsagePriorities(Partition partition, Map<String, Double> priorities) {
        for (Queue queue : partition.queues().all()) {
            if (queue.usage() != null) {
                double priority = priorities.getOrDefault(queue.path(), 0.0);
                handle(new Command.SetUsagePriority(partition.name(), queue.path(), priority), snapshot.at());
            }
        }
    }

    /**
     * Returns the specification to submit. One without tasks is sealed afterwards, since submissions that are sealed
     * and empty are rejected.
     */
    private static ApplicationSpec asAdopted(ApplicationEntry entry) {
        ApplicationSpec spec = entry.spec();
        return isEmptyAndSealed(entry) ? spec.withSealed(false) : spec;
    }

    private static boolean isEmptyAndSealed(ApplicationEntry entry) {
        return entry.sealed() && entry.tasks().isEmpty() && entry.state() != null;
    }

    /** Creates the queues with applications that placement rules may have created, in the order of the list. */
    private void createQueues() {
        Map<String, Set<String>> wanted = new HashMap<>();
        for (ApplicationEntry entry : snapshot.applications()) {
            if (entry.queue() != null && entry.state() != null) {
                wanted.computeIfAbsent(entry.partition(), key -> new LinkedHashSet<>())
                        .add(entry.queue());
            }
        }
        for (QueueEntry entry : snapshot.queues()) {
            if (wanted.getOrDefault(entry.partition(), Set.of()).contains(entry.path())) {
                createQueue(entry.partition(), entry.path());
            }
        }
        for (Partition partition : List.copyOf(scheduler.state().partitions())) {
            wanted.getOrDefault(partition.name(), Set.of()).forEach(path -> createQueue(partition.name(), path));
        }
    }

    private void createQueue(String partitionName, String path) {
        Partition partition = scheduler.state().partition(partitionName);
        if (partition != null
                && partition.queues().find(path) == null
                && new KnownPartition(partition.configuration()).createsQueues()
                && canCreate(path, partition)) {
            scheduler.restore(List.of(new PartitionEvent.QueueCreated(partitionName, path, snapshot.at())));
        }
    }

    private static boolean canCreate(String path, Partition partition) {
        for (int end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
            Queue above = partition.queues().find(path.substring(0, end));
            if (above != null) {
                return !above.isLeaf() && QueuePlacement.isPath(path);
            }
        }
        return false;
    }

    /**
     * Returns the allocated tasks in the order of their allocation: by placement number; before those, tasks without
     * one, first those being preempted, for which others may be reserved, then by start.
     */
    private List<AllocatedTask> inOrderOfStart(IdentityHashMap<ApplicationEntry, List<AllocatedTask>> allocated) {
        List<AllocatedTask> tasks = new ArrayList<>();
        for (ApplicationEntry entry : snapshot.applications()) {
            tasks.addAll(allocated.getOrDefault(entry, List.of()));
        }
        Comparator<AllocatedTask> byStart = Comparator.comparing(
                        (AllocatedTask task) -> task.part().state() != TaskState.PREEMPTING)
                .thenComparing(task -> startOf(task.part()));
        tasks.sort(Comparator.comparing(
                        (AllocatedTask task) -> task.part().placement(),
                        Comparator.nullsFirst(Comparator.<Long>naturalOrder()))
                .thenComparing(byStart));
        return tasks;
    }

    private Instant startOf(TaskPart task) {
        Instant started = task.started();
        return started == null ? snapshot.at() : started;
    }

    private void restoreAllocation(AllocatedTask task) {
        String partition = task.application().partition();
        String application = task.application().id();
        String name = task.entry().spec().name();
        Instant start = startOf(task.part());
        TaskState state = task.part().state();
        List<Event> events = new ArrayList<>();
        boolean reserved = state == TaskState.RESERVED;
        events.add(new TaskEvent.Placed(run(partition, application, name, task.index(), task.node(), start), reserved));
        switch (state) {
            case RUNNING ->
                events.add(new TaskEvent.Started(
                        run(partition, application, name, task.index(), task.node(), start), start));
            case STOPPING, PREEMPTING -> {
                StopReason reason = state == TaskState.STOPPING ? StopReason.STOPPED : StopReason.REBALANCE;
                if (task.part().started() != null || task.part().placement() == null) {
                    events.add(new TaskEvent.Started(
                            run(partition, application, name, task.index(), task.node(), start), start));
                }
                events.add(new TaskEvent.Stopping(
                        run(partition, application, name, task.index(), task.node(), start), reason, start));
            }
            default -> {}
        }
        scheduler.restore(events);
    }

    /**
     * Releases reserved tasks on nodes where nothing is being preempted, since nothing else would ever release them.
     */
    private void releaseReserved() {
        for (Partition partition : scheduler.state().partitions()) {
            for (Node node : partition.nodes()) {
                for (Task task : node.reserved()) {
                    if (!node.mustReserve(task.demand())) {
                        scheduler.restore(List.of(new TaskEvent.Released(task.allocation(), snapshot.at())));
                    }
                }
            }
        }
    }

    /** Restores ended tasks: they are placed on a temporary node and end there. */
    private void endTasks(ApplicationEntry entry) {
        if (hasOnlyRequeued(entry)) {
            requeueFirstTask(entry);
        }
        end(entry);
    }

    private void end(ApplicationEntry entry) {
        for (TaskEntry task : entry.tasks()) {
            for (TaskPart part : task.allParts()) {
                for (int i = part.first(); part.state().isEnded() && i < part.end(); i++) {
                    scheduler.restore(end(entry, task, part.state(), i));
                }
            }
        }
    }

    /**
     * Makes tasks placeable in any order. Tasks are placed by index unless they have run before, so if a part is not
     * the first one, all tasks up to the last one that has started run once and become pending again.
     */
    private void run(ApplicationEntry entry, TaskEntry task) {
        int end = 0;
        for (TaskPart part : task.parts()) {
            boolean begun =
                    part.state().isBound() || part.state() == TaskState.SUCCEEDED || part.state() == TaskState.FAILED;
            end = begun ? part.end() : end;
        }
        for (int i = 0; i < end; i++) {
            scheduler.restore(runAndRequeue(entry, task, i));
        }
    }

    private static Allocation run(
            String partition, String application, String task, int index, String node, Instant at) {
        RunRef run = RunRef.current(new TaskRef(partition, application, task, index));
        return new Allocation(run, node, ApplicationOrigin.UNKNOWN, at, null);
    }

    private List<TaskEvent> runAndRequeue(ApplicationEntry entry, TaskEntry task, int index) {
        String partition = entry.partition();
        String name = task.spec().name();
        Instant at = entry.submitted();
        return List.of(
                new TaskEvent.Placed(run(partition, entry.id(), name, index, temporaryNode(entry), at), false),
                new TaskEvent.Ended(
                        run(partition, entry.id(), name, index, temporaryNode(entry), at),
                        TaskOutcome.STOPPED,
                        null,
                        "",
                        true,
                        at));
    }

    /**
     * Returns the application to Accepted if its only allocations were those of ended or requeued tasks on the
     * temporary node.
     */
    private void returnToAccepted(ApplicationEntry entry) {
        Application application = partition(entry).existing(entry.id());
        if (application.allocations() > 0) {
            for (ApplicationState next : RESTART_PATH) {
                scheduler.restore(List.of(new ApplicationEvent.StateChanged(
                        entry.partition(),
                        entry.id(),
                        application.origin(),
                        application.state(),
                        next,
                        "",
                        entry.submitted())));
            }
        }
    }

    /** Returns the temporary node for ended tasks, which is removed when the snapshot is loaded. */
    private String temporaryNode(ApplicationEntry entry) {
        String known = temporaryNodes.get(entry.partition());
        if (known != null) {
            return known;
        }
        String node = unusedNodeName(entry);
        temporaryNodes.put(entry.partition(), node);
        handle(
                new Command.RegisterNode(entry.partition(), node, Resources.NONE, Collections.emptySortedMap()),
                snapshot.at());
        return node;
    }

    /** Returns whether an application has started, but all of its tasks that ran are pending again or were stopped. */
    private boolean hasOnlyRequeued(ApplicationEntry entry) {
        boolean begun = entry.state() == ApplicationState.STARTING || entry.state() == ApplicationState.RUNNING;
        return begun
                && !partition(entry).existing(entry.id()).isActive()
                && entry.tasks().stream()
                        .flatMap(task -> task.allParts().stream())
                        .noneMatch(part -> part.state() == TaskState.SUCCEEDED || part.state() == TaskState.FAILED);
    }

    /**
     * Runs a task that then becomes pending again, so that the application counts as started. The file does not say
     * which task it was; the first one in the order of tasks is the most likely.
     */
    private void requeueFirstTask(ApplicationEntry entry) {
        entry.tasks().stream()
                .filter(task -> task.spec().after().isEmpty())
                .min(Comparator.comparing(
                                (TaskEntry task) -> -(long) task.spec().priority())
                        .thenComparing(task -> task.spec().expectedDuration(), Comparator.reverseOrder()))
                .ifPresent(task -> scheduler.restore(runAndRequeue(entry, task, 0)));
    }

    private String unusedNodeName(ApplicationEntry entry) {
        StringBuilder name = new StringBuilder("ended");
        while (partition(entry).node(name.toString()) != null) {
            name.append('-');
        }
        return name.toString();
    }

    private List<TaskEvent> end(ApplicationEntry entry, TaskEntry task, TaskState state, int index) {
        String partition = entry.partition();
        String name = task.spec().name();
        Instant at = entry.submitted();
        if (state == TaskState.STOPPED) {
            return List.of(new TaskEvent.Dropped(
                    new TaskRef(partition, entry.id(), name, index), ApplicationOrigin.UNKNOWN, "stopped", at));
        }
        TaskOutcome outcome = state == TaskState.SUCCEEDED ? TaskOutcome.SUCCEEDED : TaskOutcome.FAILED;
        return List.of(
                new TaskEvent.Placed(run(partition, entry.id(), name, index, temporaryNode(entry), at), false),
                new TaskEvent.Started(run(partition, entry.id(), name, index, temporaryNode(entry), at), at),
                new TaskEvent.Ended(
                        run(partition, entry.id(), name, index, temporaryNode(entry), at),
                        outcome,
                        null,
                        "",
                        false,
                        at));
    }

    private void bringToState(ApplicationEntry entry) {
        Application application = partition(entry).existing(entry.id());
        ApplicationState target = target(entry, application);
        Instant since = entry.stateSince() == null ? firstStart(entry) : entry.stateSince();
        for (ApplicationState next : transitionsTo(application, target)) {
            scheduler.restore(List.of(new ApplicationEvent.StateChanged(
                    entry.partition(), entry.id(), application.origin(), application.state(), next, "", since)));
        }
        if (isEmptyAndSealed(entry)) {
            scheduler.restore(List.of(new ApplicationEvent.Sealed(
                    entry.partition(), entry.id(), application.origin(), entry.submitted())));
        }
    }

    /** Returns the given state, or the derived one; transient states are replaced by those that follow them. */
    private static ApplicationState target(ApplicationEntry entry, Application application) {
        ApplicationState given = entry.state();
        if (given == null) {
            return derived(entry, application);
        }
        if (given == ApplicationState.FAILING && application.boundTasks() == 0) {
            return ApplicationState.FAILED;
        }
        return given == ApplicationState.RESUMING ? ApplicationState.ACCEPTED : given;
    }

    /** Returns the state that the tasks of an application imply. */
    private static ApplicationState derived(ApplicationEntry entry, Application application) {
        long begun = 0;
        for (TaskEntry task : entry.tasks()) {
            for (TaskPart part : task.allParts()) {
                boolean waits = part.state() == TaskState.PENDING || part.state() == TaskState.STOPPED;
                begun += waits ? 0 : part.count();
            }
        }
        if (begun == 0) {
            return application.state();
        }
        boolean alone = application.isSealed() && application.tasks() == 1;
        return begun > 1 || alone ? ApplicationState.RUNNING : ApplicationState.STARTING;
    }

    /**
     * Returns the transitions to the target state. An application that is Accepted again has ended tasks and has
     * started: it goes through all states, so that it counts as not started.
     */
    private static List<ApplicationState> transitionsTo(Application application, ApplicationState target) {
        boolean again = target == ApplicationState.ACCEPTED
                && application.state() == ApplicationState.ACCEPTED
                && application.allocations() > 0;
        return again ? RESTART_PATH : shortestPath(application.state(), target);
    }

    private Instant firstStart(ApplicationEntry entry) {
        return entry.tasks().stream()
                .flatMap(task -> task.allParts().stream())
                .filter(part -> part.state().isBound())
                .map(this::startOf)
                .min(Comparator.naturalOrder())
                .orElse(entry.state() == ApplicationState.STARTING ? snapshot.at() : entry.submitted());
    }

    /** Returns the shortest path from one state to another, without the first state; empty if there is none. */
    private static List<ApplicationState> shortestPath(ApplicationState from, ApplicationState to) {
        Map<ApplicationState, ApplicationState> cameFrom = new EnumMap<>(ApplicationState.class);
        Deque<ApplicationState> reached = new ArrayDeque<>(List.of(from));
        while (!reached.isEmpty() && !cameFrom.containsKey(to)) {
            ApplicationState state = reached.remove();
            for (ApplicationState next : state.mayBecome()) {
                if (next != from && cameFrom.putIfAbsent(next, state) == null) {
                    reached.add(next);
                }
            }
        }
        Deque<ApplicationState> shortestPath = new ArrayDeque<>();
        for (ApplicationState state = to; state != null && state != from; state = cameFrom.get(state)) {
            shortestPath.push(state);
        }
        return cameFrom.containsKey(to) ? List.copyOf(shortestPath) : List.of();
    }

    private boolean isAccepted(ApplicationEntry entry) {
        Application application = partition(entry).application(entry.id());
        return application != null && application.state() != ApplicationState.REJECTED;
    }

    private Partition partition(ApplicationEntry entry) {
        Partition partition = scheduler.state().partition(entry.partition());
        if (partition == null) {
            throw new SnapshotException("partition not found: " + entry.partition());
        }
        return partition;
    }

    private void handle(Command command, Instant now) {
        CommandResult reply = scheduler.handle(command, now);
        if (reply.refusal() != null) {
            throw new SnapshotException(reply.refusal().message());
        }
    }
}
