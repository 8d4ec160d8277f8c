package dev.sluice.config.snapshot;

import dev.sluice.config.snapshot.RunningTaskPlacement.AllocatedTask;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
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
 * Makes a scheduler whose state is a snapshot.
 *
 * <p>Partitions, nodes and applications enter by commands, so they are checked as always; what no command can say (tasks that
 * run already, the state of an application) enters by events, as from a journal.
 */
public final class SnapshotLoader {

    /** The way of an application that has begun back to one that has not. */
    private static final List<ApplicationState> RESTART_PATH =
            List.of(ApplicationState.STARTING, ApplicationState.RESUMING, ApplicationState.ACCEPTED);

    private final Snapshot snapshot;
    private final Scheduler scheduler = new Scheduler();

    /** By partition, a node that is there only while this is loaded, for what is over. */
    private final Map<String, String> temporaryNodes = new LinkedHashMap<>();

    private SnapshotLoader(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /**
     * The scheduler of this snapshot. Applications that no queue takes are there, as Rejected.
     *
     * @throws SnapshotException if the scheduler refuses a part of it
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
                place(task);
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

    /** What is said of queues, as far as the configuration has a use for it. */
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

    /** Usage priorities as of now, 0 where none is given: when tasks started tells nothing of what else there was before. */
    private void setUsagePriorities(Partition partition, Map<String, Double> priorities) {
        for (Queue queue : partition.queues().all()) {
            if (queue.usage() != null) {
                double priority = priorities.getOrDefault(queue.path(), 0.0);
                handle(new Command.SetUsagePriority(partition.name(), queue.path(), priority), snapshot.at());
            }
        }
    }

    /** What is adopted: without tasks it is sealed afterwards, since nobody submits what is sealed and empty. */
    private static ApplicationSpec asAdopted(ApplicationEntry entry) {
        ApplicationSpec spec = entry.spec();
        return isEmptyAndSealed(entry) ? spec.withSealed(false) : spec;
    }

    private static boolean isEmptyAndSealed(ApplicationEntry entry) {
        return entry.sealed() && entry.tasks().isEmpty() && entry.state() != null;
    }

    /** Makes queues that placement rules may have made and that have applications, in the order in which queues are listed. */
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
     * The tasks that stand on a node: by the number of their placement; before those of which it is not known, what is leaving, for which
     * others may be reserved, then those first that were started first.
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

    private void place(AllocatedTask task) {
        String partition = task.application().partition();
        String application = task.application().id();
        String name = task.entry().spec().name();
        Instant start = startOf(task.part());
        TaskState state = task.part().state();
        List<Event> events = new ArrayList<>();
        boolean reserved = state == TaskState.RESERVED;
        events.add(new TaskEvent.Placed(partition, application, name, task.index(), task.node(), reserved, start));
        switch (state) {
            case RUNNING -> events.add(new TaskEvent.Started(partition, application, name, task.index(), start));
            case STOPPING, PREEMPTING -> {
                StopReason reason = state == TaskState.STOPPING ? StopReason.STOPPED : StopReason.REBALANCE;
                if (task.part().started() != null || task.part().placement() == null) {
                    events.add(new TaskEvent.Started(partition, application, name, task.index(), start));
                }
                events.add(new TaskEvent.Stopping(partition, application, name, task.index(), reason, start));
            }
            default -> {}
        }
        scheduler.restore(events);
    }

    /** Releases what is said to be reserved, but by nothing that is leaving; otherwise nothing would ever release it. */
    private void releaseReserved() {
        for (Partition partition : scheduler.state().partitions()) {
            for (Node node : partition.nodes()) {
                for (Task task : node.reserved()) {
                    if (!node.mustReserve(task.demand())) {
                        scheduler.restore(List.of(new TaskEvent.Released(
                                partition.name(),
                                task.application().id(),
                                task.group().name(),
                                task.index(),
                                snapshot.at())));
                    }
                }
            }
        }
    }

    /** Brings tasks that are over to their end: through a place on a node that is there just for that. */
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
     * Tasks take their places by index, unless they have run before. So where a part is not the first one, all up to the last that has
     * begun run once and are pending again; then any of them can take its place.
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

    private List<TaskEvent> runAndRequeue(ApplicationEntry entry, TaskEntry task, int index) {
        String partition = entry.partition();
        String name = task.spec().name();
        Instant at = entry.submitted();
        return List.of(
                new TaskEvent.Placed(partition, entry.id(), name, index, temporaryNode(entry), false, at),
                new TaskEvent.Ended(partition, entry.id(), name, index, TaskOutcome.STOPPED, null, "", true, at));
    }

    /** Tasks that are over, or ran only so that others can take their places, do not count as allocated where others stand on nodes. */
    private void returnToAccepted(ApplicationEntry entry) {
        Application application = partition(entry).existing(entry.id());
        if (application.allocations() > 0) {
            for (ApplicationState next : RESTART_PATH) {
                scheduler.restore(List.of(new ApplicationEvent.StateChanged(
                        entry.partition(), entry.id(), application.state(), next, "", entry.submitted())));
            }
        }
    }

    /** A node for what is over, which goes when all is loaded. */
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

    /** Whether an application has begun, but all that ever ran of it is pending again or was stopped. */
    private boolean hasOnlyRequeued(ApplicationEntry entry) {
        boolean begun = entry.state() == ApplicationState.STARTING || entry.state() == ApplicationState.RUNNING;
        return begun
                && !partition(entry).existing(entry.id()).isActive()
                && entry.tasks().stream()
                        .flatMap(task -> task.allParts().stream())
                        .noneMatch(part -> part.state() == TaskState.SUCCEEDED || part.state() == TaskState.FAILED);
    }

    /**
     * Lets a task run that is pending again after that: from then on the application counts as one that has begun. Which one it was is not
     * in a file; the first in the order of tasks is the most likely.
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
            return List.of(new TaskEvent.Dropped(partition, entry.id(), name, index, "stopped", at));
        }
        TaskOutcome outcome = state == TaskState.SUCCEEDED ? TaskOutcome.SUCCEEDED : TaskOutcome.FAILED;
        return List.of(
                new TaskEvent.Placed(partition, entry.id(), name, index, temporaryNode(entry), false, at),
                new TaskEvent.Started(partition, entry.id(), name, index, at),
                new TaskEvent.Ended(partition, entry.id(), name, index, outcome, null, "", false, at));
    }

    private void bringToState(ApplicationEntry entry) {
        Application application = partition(entry).existing(entry.id());
        ApplicationState target = target(entry, application);
        Instant since = entry.stateSince() == null ? firstStart(entry) : entry.stateSince();
        for (ApplicationState next : transitionsTo(application, target)) {
            scheduler.restore(List.of(new ApplicationEvent.StateChanged(
                    entry.partition(), entry.id(), application.state(), next, "", since)));
        }
        if (isEmptyAndSealed(entry)) {
            scheduler.restore(List.of(new ApplicationEvent.Sealed(entry.partition(), entry.id(), entry.submitted())));
        }
    }

    /** The state that is given or, without one, called for; what passes by itself has passed. */
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

    /** The state that an application's tasks call for. */
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

    /** One that is Accepted again has ended tasks, and has begun: it goes through all states until then, so it counts as not begun. */
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

    /** The shortest way from one state to another, without the first; empty if there is none. */
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
            throw new SnapshotException("there is no partition " + entry.partition());
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
