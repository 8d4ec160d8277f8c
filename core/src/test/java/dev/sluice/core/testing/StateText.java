package dev.sluice.core.testing;

import dev.sluice.core.application.StartConditions;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.DelayedTask;
import dev.sluice.core.state.DurationHistory;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Lineage;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Timer;
import dev.sluice.core.state.Vectors;
import java.lang.reflect.Field;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A state as text: states with equal text are indistinguishable to callers, now and after further events. Some of it
 * has no accessor and is read from private fields.
 *
 * <p>Amounts are in base units and named by type, so type indexes do not matter. Tasks of a group that are not
 * allocated are listed for groups of up to {@link #LISTED_MAX} tasks; larger groups only have their number and the next
 * task.
 */
public final class StateText {

    /** The maximum size of a group whose tasks are listed. */
    static final int LISTED_MAX = 5_000;

    private final StringBuilder text = new StringBuilder();
    private final ResourceTypes types;

    private StateText(ResourceTypes types) {
        this.types = types;
    }

    /** Returns the state of all partitions, one line per object. */
    public static String of(SchedulerState state) {
        StringBuilder text = new StringBuilder();
        for (Partition partition : state.partitions()) {
            text.append(of(partition));
        }
        return text.toString();
    }

    /** Returns the state of one partition. */
    public static String of(Partition partition) {
        StateText writer = new StateText(partition.types());
        writer.write(partition);
        return writer.text.toString();
    }

    /** Formats a vector as amounts by name, without zeros. */
    static SortedMap<String, Long> amounts(long[] vector, ResourceTypes types) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        for (int type = 0; type < vector.length; type++) {
            if (vector[type] != 0) {
                amounts.put(types.name(type), vector[type]);
            }
        }
        return amounts;
    }

    /** Formats a vector of limits as amounts by name, without unlimited types. */
    static SortedMap<String, Long> limits(long[] vector, ResourceTypes types) {
        SortedMap<String, Long> limits = new TreeMap<>();
        for (int type = 0; type < types.size(); type++) {
            if (Vectors.limitAt(vector, type) != Long.MAX_VALUE) {
                limits.put(types.name(type), Vectors.limitAt(vector, type));
            }
        }
        return limits;
    }

    private void write(Partition partition) {
        line("partition", partition.name(), partition.configuration().toString().replace(", topology=[]", ""));
        line(
                " sums",
                "total",
                amounts(partition.total()),
                "registered",
                amounts(partition.registered()),
                "demanded",
                amounts(partition.demanded()),
                "workers",
                partition.workers(),
                "countsSlots",
                partition.countsSlots(),
                "throttle",
                partition.throttle(),
                "seed",
                partition.seed(),
                "placements",
                partition.placements(),
                "former usage",
                partition.usage().removedQueues());
        for (Node node : partition.nodes()) {
            write(node);
        }
        for (Queue queue : partition.queues().all()) {
            write(queue);
        }
        for (Application application : partition.applications()) {
            write(application);
        }
        for (Timer timer : partition.timers()) {
            line(" timer", timer.due(), timer.subject().getClass().getSimpleName(), timer.subject());
        }
        line(" users", partition.users().applications());
        Object applications = hidden(partition, "applications");
        Object numbers = hidden(Objects.requireNonNull(applications), "numbers");
        if (hidden(Objects.requireNonNull(numbers), "lastByName") instanceof Map<?, ?> last && !last.isEmpty()) {
            line(" last numbers", last);
        }
        for (Lineage lineage : partition.lineages().all()) {
            line(" lineage", lineage, lineage.tag(), lineage.successors(), lineage.living());
        }
        DurationHistory durations = partition.durations();
        durations.forEach((key, mean) -> line(" duration", key, mean, "of", durations.count(key)));
    }

    private void write(Node node) {
        line(
                " node",
                node.name(),
                "#" + node.index(),
                node.health(),
                node.healthSince(),
                node.flakySince(),
                node.isOffline() ? "offline" : "in service",
                node.capacity().amounts(),
                node.labels() + (node.taints().isEmpty() ? "" : " " + node.taints()),
                "allocated",
                amounts(node.allocated()),
                "reserved",
                node.reserved());
        node.tasks().stream()
                .sorted((a, b) -> Long.compare(a.sequence(), b.sequence()))
                .forEach(task -> line("  holds", task));
    }

    private void write(Queue queue) {
        line(
                " queue",
                queue.path(),
                "#" + queue.index(),
                queue.isLeaf() ? "leaf" : "parent",
                queue.isDynamic() ? "dynamic" : "configured",
                queue.isDraining() ? "draining" : "open",
                queue.sortPolicy(),
                queue.sharePolicy(),
                queue.usesPriorities() ? "priorities" : "no priorities",
                "task timeout",
                queue.taskTimeout());
        line("  configuration", queue.configuration());
        line("  guaranteed", amounts(queue.guaranteed()), "max", limits(queue.max(), types), queue.maxApplications());
        line(
                "  allocated",
                amounts(queue.allocated()),
                "pending",
                amounts(queue.pending()),
                "tasks",
                queue.allocatedTasks(),
                queue.stoppingTasks(),
                queue.preemptingTasks(),
                queue.pendingTasks(),
                "applications",
                queue.activeApplications(),
                queue.startingApplications(),
                queue.applications(),
                "over threshold since",
                queue.overThresholdSince(),
                (queue.isRebalanceDue() ? "rebalance due" : "")
                        + (queue.overMaximumSince() == null ? "" : "over maximum since " + queue.overMaximumSince()),
                "usage",
                queue.usage());
    }

    private void write(Application application) {
        line(
                " application",
                application.id(),
                "#" + application.index(),
                application.hasQueue() ? application.queue().path() : "no queue",
                application.submitted(),
                application.state(),
                application.stateSince(),
                "\"" + application.stateReason() + "\"",
                application.isSealed() ? "sealed" : "open",
                application.isActive() ? "active" : "inactive");
        // without defaults that recorded states do not know
        String spec = application.spec().toString();
        line("  spec", spec.replace(", start=" + StartConditions.NONE, "").replace(", gang=null", ""));
        GangProgress gang = application.gang();
        if (gang != null) {
            line(
                    "  gang",
                    gang.isWaiting() ? "waits" : "",
                    gang.isTimedOut() ? "timed out" : "",
                    gang.isRestarting() ? "restarting" : "");
        }
        if (application.isHeld()) {
            line("  held");
        }
        if (!application.awaited().isEmpty()) {
            line("  awaited", application.awaited());
        }
        if (application.notBefore() != null) {
            line("  not before", application.notBefore());
        }
        if (application.limitGroup() != null) {
            line("  limit group", application.limitGroup());
        }
        line(
                "  allocated",
                amounts(application.allocated()),
                "tasks",
                application.tasks(),
                application.highestPriority(),
                "unplaced",
                application.unallocated(),
                "pending",
                application.pending(),
                "placed",
                application.placed(),
                application.preempting(),
                "allocations",
                application.allocations(),
                "ended",
                application.succeeded(),
                application.failed(),
                application.stopped());
        application.groups().forEach(this::write);
    }

    private void write(TaskGroup group) {
        line(
                "  group",
                group.spec(),
                "#" + group.index(),
                group.expectedDuration(),
                group.isWaiting() ? "waiting" : "free",
                "demand",
                amounts(group.demand()),
                "unplaced",
                group.unallocated(),
                "pending",
                group.pending(),
                "startedOnce",
                group.startedOnce(),
                "ended",
                group.succeeded(),
                group.failed(),
                group.stopped(),
                "dependents",
                group.dependents());
        writeRetryable(Objects.requireNonNull(hidden(group, "progress")));
        if (group.unallocated() > group.delayed().size()) {
            line("   next", group.nextIndex());
        }
        for (int index = 0; index < Math.min(group.spec().size(), LISTED_MAX); index++) {
            boolean unallocated = group.isUnallocated(index);
            if (group.attempts(index) + group.failures(index) > 0 || !unallocated) {
                line(
                        "   index",
                        index,
                        unallocated ? "unplaced" : "",
                        "attempts",
                        group.attempts(index),
                        "failures",
                        group.failures(index),
                        "losses",
                        group.losses(index));
            }
        }
        for (DelayedTask task : group.delayed()) {
            line("   delayed", task.ref().id(), task.retryAt());
        }
        for (Task task : group.placed()) {
            line(
                    "   task",
                    task.id(),
                    task.node(),
                    "attempt",
                    task.attempt(),
                    "sequence",
                    task.sequence(),
                    task.state(),
                    task.placedAt(),
                    task.startedAt(),
                    task.timeout(),
                    task.stopReason());
            if (task.hasFormerKind()) {
                line("    former kind", task.kind(), amounts(task.demand()));
            }
            Object suspension = hidden(task, "suspension");
            if (suspension != null) {
                line("    suspension", suspension);
            }
        }
    }

    /** Writes what a retry of the application needs: its unsuccessful tasks, and the number of its first run. */
    private void writeRetryable(Object progress) {
        if (hidden(progress, "unsuccessful") instanceof BitSet unsuccessful && !unsuccessful.isEmpty()) {
            line("   unsuccessful", unsuccessful.cardinality() > LISTED_MAX ? unsuccessful.hashCode() : unsuccessful);
        }
        Object attemptsMax = hidden(progress, "attemptsMax");
        Object attemptsBefore = hidden(progress, "attemptsBefore");
        if (!Objects.equals(attemptsMax, 0) || !Objects.equals(attemptsBefore, 0)) {
            line("   runs", "before", attemptsBefore, "highest", attemptsMax);
        }
    }

    /** Returns a private field. */
    private static @Nullable Object hidden(Object owner, String name) {
        try {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private SortedMap<String, Long> amounts(long[] vector) {
        return amounts(vector, types);
    }

    private void line(Object first, @Nullable Object... rest) {
        text.append(first);
        for (Object part : rest) {
            text.append(' ').append(part);
        }
        text.append('\n');
    }
}
