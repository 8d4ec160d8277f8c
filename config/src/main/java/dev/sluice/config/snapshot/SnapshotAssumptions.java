package dev.sluice.config.snapshot;

import dev.sluice.config.snapshot.RunningTaskPlacement.AllocatedTask;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.ApplicationProgress;
import dev.sluice.core.state.ApplicationProgress.Part;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is assumed where a snapshot is silent. The reference of snapshots has the same list for users.
 *
 * <ol>
 *   <li>{@linkplain #state State} of an application: the one that its tasks imply. Failing without a task on a node is
 *       Failed; Resuming is Accepted.
 *   <li>{@linkplain #stateSince Since when}: the first start of a task on a node; without one the instant of the
 *       snapshot if the application is Starting, otherwise its submission.
 *   <li>{@linkplain #startOf Start} of a task on a node: the instant of the snapshot. It was allocated when it started.
 *   <li>{@linkplain RunningTaskPlacement Node} of such a task: the first one that is ready and on which it fits.
 *   <li>{@linkplain #inOrderOfAllocation Order of allocations}: tasks without a placement number come first; among them
 *       those being preempted, for which others may be reserved, then the order is that of starts and of the file.
 *   <li>{@linkplain #progress Runs}: a task on a node is in its first run, and an ended one ran once, unless it was
 *       stopped: then it never ran.
 *   <li>{@linkplain #firstAllocated First task} of an application that has started, but has no task that is on a node,
 *       succeeded or failed: the first one in the order of tasks, which is pending again.
 *   <li>{@linkplain #stopReason Reason} for which a task is being stopped: a user stopped it, or it was preempted for a
 *       load class.
 *   <li>{@linkplain #USAGE_PRIORITY Usage priority} of a queue: 0, even if tasks are running.
 * </ol>
 */
final class SnapshotAssumptions {

    /** The usage priority of queues without one: when running tasks started does not tell what was used before. */
    static final double USAGE_PRIORITY = 0;

    private final Snapshot snapshot;

    SnapshotAssumptions(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** Returns how far an application has come, whose allocated tasks are given by entry. */
    ApplicationProgress progress(ApplicationEntry entry, IdentityHashMap<TaskEntry, List<Part>> allocated) {
        TaskEntry returned = firstAllocated(entry);
        List<List<Part>> groups = new ArrayList<>();
        for (TaskEntry task : entry.tasks()) {
            List<Part> parts = new ArrayList<>(allocated.getOrDefault(task, List.of()));
            task.allParts().stream()
                    .filter(part -> part.state().isEnded())
                    .forEach(part -> parts.add(new Part(part.first(), part.end(), part.state(), null)));
            task.delays().forEach(delay -> parts.add(Part.delayed(delay.index(), delay.until())));
            boolean delayed = !task.delays().isEmpty() && task.delays().get(0).index() == 0;
            if (task.equals(returned) && !delayed) {
                parts.add(new Part(0, 1, TaskState.PENDING, null));
            }
            groups.add(parts);
        }
        ApplicationState state = state(entry);
        long allocations = allocations(entry);
        return new ApplicationProgress(
                state,
                stateSince(entry),
                entry.sealed(),
                state == ApplicationState.STARTING ? Math.min(1, allocations) : allocations,
                entry.pendingSince(),
                entry.restarting(),
                groups);
    }

    /** Returns how many tasks of an application were ever allocated. */
    static long allocations(ApplicationEntry entry) {
        return count(entry, SnapshotAssumptions::wasAllocated) + (firstAllocated(entry) == null ? 0 : 1);
    }

    private static boolean wasAllocated(TaskPart part) {
        return part.state() != TaskState.PENDING && part.state() != TaskState.STOPPED;
    }

    private static long count(ApplicationEntry entry, Predicate<TaskPart> condition) {
        return entry.tasks().stream()
                .flatMap(task -> task.allParts().stream())
                .filter(condition)
                .mapToLong(TaskPart::count)
                .sum();
    }

    private static ApplicationState state(ApplicationEntry entry) {
        ApplicationState given = entry.state();
        if (given == null) {
            return implied(entry);
        }
        if (given == ApplicationState.FAILING
                && count(entry, part -> part.state().isBound()) == 0) {
            return ApplicationState.FAILED;
        }
        return given == ApplicationState.RESUMING ? ApplicationState.ACCEPTED : given;
    }

    private static ApplicationState implied(ApplicationEntry entry) {
        long begun = count(entry, SnapshotAssumptions::wasAllocated);
        if (begun == 0) {
            return entry.tasks().isEmpty() ? ApplicationState.NEW : ApplicationState.ACCEPTED;
        }
        boolean alone = entry.sealed() && count(entry, part -> true) == 1;
        return begun > 1 || alone ? ApplicationState.RUNNING : ApplicationState.STARTING;
    }

    private Instant stateSince(ApplicationEntry entry) {
        Instant given = entry.stateSince();
        return given != null
                ? given
                : entry.tasks().stream()
                        .flatMap(task -> task.allParts().stream())
                        .filter(part -> part.state().isBound())
                        .map(this::startOf)
                        .min(Comparator.naturalOrder())
                        .orElse(entry.state() == ApplicationState.STARTING ? snapshot.at() : entry.submitted());
    }

    private Instant startOf(TaskPart part) {
        Instant started = part.started();
        return started == null ? snapshot.at() : started;
    }

    /** Returns the task that an application allocated first; null if its tasks tell, or if it has not started. */
    private static @Nullable TaskEntry firstAllocated(ApplicationEntry entry) {
        boolean started = entry.state() == ApplicationState.STARTING || entry.state() == ApplicationState.RUNNING;
        if (!started || count(entry, SnapshotAssumptions::wasAllocated) > 0) {
            return null;
        }
        return entry.tasks().stream()
                .filter(task -> task.spec().after().isEmpty())
                .min(Comparator.comparing(
                                (TaskEntry task) -> -(long) task.spec().priority())
                        .thenComparing(task -> task.spec().expectedDuration(), Comparator.reverseOrder()))
                .orElse(null);
    }

    /** Returns allocated tasks of the snapshot in the order of their allocation. */
    List<AllocatedTask> inOrderOfAllocation(List<AllocatedTask> tasks) {
        IdentityHashMap<ApplicationEntry, List<AllocatedTask>> byApplication = new IdentityHashMap<>();
        for (AllocatedTask task : tasks) {
            byApplication
                    .computeIfAbsent(task.application(), key -> new ArrayList<>())
                    .add(task);
        }
        List<AllocatedTask> ordered = new ArrayList<>();
        snapshot.applications().forEach(entry -> ordered.addAll(byApplication.getOrDefault(entry, List.of())));
        Comparator<AllocatedTask> byStart = Comparator.comparing(
                        (AllocatedTask task) -> task.part().state() != TaskState.PREEMPTING)
                .thenComparing(task -> startOf(task.part()));
        ordered.sort(Comparator.comparing(
                        (AllocatedTask task) -> task.part().placement(),
                        Comparator.nullsFirst(Comparator.<Long>naturalOrder()))
                .thenComparing(byStart));
        return ordered;
    }

    /** Returns a task on a node, whose allocation has this number. */
    Part allocated(AllocatedTask task, long sequence) {
        TaskPart part = task.part();
        boolean started = switch (part.state()) {
            case RUNNING, SUSPENDED -> true;
            case STOPPING, PREEMPTING -> part.started() != null || part.placement() == null;
            default -> false;
        };
        Instant start = startOf(part);
        return new Part(
                task.index(),
                task.index() + 1,
                part.state(),
                new ApplicationProgress.Run(task.node(), sequence, start, started ? start : null, stopReason(task)));
    }

    private static @Nullable StopReason stopReason(AllocatedTask task) {
        return switch (task.part().state()) {
            case STOPPING -> task.application().restarting() ? StopReason.GANG : StopReason.STOPPED;
            case PREEMPTING -> StopReason.REBALANCE;
            default -> null;
        };
    }
}
