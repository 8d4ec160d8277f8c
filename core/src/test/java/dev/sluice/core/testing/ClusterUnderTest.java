package dev.sluice.core.testing;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskRef;
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
 * One partition and its scheduler in virtual time, with a small language to drive it.
 *
 * <p>Every method requires that its command is accepted, except {@link #refusal}. Tasks are named
 * {@code application/task}, placements read {@code application/task -> node}. Time only passes in {@link #advance}.
 */
public final class ClusterUnderTest {

    /** The initial time of every cluster. */
    public static final Instant BEGIN = Instant.parse("2026-01-01T12:00:00Z");

    private final CheckedScheduler scheduler;
    private String partition = PartitionConfiguration.DEFAULT_NAME;
    private Instant now = BEGIN;
    private List<Event> events = List.of();

    /** Creates a cluster without queues; call {@link #queues} or {@link #configure} next. */
    public ClusterUnderTest(CheckedScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Configures the queues of the default partition. */
    public ClusterUnderTest queues(QueueConfiguration root) {
        return configure(PartitionConfiguration.of(PartitionConfiguration.DEFAULT_NAME, root));
    }

    /** Applies this configuration; later calls are about this partition. */
    public ClusterUnderTest configure(PartitionConfiguration configuration) {
        partition = configuration.name();
        return handle(new Command.ApplyConfiguration(List.of(configuration)));
    }

    /** Registers a node: {@code node("node-1", "vcore", "4", "memory", "8Gi")}. */
    public ClusterUnderTest node(String name, String... typesAndQuantities) {
        return node(name, Map.of(), typesAndQuantities);
    }

    public ClusterUnderTest node(String name, Map<String, String> labels, String... typesAndQuantities) {
        return handle(
                new Command.RegisterNode(partition, name, Resources.parse(typesAndQuantities), new TreeMap<>(labels)));
    }

    /** Registers several identical nodes: {@code nodes("n", 3, …)} is n-0 to n-2. */
    public ClusterUnderTest nodes(String name, int count, String... typesAndQuantities) {
        for (int i = 0; i < count; i++) {
            node(name + "-" + i, typesAndQuantities);
        }
        return this;
    }

    /** Replaces the taints of a node. */
    public ClusterUnderTest taint(String node, Taint... taints) {
        return handle(new Command.TaintNode(partition, node, List.of(taints)));
    }

    /** Changes the capacity of a node; its labels are unchanged. */
    public ClusterUnderTest updateNode(String name, String... typesAndQuantities) {
        return handle(new Command.UpdateNode(
                partition,
                name,
                Resources.parse(typesAndQuantities),
                new TreeMap<>(node(name).labels())));
    }

    public ClusterUnderTest offline(String node) {
        return handle(new Command.TakeNodeOffline(partition, node));
    }

    public ClusterUnderTest reinstate(String node) {
        return handle(new Command.ReinstateNode(partition, node));
    }

    public ClusterUnderTest suspend(String node) {
        return handle(new Command.SuspendNode(partition, node));
    }

    public ClusterUnderTest nodeReady(String node) {
        return handle(new Command.ReportNodeReady(partition, node));
    }

    public ClusterUnderTest lost(String node) {
        return handle(new Command.ReportNodeLost(partition, node));
    }

    public ClusterUnderTest flaky(String node) {
        return handle(new Command.ReportNodeFlaky(partition, node));
    }

    public ClusterUnderTest removeNode(String node) {
        return handle(new Command.RemoveNode(partition, node));
    }

    /** Submits an application that accepts more tasks. */
    public ClusterUnderTest submit(String id, @Nullable String queue, TaskSpec... tasks) {
        return submit(ApplicationSpec.open(id, queue, tasks));
    }

    /** Submits a sealed application. */
    public ClusterUnderTest submitSealed(String id, @Nullable String queue, TaskSpec... tasks) {
        return submit(ApplicationSpec.sealed(id, queue, tasks));
    }

    public ClusterUnderTest submit(ApplicationSpec application) {
        return handle(new Command.SubmitApplication(partition, application));
    }

    public ClusterUnderTest add(String application, TaskSpec... tasks) {
        return handle(new Command.AddTasks(partition, application, List.of(tasks)));
    }

    public ClusterUnderTest seal(String application) {
        return handle(new Command.SealApplication(partition, application));
    }

    public ClusterUnderTest hold(String application) {
        return handle(new Command.HoldApplication(partition, application));
    }

    public ClusterUnderTest retry(String application, boolean all) {
        return handle(new Command.RetryApplication(partition, application, all));
    }

    public ClusterUnderTest release(String application) {
        return handle(new Command.ReleaseApplication(partition, application));
    }

    /** Suspends an application, {@code a}, or a task, {@code a/t}. */
    public ClusterUnderTest suspendTasks(String name) {
        return handle(new Command.SuspendTasks(partition, applicationOf(name), tasks(name)));
    }

    /** Resumes an application, {@code a}, or a task, {@code a/t}. */
    public ClusterUnderTest resumeTasks(String name) {
        return handle(new Command.ResumeTasks(partition, applicationOf(name), tasks(name)));
    }

    private List<TaskRef> tasks(String name) {
        return name.contains("/") ? List.of(ref(name)) : List.of();
    }

    public ClusterUnderTest update(String application, ApplicationUpdate update) {
        return handle(new Command.UpdateApplication(partition, application, update));
    }

    public ClusterUnderTest cancel(String application) {
        return handle(new Command.CancelApplication(partition, application, "cancelled by the test"));
    }

    public ClusterUnderTest forget(String application) {
        return handle(new Command.ForgetApplication(partition, application));
    }

    public ClusterUnderTest stop(String task) {
        return handle(new Command.StopTask(ref(task)));
    }

    public ClusterUnderTest start(String task) {
        return handle(new Command.ReportTaskStarted(RunRef.current(ref(task))));
    }

    /** Reports all allocated tasks that are not reserved and not reported yet as started, in placement order. */
    public ClusterUnderTest startAll() {
        for (Task task : placed()) {
            if (task.startedAt() == null && !task.isReserved()) {
                start(task.toString());
            }
        }
        return this;
    }

    public ClusterUnderTest succeed(String task) {
        return handle(new Command.ReportTaskSucceeded(RunRef.current(ref(task))));
    }

    /** Reports all allocated tasks of an application as succeeded, in placement order. */
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
        return fail(task, 1);
    }

    /** Reports one task as failed with this exit code. */
    public ClusterUnderTest fail(String task, int exitCode) {
        return handle(new Command.ReportTaskFailed(RunRef.current(ref(task)), exitCode, ""));
    }

    public ClusterUnderTest lose(String task) {
        return handle(new Command.ReportTaskLost(RunRef.current(ref(task))));
    }

    /** Executes a command, which must be accepted. */
    public ClusterUnderTest handle(Command command) {
        CommandResult reply = scheduler.handle(command, now);
        Refusal refusal = reply.refusal();
        if (refusal != null) {
            throw new AssertionError(command + " was refused: " + refusal.code() + ", " + refusal.message());
        }
        events = reply.events();
        return this;
    }

    /** Returns the refusal of a command, which must be refused. */
    public Refusal refusal(Command command) {
        CommandResult reply = scheduler.handle(command, now);
        Refusal refusal = reply.refusal();
        if (refusal == null) {
            throw new AssertionError(command + " was accepted: " + reply.events());
        }
        return refusal;
    }

    /** Runs one cycle; returns its placements in order, such as {@code app1/d -> node-1}. */
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

    /** Formats a placement. */
    public static String text(TaskEvent.Placed placed) {
        return placed.application() + "/" + placed.task().id() + " -> " + placed.node();
    }

    /** Advances time, without running a cycle. */
    public ClusterUnderTest advance(Duration duration) {
        now = now.plus(duration);
        return this;
    }

    public Instant now() {
        return now;
    }

    /** Returns the events of the last accepted command or cycle. */
    public List<Event> events() {
        return Collections.unmodifiableList(events);
    }

    public CheckedScheduler scheduler() {
        return scheduler;
    }

    /** Returns the current partition. */
    public Partition partition() {
        Partition found = scheduler.state().partition(partition);
        if (found == null) {
            throw new AssertionError("partition not found: " + partition);
        }
        return found;
    }

    /** Returns an existing node. */
    public Node node(String name) {
        Node node = partition().node(name);
        if (node == null) {
            throw new AssertionError("node not found: " + name);
        }
        return node;
    }

    /** Returns an existing queue. */
    public Queue queue(String path) {
        Queue queue = partition().queues().find(path);
        if (queue == null) {
            throw new AssertionError("queue not found: " + path);
        }
        return queue;
    }

    /** Returns an application that has not expired. */
    public Application application(String id) {
        return partition().existing(id);
    }

    public ApplicationState state(String application) {
        return application(application).state();
    }

    /** Returns the allocated resources of a queue. */
    public Resources allocated(String queue) {
        return partition().types().resources(queue(queue)::allocated);
    }

    /** Returns the pending resources of a queue. */
    public Resources pending(String queue) {
        return partition().types().resources(queue(queue)::pending);
    }

    /** Returns the tasks on nodes, in placement order. */
    public List<Task> placed() {
        List<Task> tasks = new ArrayList<>();
        for (Node node : partition().nodes()) {
            tasks.addAll(node.tasks());
        }
        tasks.sort(Comparator.comparingLong(Task::sequence));
        return tasks;
    }

    private TaskRef ref(String task) {
        Application application = partition().application(applicationOf(task));
        TaskRef found = application == null ? null : application.find(idOf(task));
        return found == null ? TaskRefs.task(partition, applicationOf(task), idOf(task)) : found;
    }

    private static String applicationOf(String task) {
        return task.contains("/") ? task.substring(0, task.indexOf('/')) : task;
    }

    private static String idOf(String task) {
        return task.substring(task.indexOf('/') + 1);
    }
}
