package dev.sluice.config.situation;

import dev.sluice.config.situation.StandingTasks.StandingTask;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Reply;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a scheduler whose state is a situation.
 *
 * <p>Partitions, nodes and applications enter by commands, so they are checked as always; what no command can say (tasks that
 * run already, the state of an application) enters by events, as from a journal.
 */
public final class SituationLoader {

    private final Situation situation;
    private final Scheduler scheduler = new Scheduler();

    private SituationLoader(Situation situation) {
        this.situation = situation;
    }

    /**
     * The scheduler of this situation. Applications that no queue takes are there, as Rejected.
     *
     * @throws SituationException if the scheduler refuses a part of it
     */
    public static Scheduler load(Situation situation) {
        SituationLoader loader = new SituationLoader(situation);
        loader.configure();
        loader.registerNodes();
        loader.submit();
        loader.tellQueues();
        return loader.scheduler;
    }

    private void configure() {
        List<PartitionConfiguration> partitions =
                situation.partitions().isEmpty() ? List.of(PartitionConfiguration.simplest()) : situation.partitions();
        handle(new Command.ApplyConfiguration(partitions), situation.at());
        partitions.forEach(each -> handle(new Command.SetSeed(each.name(), situation.seed()), situation.at()));
    }

    private void registerNodes() {
        for (NodeEntry node : situation.nodes()) {
            Instant since = node.since() == null ? situation.at() : node.since();
            for (int i = 0; i < node.size(); i++) {
                for (Command command : node.commands(i)) {
                    handle(command, since);
                }
            }
        }
    }

    private void submit() {
        IdentityHashMap<ApplicationEntry, List<StandingTask>> standing = new IdentityHashMap<>();
        for (StandingTask task : StandingTasks.of(situation)) {
            standing.computeIfAbsent(task.application(), key -> new ArrayList<>())
                    .add(task);
        }
        for (ApplicationEntry entry : situation.applications()) {
            if (entry.state() != ApplicationState.EXPIRED) {
                handle(new Command.AdoptApplication(entry.partition(), asAdopted(entry)), entry.submitted());
            }
        }
        for (StandingTask task : inOrderOfStart(standing)) {
            if (isTaken(task.application())) {
                place(task);
            }
        }
        for (ApplicationEntry entry : situation.applications()) {
            if (isTaken(entry)) {
                endTasks(entry);
                bringToState(entry);
            }
        }
    }

    /** What is said of queues, as far as the configuration has a use for it. */
    private void tellQueues() {
        Map<String, Map<String, Double>> usagePriorities = new HashMap<>();
        for (QueueEntry entry : situation.queues()) {
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
            tellUsage(partition, usagePriorities.getOrDefault(partition.name(), Map.of()));
        }
    }

    /** Usage priorities as of now, 0 where none is given: when tasks started tells nothing of what else there was before. */
    private void tellUsage(Partition partition, Map<String, Double> priorities) {
        for (Queue queue : partition.queues().all()) {
            if (queue.usage() != null) {
                double priority = priorities.getOrDefault(queue.path(), 0.0);
                handle(new Command.SetUsagePriority(partition.name(), queue.path(), priority), situation.at());
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

    /** The tasks that stand on a node: what is leaving, for which others may be held, then those first that were started first. */
    private List<StandingTask> inOrderOfStart(IdentityHashMap<ApplicationEntry, List<StandingTask>> standing) {
        List<StandingTask> tasks = new ArrayList<>();
        for (ApplicationEntry entry : situation.applications()) {
            tasks.addAll(standing.getOrDefault(entry, List.of()));
        }
        tasks.sort(Comparator.comparing((StandingTask task) -> task.entry().state() != TaskState.LEAVING)
                .thenComparing(this::startOf));
        return tasks;
    }

    private Instant startOf(StandingTask task) {
        return startOf(task.entry());
    }

    private Instant startOf(TaskEntry task) {
        Instant started = task.started();
        return started == null ? situation.at() : started;
    }

    private void place(StandingTask task) {
        String partition = task.application().partition();
        String application = task.application().id();
        String name = task.entry().spec().name();
        Instant start = startOf(task);
        List<Event> events = new ArrayList<>();
        boolean held = task.entry().state() == TaskState.HELD && mustHold(task);
        events.add(new TaskEvent.Placed(partition, application, name, task.index(), task.node(), held, start));
        switch (task.entry().state()) {
            case RUNNING -> events.add(new TaskEvent.Started(partition, application, name, task.index(), start));
            case STOPPING, LEAVING -> {
                StopReason reason =
                        task.entry().state() == TaskState.STOPPING ? StopReason.STOPPED : StopReason.REBALANCE;
                events.add(new TaskEvent.Started(partition, application, name, task.index(), start));
                events.add(new TaskEvent.Stopping(partition, application, name, task.index(), reason, start));
            }
            default -> {}
        }
        scheduler.restore(events);
    }

    /** Whether what is leaving takes the room of a task that is said to be held; otherwise nothing would ever release it. */
    private boolean mustHold(StandingTask task) {
        Partition partition = partition(task.application());
        Node node = partition.node(task.node());
        return node != null && node.mustHold(partition.demand(task.entry().spec()));
    }

    /** Brings tasks that are over to their end: through a place on a node that is there just for that. */
    private void endTasks(ApplicationEntry entry) {
        String node = "";
        for (TaskEntry task : entry.tasks()) {
            if (!task.state().isEnded()) {
                continue;
            }
            if (node.isEmpty()) {
                node = unusedNodeName(entry);
                handle(
                        new Command.RegisterNode(entry.partition(), node, Resources.NONE, Collections.emptySortedMap()),
                        situation.at());
            }
            for (int i = 0; i < task.spec().size(); i++) {
                scheduler.restore(end(entry, task, i, node));
            }
        }
        if (!node.isEmpty()) {
            handle(new Command.RemoveNode(entry.partition(), node), situation.at());
        }
    }

    private String unusedNodeName(ApplicationEntry entry) {
        StringBuilder name = new StringBuilder("ended");
        while (partition(entry).node(name.toString()) != null) {
            name.append('-');
        }
        return name.toString();
    }

    private List<Event> end(ApplicationEntry entry, TaskEntry task, int index, String node) {
        String partition = entry.partition();
        String name = task.spec().name();
        Instant at = entry.submitted();
        if (task.state() == TaskState.STOPPED) {
            return List.of(new TaskEvent.Dropped(partition, entry.id(), name, index, "stopped", at));
        }
        TaskOutcome outcome = task.state() == TaskState.SUCCEEDED ? TaskOutcome.SUCCEEDED : TaskOutcome.FAILED;
        return List.of(
                new TaskEvent.Placed(partition, entry.id(), name, index, node, false, at),
                new TaskEvent.Started(partition, entry.id(), name, index, at),
                new TaskEvent.Ended(partition, entry.id(), name, index, outcome, null, "", false, at));
    }

    private void bringToState(ApplicationEntry entry) {
        Application application = partition(entry).existing(entry.id());
        ApplicationState target = target(entry.state(), application);
        Instant since = entry.stateSince() == null ? firstStart(entry) : entry.stateSince();
        for (ApplicationState next : way(application.state(), target)) {
            scheduler.restore(List.of(new ApplicationEvent.StateChanged(
                    entry.partition(), entry.id(), application.state(), next, "", since)));
        }
        if (isEmptyAndSealed(entry)) {
            scheduler.restore(List.of(new ApplicationEvent.Sealed(entry.partition(), entry.id(), entry.submitted())));
        }
    }

    /** The state that is given or, without one, called for; what passes by itself has passed. */
    private static ApplicationState target(@Nullable ApplicationState given, Application application) {
        if (given == null) {
            return derived(application);
        }
        if (given == ApplicationState.FAILING && application.standing() == 0) {
            return ApplicationState.FAILED;
        }
        return given == ApplicationState.RESUMING ? ApplicationState.ACCEPTED : given;
    }

    /** The state that an application's tasks call for. */
    private static ApplicationState derived(Application application) {
        if (application.allocations() == 0) {
            return application.state();
        }
        boolean alone = application.isSealed() && application.tasks() == 1;
        return application.allocations() > 1 || alone ? ApplicationState.RUNNING : ApplicationState.STARTING;
    }

    private Instant firstStart(ApplicationEntry entry) {
        return entry.tasks().stream()
                .filter(TaskEntry::stands)
                .map(this::startOf)
                .min(Comparator.naturalOrder())
                .orElse(entry.state() == ApplicationState.STARTING ? situation.at() : entry.submitted());
    }

    /** The shortest way from one state to another, without the first; empty if there is none. */
    private static List<ApplicationState> way(ApplicationState from, ApplicationState to) {
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
        Deque<ApplicationState> way = new ArrayDeque<>();
        for (ApplicationState state = to; state != null && state != from; state = cameFrom.get(state)) {
            way.push(state);
        }
        return cameFrom.containsKey(to) ? List.copyOf(way) : List.of();
    }

    private boolean isTaken(ApplicationEntry entry) {
        Application application = partition(entry).application(entry.id());
        return application != null && application.state() != ApplicationState.REJECTED;
    }

    private Partition partition(ApplicationEntry entry) {
        Partition partition = scheduler.state().partition(entry.partition());
        if (partition == null) {
            throw new SituationException("there is no partition " + entry.partition());
        }
        return partition;
    }

    private void handle(Command command, Instant now) {
        Reply reply = scheduler.handle(command, now);
        if (reply.refusal() != null) {
            throw new SituationException(reply.refusal().message());
        }
    }
}
