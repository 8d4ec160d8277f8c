package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One application: its tasks on nodes, its allocated resources and its pending tasks. */
final class ReferenceApplication {

    static final Comparator<ReferenceApplication> BY_PRIORITY =
            Comparator.comparing(application -> -application.priority());

    static final Comparator<ReferenceApplication> BY_SUBMISSION = Comparator.comparing(
                    (ReferenceApplication application) -> application.submitted)
            .thenComparingLong(application -> application.sequence);

    final String id;
    final Instant submitted;
    final long sequence;
    final boolean alone;
    final String user;
    private final List<String> groups;

    /** The group it counts against once it is active, or null. */
    private @Nullable String group;

    final SortedMap<String, Long> allocated = new TreeMap<>();
    final List<ReferenceTask> pending = new ArrayList<>();
    private final List<ReferenceTask> later = new ArrayList<>();
    private final List<ReferenceTask> delayed = new ArrayList<>();
    final List<ReferenceAllocation> standing = new ArrayList<>();
    ApplicationState state;
    boolean active;

    /** Whether the whole application was skipped in this cycle. */
    boolean skipped;

    private boolean mayStart;
    private boolean anyAllocated;
    private boolean secondAllocated;

    /** The first task allocated since the application was Accepted, as (group, index); none once it has ended. */
    private List<Integer> firstAllocated = List.of();

    ReferenceApplication(Application application, Map<String, ReferenceNode> nodes) {
        id = application.id();
        submitted = application.submitted();
        sequence = application.sequence();
        user = application.spec().user();
        groups = application.spec().groups();
        group = application.limitGroup();
        alone = application.isSealed() && application.tasks() == 1;
        state = application.state();
        active = application.isActive();
        mayStart = application.notBefore() == null;
        anyAllocated = application.allocations() > 0;
        secondAllocated = application.isSecondTaskAllocated();
        for (TaskGroup group : application.groups()) {
            for (int index = 0; index < group.spec().size(); index++) {
                if (application.isFirstAllocated(group, index)) {
                    firstAllocated = List.of(group.index(), index);
                }
            }
            for (Task task : group.placed()) {
                ReferenceNode node =
                        Objects.requireNonNull(nodes.get(task.node().name()));
                add(new ReferenceAllocation(task, this, node));
            }
            for (int index = 0;
                    isFree(application, group) && index < group.spec().size();
                    index++) {
                if (group.isUnallocated(index) && group.delayed(index) != null) {
                    delayed.add(new ReferenceTask(group, index));
                } else if (group.isUnallocated(index)) {
                    (application.notBefore() == null ? pending : later).add(new ReferenceTask(group, index));
                }
            }
        }
    }

    /** Whether all dependencies are met and the application is not held. */
    private static boolean isFree(Application application, TaskGroup group) {
        return !application.isHeld()
                && application.awaited().isEmpty()
                && group.spec().after().entrySet().stream().allMatch(entry -> {
                    TaskGroup awaited = group.application().group(entry.getKey());
                    return awaited != null && awaited.has(entry.getValue());
                });
    }

    void startTimeReached() {
        pending.addAll(later);
        later.clear();
        mayStart = true;
    }

    /** The delay of this task has passed; it has none if its application or other tasks block it. */
    void retryDue(int groupIndex, int index) {
        delayed.stream()
                .filter(task -> task.groupIndex == groupIndex && task.index == index)
                .forEach((mayStart ? pending : later)::add);
    }

    private void add(ReferenceAllocation task) {
        standing.add(task);
        task.node.add(task);
        if (!task.isPreempting()) {
            ReferenceAmounts.add(allocated, task.demand);
        }
    }

    /** Its tasks that are still eligible in this cycle. */
    private Stream<ReferenceTask> eligible() {
        boolean served = state == ApplicationState.ACCEPTED
                || state == ApplicationState.STARTING
                || state == ApplicationState.RUNNING;
        return pending.stream().filter(task -> served && !skipped && !task.skipped);
    }

    boolean isEligible() {
        return eligible().findAny().isPresent();
    }

    /** The task that is served next. */
    ReferenceTask nextTask() {
        return eligible().min(ReferenceTask.ORDER).orElseThrow();
    }

    /** The highest priority of its eligible tasks. */
    long priority() {
        return eligible().mapToLong(task -> task.spec.priority()).max().orElseThrow();
    }

    /** The number of its allocated tasks: each takes one slot. */
    long running() {
        return allocated.getOrDefault("slots", 0L);
    }

    /** Returns the group whose limits apply in these queues, from its leaf up to root; null: none. */
    @Nullable String groupIn(List<ReferenceQueue> queues) {
        if (group != null || groups.isEmpty()) {
            return group;
        }
        for (ReferenceQueue queue : queues) {
            for (String limited : queue.limitedGroups()) {
                if (limited.equals("*") || groups.contains(limited)) {
                    return limited;
                }
            }
        }
        return null;
    }

    void skipEquivalent(ReferenceTask skipped) {
        pending.stream().filter(task -> task.isEquivalentTo(skipped)).forEach(task -> task.skipped = true);
    }

    void requeue(ReferenceTask skipped) {
        pending.stream().filter(task -> task.isEquivalentTo(skipped)).forEach(task -> task.skipped = false);
    }

    void skip() {
        skipped = true;
    }

    /** Preempts a task; a reserved one is pending again at once. */
    void markPreempting(ReferenceAllocation task) {
        boolean reserved = task.isReserved();
        ReferenceAmounts.subtract(allocated, task.demand);
        task.node.markPreempting(task);
        if (reserved) {
            standing.remove(task);
            task.node.standing.remove(task);
            pending.add(new ReferenceTask(task));
        }
    }

    /** All its running tasks were preempted: it starts again. */
    void resume() {
        state = ApplicationState.ACCEPTED;
        active = false;
        anyAllocated = false;
        secondAllocated = false;
    }

    /** Allocates a task; returns the next state. */
    ApplicationState place(ReferenceTask task, ReferenceNode node, boolean reserved) {
        pending.remove(task);
        add(new ReferenceAllocation(task, this, node, reserved));
        active = true;
        if (!anyAllocated) {
            anyAllocated = true;
            firstAllocated = List.of(task.groupIndex, task.index);
        } else {
            secondAllocated |= !firstAllocated.equals(List.of(task.groupIndex, task.index));
        }
        return switch (state) {
            case ACCEPTED -> alone ? ApplicationState.RUNNING : ApplicationState.STARTING;
            case STARTING -> secondAllocated || alone ? ApplicationState.RUNNING : ApplicationState.STARTING;
            default -> state;
        };
    }
}
