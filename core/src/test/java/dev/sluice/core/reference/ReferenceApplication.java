package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Duration;
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

    /** The tasks that are free once all applications have ended that it depends on. */
    private final List<ReferenceTask> blocked = new ArrayList<>();

    private final Map<String, ApplicationCondition> awaited = new TreeMap<>();
    final List<ReferenceAllocation> standing = new ArrayList<>();
    ApplicationState state;
    boolean active;

    /** Whether the whole application was skipped in this cycle. */
    boolean skipped;

    /** Since when it has had pending tasks, if that was before this cycle. */
    private @Nullable Instant pendingSince;

    private final @Nullable Gang gang;
    private boolean gangTimedOut;
    private boolean restarting;
    private final Map<Integer, Integer> succeeded = new TreeMap<>();
    private final Map<Integer, Integer> possible = new TreeMap<>();
    private final Map<String, Integer> groupIndexes = new TreeMap<>();
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
        gang = application.spec().gang();
        GangProgress progress = application.gang();
        gangTimedOut = progress != null && progress.isTimedOut();
        restarting = progress != null && progress.isRestarting();
        mayStart = application.notBefore() == null;
        awaited.putAll(application.awaited());
        pendingSince = application.pendingSince();
        anyAllocated = application.allocations() > 0;
        secondAllocated = application.isSecondTaskAllocated();
        for (TaskGroup group : application.groups()) {
            groupIndexes.put(group.name(), group.index());
            succeeded.put(group.index(), group.succeeded());
            possible.put(group.index(), group.spec().size() - group.failed() - group.stopped());
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
                    free(awaited.isEmpty()).add(new ReferenceTask(group, index));
                }
            }
        }
    }

    private List<ReferenceTask> free(boolean unblocked) {
        return !unblocked ? blocked : mayStart ? pending : later;
    }

    /** Whether all dependencies on other tasks are met and the application is not held. */
    private static boolean isFree(Application application, TaskGroup group) {
        return !application.isHeld()
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
        List<ReferenceTask> due = delayed.stream()
                .filter(task -> task.groupIndex == groupIndex && task.index == index)
                .toList();
        delayed.removeAll(due);
        free(awaited.isEmpty()).addAll(due);
    }

    /** Another application has ended; returns how it should have. */
    @Nullable ApplicationCondition awaitNoLonger(String other) {
        ApplicationCondition condition = awaited.remove(other);
        if (awaited.isEmpty()) {
            free(true).addAll(blocked);
            blocked.clear();
        }
        return condition;
    }

    boolean hasEnded() {
        return state.isEnded();
    }

    private void add(ReferenceAllocation task) {
        standing.add(task);
        task.node.add(task);
        if (!task.isPreempting()) {
            ReferenceAmounts.add(allocated, task.demand);
        }
    }

    private List<ReferenceTask> of(List<ReferenceTask> tasks, String group) {
        Integer index = groupIndexes.get(group);
        return tasks.stream()
                .filter(task -> index != null && task.groupIndex == index)
                .sorted(ReferenceTask.ORDER)
                .toList();
    }

    private int unallocated(String group) {
        return of(pending, group).size()
                + of(delayed, group).size()
                + of(later, group).size();
    }

    /** Whether its tasks may only start together with all members of its gang. */
    boolean isGangWaiting() {
        return gang != null
                && !gangTimedOut
                && !anyAllocated
                && gang.tasks().keySet().stream().anyMatch(group -> unallocated(group) > 0);
    }

    /** Whether its gang starts again once all its tasks have ended. */
    boolean isRestarting() {
        return restarting;
    }

    /** The members that start together, in order; null if one of them is in a delay. */
    @Nullable List<ReferenceTask> gangMembers() {
        List<ReferenceTask> members = new ArrayList<>();
        for (Map.Entry<String, Integer> minimum :
                Objects.requireNonNull(gang).tasks().entrySet()) {
            List<ReferenceTask> free = of(pending, minimum.getKey());
            int count = Math.min(minimum.getValue(), unallocated(minimum.getKey()));
            if (free.size() < count) {
                return null;
            }
            members.addAll(free.subList(0, count));
        }
        members.sort(ReferenceTask.ORDER);
        return members;
    }

    /** The members that start together, those in a delay included. */
    List<ReferenceTask> allGangMembers() {
        return Objects.requireNonNull(gang).tasks().entrySet().stream()
                .flatMap(minimum -> Stream.of(pending, delayed, later)
                        .flatMap(tasks -> of(tasks, minimum.getKey()).stream())
                        .limit(minimum.getValue()))
                .toList();
    }

    /** The domain that must or should hold its gang, or null. */
    Gang.@Nullable Topology topology() {
        return gang == null ? null : gang.topology();
    }

    /** Whether its gang fails it if it does not start in time. */
    boolean hasHardGang() {
        return gang != null && gang.style() == Gang.Style.HARD;
    }

    void gangTimedOut() {
        gangTimedOut = true;
    }

    /** Whether all its tasks stop now that one of this group has ended and runs again. */
    boolean mustRestart(int groupIndex) {
        boolean begun = state == ApplicationState.STARTING || state == ApplicationState.RUNNING;
        if (gang == null || gang.onLoss() != Gang.OnLoss.RESTART || gangTimedOut || !begun) {
            return false;
        }
        return gang.tasks().entrySet().stream()
                .filter(minimum -> groupIndexes.getOrDefault(minimum.getKey(), -1) == groupIndex)
                .anyMatch(minimum -> runs(groupIndex) + succeeded.getOrDefault(groupIndex, 0)
                        < Math.min(minimum.getValue(), possible.getOrDefault(groupIndex, 0)));
    }

    private long runs(int groupIndex) {
        return standing.stream()
                .filter(task -> task.groupIndex == groupIndex && !isStopping(task))
                .count();
    }

    static boolean isStopping(ReferenceAllocation task) {
        return task.state == TaskState.STOPPING || task.isPreempting();
    }

    /** No task starts until all have ended. */
    void restart() {
        restarting = true;
    }

    /** All its unfinished tasks were dropped, and it has failed. */
    void fail() {
        state = ApplicationState.FAILED;
        pending.clear();
        delayed.clear();
        later.clear();
        blocked.clear();
    }

    /** Takes the demand of a task from everything that limits it, or gives it back for -1. */
    void take(SortedMap<String, Long> demand, int sign) {
        if (sign > 0) {
            ReferenceAmounts.add(allocated, demand);
        } else {
            ReferenceAmounts.subtract(allocated, demand);
        }
    }

    /** Its tasks that are still eligible in this cycle. */
    private Stream<ReferenceTask> eligible() {
        boolean served = state == ApplicationState.ACCEPTED
                || state == ApplicationState.STARTING
                || state == ApplicationState.RUNNING;
        return pending.stream().filter(task -> served && !restarting && !skipped && !task.skipped);
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

    /** Makes all its pending tasks eligible again. */
    void requeueAll() {
        skipped = false;
        pending.forEach(task -> task.skipped = false);
    }

    /** Whether it has had pending tasks for this long. */
    boolean hasWaited(Duration delay, Instant now) {
        return pendingSince != null && !pendingSince.plus(delay).isAfter(now);
    }

    /** Since when it has had pending tasks. */
    Instant waitingSince(Instant now) {
        return pendingSince == null ? now : pendingSince;
    }

    /** Remembers that a reservation kept the task, and those like it, from using a node in this cycle. */
    void refuseReserved(ReferenceTask refused) {
        pending.stream().filter(task -> task.isEquivalentTo(refused)).forEach(task -> task.refusedReserved = true);
    }

    void skip() {
        skipped = true;
    }

    void requeue() {
        skipped = false;
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
        gangTimedOut = false;
        restarting = false;
        active = false;
        anyAllocated = false;
        secondAllocated = false;
    }

    /** Allocates a task; returns the next state. */
    ApplicationState place(ReferenceTask task, ReferenceNode node, boolean reserved, long sequence) {
        pending.remove(task);
        pendingSince = pending.isEmpty() ? null : pendingSince;
        add(new ReferenceAllocation(task, this, node, reserved, sequence));
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
