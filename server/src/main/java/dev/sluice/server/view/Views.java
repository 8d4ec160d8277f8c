package dev.sluice.server.view;

import dev.sluice.config.field.DurationText;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.explain.NodeFit;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.GangView;
import dev.sluice.server.api.NodeFitView;
import dev.sluice.server.api.NodeReservationView;
import dev.sluice.server.api.NodeTaskView;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.TaskCounts;
import dev.sluice.server.api.TaskGroupView;
import dev.sluice.server.api.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Converts the scheduler's state to views. */
public final class Views {

    /** Maximum number of task groups in a view: an application may have a million. */
    public static final int GROUPS_MAX = 1000;

    private Views() {}

    /** Returns the amounts by resource type, in base units. */
    public static Map<String, Long> amounts(Resources resources) {
        Map<String, Long> amounts = new LinkedHashMap<>();
        for (Map.Entry<String, Amount> entry : resources.amounts().entrySet()) {
            amounts.put(entry.getKey(), entry.getValue().value());
        }
        return amounts;
    }

    /** Returns the amounts by resource type, in base units; without slots where they are not counted. */
    public static Map<String, Long> amounts(Partition partition, IntToLongFunction amounts) {
        return amounts(partition.amounts(amounts));
    }

    /** Returns the maxima of the resource types that have one, by resource type, in base units. */
    public static Map<String, Long> maxima(Partition partition, IntToLongFunction max) {
        Map<String, Long> maxima = new TreeMap<>();
        for (int type = 0; type < partition.types().size(); type++) {
            if (max.applyAsLong(type) != Long.MAX_VALUE) {
                maxima.put(partition.types().name(type), max.applyAsLong(type));
            }
        }
        return maxima;
    }

    /** Returns the view of a partition. */
    public static PartitionView partition(Partition partition) {
        return new PartitionView(
                partition.name(),
                partition.nodes().size(),
                partition.readyNodes(),
                amounts(partition, partition::total),
                amounts(partition, partition.queues().root()::allocated),
                partition.users().applicationsOfAll(),
                partition.queues().root().pendingTasks(),
                partition.queues().root().allocatedTasks(),
                partition.throttle(),
                partition.seed(),
                partition.configuration().nodeSortPolicy().wireName(),
                partition.reservations().all().stream().map(Views::reservation).toList());
    }

    private static NodeReservationView reservation(Reservation reservation) {
        return new NodeReservationView(
                reservation.task().application(),
                reservation.task().id(),
                reservation.queue(),
                reservation.nodes(),
                reservation.start(),
                reservation.since(),
                reservation.delays());
    }

    /**
     * Returns the view of a node.
     *
     * @param runBy what runs the node's tasks
     */
    public static NodeView node(Partition partition, Node node, String runBy) {
        return laterNode(partition, node, runBy).get();
    }

    /** Copies what changes of a node; the view, which costs more, is built later on any thread. */
    public static Supplier<NodeView> laterNode(Partition partition, Node node, String runBy) {
        List<String> types = partition.types().names();
        long[] amounts =
                IntStream.range(0, types.size()).mapToLong(node::allocated).toArray();
        boolean slots = node.declaresSlots();
        NodeState state = node.state();
        NodeHealth health = node.health();
        boolean offline = node.isOffline();
        Instant since = node.healthSince();
        Resources capacity = node.capacity();
        Map<String, String> labels = node.labels();
        List<Taint> taints = node.taints();
        int tasks = node.tasks().size();
        return () -> new NodeView(
                node.name(),
                state.wireName(),
                health.wireName(),
                offline,
                since,
                amounts(capacity),
                allocated(types, amounts, slots),
                labels,
                ConstraintViews.taints(taints),
                tasks,
                runBy.equals(NodeView.SERVER),
                runBy);
    }

    private static Map<String, Long> allocated(List<String> types, long[] amounts, boolean slots) {
        Map<String, Long> allocated = new TreeMap<>();
        for (int type = 0; type < amounts.length; type++) {
            if (amounts[type] != 0 && (slots || !types.get(type).equals(ResourceTypes.SLOTS))) {
                allocated.put(types.get(type), amounts[type]);
            }
        }
        return allocated;
    }

    /** Returns the view of an application, with task groups if given. */
    public static ApplicationView application(
            Partition partition, Application application, @Nullable List<TaskGroupView> groups) {
        String reason = application.stateReason();
        return new ApplicationView(
                application.id(),
                partition.name(),
                application.spec().name(),
                application.hasQueue() ? application.queue().path() : null,
                application.spec().user(),
                application.spec().groups(),
                application.spec().tags(),
                application.spec().tag(),
                application.spec().basis(),
                application.state().wireName(),
                application.stateSince(),
                reason.isEmpty() ? null : reason,
                application.submitted(),
                application.pendingSince(),
                application.isSealed(),
                application.isHeld(),
                application.notBefore(),
                awaited(application),
                application.spec().onFailure().wireName(),
                gang(application.gang()),
                amounts(partition, application::allocated),
                counts(application),
                groups);
    }

    private static @Nullable Map<String, String> awaited(Application application) {
        Map<String, String> awaited = new LinkedHashMap<>();
        application.awaited().forEach((id, condition) -> awaited.put(id, condition.wireName()));
        return awaited.isEmpty() ? null : awaited;
    }

    private static @Nullable GangView gang(@Nullable GangProgress progress) {
        if (progress == null) {
            return null;
        }
        Gang gang = progress.gang();
        Gang.Topology topology = gang.topology();
        return new GangView(
                gang.tasks(),
                gang.style().wireName(),
                DurationText.format(gang.timeout()),
                gang.onLoss().wireName(),
                topology == null ? null : topology.key(),
                topology == null ? null : topology.require(),
                progress.waitingSince(),
                progress.isTimedOut());
    }

    private static TaskCounts counts(Application application) {
        return new TaskCounts(
                application.tasks(),
                application.unallocated() - application.pending(),
                application.pending(),
                application.placed(),
                application.preempting(),
                application.succeeded(),
                application.failed(),
                application.stopped(),
                application.suspended() == 0 ? null : application.suspended());
    }

    /** Returns the views of an application's task groups, at most {@link #GROUPS_MAX}. */
    public static List<TaskGroupView> groups(Application application) {
        List<TaskGroup> groups = application.groups();
        return groups.subList(0, Math.min(GROUPS_MAX, groups.size())).stream()
                .map(Views::group)
                .toList();
    }

    /** Returns the view of a task group. */
    public static TaskGroupView group(TaskGroup group) {
        return laterGroup(group).get();
    }

    /** Copies the current counts of a task group; the view, which may be large, is built later on any thread. */
    public static Supplier<TaskGroupView> laterGroup(TaskGroup group) {
        TaskSpec spec = group.spec();
        Duration expected = group.expectedDuration();
        int preempting = group.preempting();
        TaskCounts counts = new TaskCounts(
                spec.size(),
                group.unallocated() - group.pending(),
                group.pending(),
                group.allocatedCount() - preempting,
                preempting,
                group.succeeded(),
                group.failed(),
                group.stopped(),
                null);
        return () -> group(spec, expected, counts);
    }

    private static TaskGroupView group(TaskSpec spec, Duration expected, TaskCounts counts) {
        Map<String, String> after = new LinkedHashMap<>();
        spec.after().forEach((name, condition) -> after.put(name, condition.wireName()));
        return new TaskGroupView(
                spec.name(),
                spec.size(),
                amounts(spec.resources()),
                spec.priority(),
                expected.isZero() ? null : DurationText.format(expected),
                spec.constraints().nodeSelector().isEmpty()
                        ? null
                        : spec.constraints().nodeSelector(),
                spec.constraints().tasks().labels().isEmpty()
                        ? null
                        : spec.constraints().tasks().labels(),
                ConstraintViews.affinity(spec.constraints()),
                ConstraintViews.spread(spec.constraints().tasks().spread()),
                ConstraintViews.ports(spec.constraints().tasks().ports()),
                spec.constraints().tasks().perNode() == 0
                        ? null
                        : Integer.valueOf(spec.constraints().tasks().perNode()),
                ConstraintViews.tolerations(spec.constraints().tolerations()),
                spec.requiredNode(),
                after.isEmpty() ? null : after,
                spec.command() == null || spec.command().words().isEmpty()
                        ? null
                        : spec.command().words(),
                spec.container() == null ? null : spec.container().image(),
                counts);
    }

    /**
     * Returns the view of an allocated task.
     *
     * @param detail what is known of its run beside its state, or null
     * @param measured what its run has used
     */
    public static TaskView allocatedTask(Task task, @Nullable String detail, MeasuredUse measured) {
        StopReason reason = task.stopReason();
        return new TaskView(
                task.id(),
                task.state().wireName(),
                task.attempt(),
                task.node().name(),
                task.placedAt(),
                task.startedAt(),
                null,
                null,
                null,
                detail,
                reason == null ? null : reason.wireName(),
                null,
                amounts(task.kind().resources()),
                cpuSeconds(measured),
                measured.memory(),
                measured.memoryPeak());
    }

    /** Returns the processor time of a run in seconds; null if it is not known. */
    public static @Nullable Double cpuSeconds(MeasuredUse measured) {
        Duration cpuTime = measured.cpuTime();
        return cpuTime == null ? null : Double.valueOf(cpuTime.toNanos() / 1e9);
    }

    /** Returns the tasks on a node, latest first, at most {@code limit}. */
    public static List<NodeTaskView> nodeTasks(Node node, int limit) {
        return node.tasks().stream()
                .sorted(Task.MOST_RECENT)
                .limit(limit)
                .map(task -> new NodeTaskView(
                        task.application().id(),
                        task.id(),
                        task.application().queue().path(),
                        task.application().spec().user(),
                        task.state().wireName(),
                        amounts(task.group().spec().resources()),
                        task.placedAt(),
                        task.startedAt()))
                .toList();
    }

    /** Returns the views of pending tasks that fit on a node. */
    public static List<NodeFitView> nodeFits(List<NodeFit> fits) {
        return fits.stream()
                .map(fit -> new NodeFitView(
                        fit.group().application().id(),
                        fit.group().name(),
                        fit.group().application().queue().path(),
                        fit.group().application().spec().user(),
                        amounts(fit.group().spec().resources()),
                        fit.group().pending(),
                        fit.tasks()))
                .toList();
    }

    /** Returns the view of an unallocated task that has not ended. */
    public static TaskView unallocatedTask(TaskGroup group, int index) {
        return new TaskView(
                group.taskId(index),
                (group.isPending(index) ? TaskState.PENDING : TaskState.WAITING).wireName(),
                group.attempts(index),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                amounts(group.kind().resources()),
                null,
                null,
                null);
    }
}
