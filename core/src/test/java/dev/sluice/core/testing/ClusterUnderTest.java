package dev.sluice.core.testing;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One partition and its scheduler in virtual time, with few words to drive it.
 *
 * <p>Every verb demands that its command is accepted; {@link #refusal} is for those that should not be. Tasks are named
 * {@code application/task}, placements read {@code application/task -> node}. Time stands still until {@link #advance}.
 */
public final class ClusterUnderTest {

    /** When every cluster begins. */
    public static final Instant BEGIN = Instant.parse("2026-01-01T12:00:00Z");

    private final CheckedScheduler scheduler;
    private String partition = PartitionConfiguration.DEFAULT_NAME;
    private Instant now = BEGIN;
    private List<Event> events = List.of();

    /** A cluster without queues so far; it needs {@link #queues} or {@link #configure}. */
    public ClusterUnderTest(CheckedScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Gives the default partition these queues. */
    public ClusterUnderTest queues(QueueConfiguration root) {
        return configure(PartitionConfiguration.of(PartitionConfiguration.DEFAULT_NAME, root));
    }

    /** Gives the cluster this configuration; the words are about this partition from now on. */
    public ClusterUnderTest configure(PartitionConfiguration configuration) {
        partition = configuration.name();
        return handle(new Command.ApplyConfiguration(List.of(configuration)));
    }

    /** Registers a node: {@code node("node-1", "vcore", "4", "memory", "8Gi")}. */
    public ClusterUnderTest node(String name, String... typesAndQuantities) {
        return node(name, Map.of(), typesAndQuantities);
    }

    /** Registers a node with labels. */
    public ClusterUnderTest node(String name, Map<String, String> labels, String... typesAndQuantities) {
        return handle(
                new Command.RegisterNode(partition, name, Resources.parse(typesAndQuantities), new TreeMap<>(labels)));
    }

    /** Registers so many nodes that are alike: {@code nodes("n", 3, …)} is n-0 to n-2. */
    public ClusterUnderTest nodes(String name, int count, String... typesAndQuantities) {
        for (int i = 0; i < count; i++) {
            node(name + "-" + i, typesAndQuantities);
        }
        return this;
    }

    /** Gives a node another capacity; its labels stay. */
    public ClusterUnderTest updateNode(String name, String... typesAndQuantities) {
        return handle(new Command.UpdateNode(
                partition,
                name,
                Resources.parse(typesAndQuantities),
                new TreeMap<>(node(name).labels())));
    }

    /** Takes a node offline. */
    public ClusterUnderTest offline(String node) {
        return handle(new Command.TakeNodeOffline(partition, node));
    }

    /** Brings an offline node back. */
    public ClusterUnderTest reinstate(String node) {
        return handle(new Command.ReinstateNode(partition, node));
    }

    /** Suspends a node until it is reported as ready. */
    public ClusterUnderTest suspend(String node) {
        return handle(new Command.SuspendNode(partition, node));
    }

    /** Reports a node as ready. */
    public ClusterUnderTest nodeReady(String node) {
        return handle(new Command.ReportNodeReady(partition, node));
    }

    /** Reports a node as lost. */
    public ClusterUnderTest lost(String node) {
        return handle(new Command.ReportNodeLost(partition, node));
    }

    /** Reports a node as flaky. */
    public ClusterUnderTest flaky(String node) {
        return handle(new Command.ReportNodeFlaky(partition, node));
    }

    /** Takes a node out. */
    public ClusterUnderTest removeNode(String node) {
        return handle(new Command.RemoveNode(partition, node));
    }

    /** Submits an application that is open for more tasks. */
    public ClusterUnderTest submit(String id, @Nullable String queue, TaskSpec... tasks) {
        return submit(ApplicationSpec.open(id, queue, tasks));
    }

    /** Submits an application to which nothing will be added. */
    public ClusterUnderTest submitSealed(String id, @Nullable String queue, TaskSpec... tasks) {
        return submit(ApplicationSpec.sealed(id, queue, tasks));
    }

    /** Submits an application. */
    public ClusterUnderTest submit(ApplicationSpec application) {
        return handle(new Command.SubmitApplication(partition, application));
    }

    /** Adds tasks to an application. */
    public ClusterUnderTest add(String application, TaskSpec... tasks) {
        return handle(new Command.AddTasks(partition, application, List.of(tasks)));
    }

    /** Seals an application. */
    public ClusterUnderTest seal(String application) {
        return handle(new Command.SealApplication(partition, application));
    }

    /** Cancels an application. */
    public ClusterUnderTest cancel(String application) {
        return handle(new Command.CancelApplication(partition, application, "cancelled by the test"));
    }

    /** Stops or drops one task. */
    public ClusterUnderTest stop(String task) {
        return handle(new Command.StopTask(partition, applicationOf(task), idOf(task)));
    }

    /** Reports one task as started. */
    public ClusterUnderTest start(String task) {
        return handle(new Command.ReportTaskStarted(partition, applicationOf(task), idOf(task), 0));
    }

    /** Reports every task as started that was placed, is not reserved and was not reported so far, in the order of placement. */
    public ClusterUnderTest startAll() {
        for (Task task : placed()) {
            if (task.startedAt() == null && !task.isReserved()) {
                start(task.toString());
            }
        }
        return this;
    }

    /** Reports one task as succeeded. */
    public ClusterUnderTest succeed(String task) {
        return handle(new Command.ReportTaskSucceeded(partition, applicationOf(task), idOf(task), 0));
    }

    /** Reports every task of an application that holds a place as succeeded, in the order of placement. */
    public ClusterUnderTest succeedAll(String application) {
        for (Task task : placed()) {
            if (task.application().id().equals(application)) {
                succeed(task.toString());
            }
        }
        return this;
    }

    /** Reports one task as failed, or as ended after it was told to stop. */
    public ClusterUnderTest fail(String task) {
        return handle(new Command.ReportTaskFailed(partition, applicationOf(task), idOf(task), 0, 1, ""));
    }

    /** Reports one task as lost. */
    public ClusterUnderTest lose(String task) {
        return handle(new Command.ReportTaskLost(partition, applicationOf(task), idOf(task), 0));
    }

    /** Carries out any command and demands that it is accepted. */
    public ClusterUnderTest handle(Command command) {
        CommandResult reply = scheduler.handle(command, now);
        Refusal refusal = reply.refusal();
        if (refusal != null) {
            throw new AssertionError(command + " was refused: " + refusal.code() + ", " + refusal.message());
        }
        events = reply.events();
        return this;
    }

    /** Why a command is refused; demands that it is. */
    public Refusal refusal(Command command) {
        CommandResult reply = scheduler.handle(command, now);
        Refusal refusal = reply.refusal();
        if (refusal == null) {
            throw new AssertionError(command + " was accepted: " + reply.events());
        }
        return refusal;
    }

    /** Makes one cycle now; returns what it placed, in order, such as {@code app1/d -> node-1}. */
    public List<String> cycle() {
        events = scheduler.cycle(partition, now);
        List<String> placements = new ArrayList<>();
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                placements.add(text(placed));
            }
        }
        return placements;
    }

    /** A placement as text. */
    public String text(TaskEvent.Placed placed) {
        Application application = application(placed.application());
        String task = application.groups().stream()
                .filter(group -> group.spec().name().equals(placed.task()))
                .map(group -> group.spec().taskId(placed.index()))
                .findFirst()
                .orElseThrow();
        return placed.application() + "/" + task + " -> " + placed.node();
    }

    /** Lets time pass; nothing happens by itself. */
    public ClusterUnderTest advance(Duration duration) {
        now = now.plus(duration);
        return this;
    }

    /** The present instant. */
    public Instant now() {
        return now;
    }

    /** The events of the last command that was accepted or of the last cycle. */
    public List<Event> events() {
        return Collections.unmodifiableList(events);
    }

    /** The scheduler inside. */
    public CheckedScheduler scheduler() {
        return scheduler;
    }

    /** The partition that the words are about. */
    public Partition partition() {
        Partition found = scheduler.state().partition(partition);
        if (found == null) {
            throw new AssertionError("there is no partition " + partition);
        }
        return found;
    }

    /** A node that is there. */
    public Node node(String name) {
        Node node = partition().node(name);
        if (node == null) {
            throw new AssertionError("there is no node " + name);
        }
        return node;
    }

    /** A queue that is there. */
    public Queue queue(String path) {
        Queue queue = partition().queues().find(path);
        if (queue == null) {
            throw new AssertionError("there is no queue " + path);
        }
        return queue;
    }

    /** An application that is remembered. */
    public Application application(String id) {
        return partition().existing(id);
    }

    /** Where an application is in its life. */
    public ApplicationState state(String application) {
        return application(application).state();
    }

    /** What a queue holds. */
    public Resources allocated(String queue) {
        return partition().types().resources(queue(queue).allocated());
    }

    /** What a queue asks for. */
    public Resources pending(String queue) {
        return partition().types().resources(queue(queue).pending());
    }

    /** The tasks that stand on nodes, in the order of placement. */
    public List<Task> placed() {
        List<Task> tasks = new ArrayList<>();
        for (Node node : partition().nodes()) {
            tasks.addAll(node.tasks());
        }
        tasks.sort(Comparator.comparingLong(Task::sequence));
        return tasks;
    }

    private static String applicationOf(String task) {
        return task.substring(0, task.indexOf('/'));
    }

    private static String idOf(String task) {
        return task.substring(task.indexOf('/') + 1);
    }
}
