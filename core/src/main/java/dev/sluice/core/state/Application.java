package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** An application: one submission, its tasks and its progress. */
public final class Application extends TimerSubject {

    /** The order of submission. */
    static final Comparator<Application> BY_SEQUENCE = (a, b) -> {
        int order = Long.compare(a.sequence(), b.sequence());
        return order != 0 ? order : a.id().compareTo(b.id());
    };

    private static final int NO_TASK = -1;

    private final String partition;
    private final ApplicationSpec spec;
    private final String id;
    private @Nullable Queue queue;
    private final int index;
    private final long sequence;
    private ApplicationOrigin origin;
    private final TaskGroups groups = new TaskGroups();
    private ApplicationState state = ApplicationState.NEW;
    private Instant stateSince;
    private String stateReason = "";
    private boolean sealed;
    private StartConditions unmet = StartConditions.NONE; // the conditions of its start that are yet to be met
    private boolean active;
    private boolean forgotten;
    private ApplicationLimits limits = ApplicationLimits.NONE;
    private @Nullable String limitGroup;
    private long[] allocated = Vectors.empty();
    private long tasks;
    private int highestPriority = Integer.MIN_VALUE;
    private long unallocated;
    private long pending;
    private @Nullable Instant pendingSince;
    private int placed;
    private int preempting;
    private int suspended;
    private long allocations;
    private int firstGroup = NO_TASK;
    private int firstIndex = NO_TASK;
    private boolean secondTaskAllocated;
    private long succeeded;
    private long failed;
    private long stopped;
    private final @Nullable GangProgress gang;

    boolean touched;

    // the link of ApplicationList
    @Nullable Application next;

    @Nullable Application previous;

    // the link of ApplicationNames
    @Nullable Application olderOfName;

    @Nullable Application newerOfName;

    Application(
            String partition,
            ApplicationSpec spec,
            @Nullable Queue queue,
            int index,
            long sequence,
            Instant submitted) {
        this.partition = partition;
        this.spec = spec;
        this.id = spec.id();
        this.queue = queue;
        this.index = index;
        this.sequence = sequence;
        this.origin = new ApplicationOrigin(queue == null ? "" : queue.path(), spec.user(), submitted);
        this.stateSince = submitted;
        this.gang = spec.gang() == null ? null : new GangProgress(this, spec.gang());
        this.sealed = spec.sealed();
        Instant start = spec.start().notBefore();
        this.unmet = new StartConditions(
                spec.start().hold(), start != null && start.isAfter(submitted) ? start : null, Map.of());
    }

    /** Returns the id, unique in the partition. */
    public String id() {
        return id;
    }

    /** Returns the name of its partition. */
    public String partition() {
        return partition;
    }

    /** Returns what every event of the application repeats. */
    public ApplicationOrigin origin() {
        return origin;
    }

    /** Returns what was submitted, without the tasks. */
    public ApplicationSpec spec() {
        return spec;
    }

    /** Returns how far its gang has come, or null if it has none. */
    public @Nullable GangProgress gang() {
        return gang;
    }

    /** Returns whether none of its tasks may start unless all members of its gang do. */
    public boolean isGangWaiting() {
        return gang != null && gang.isWaiting();
    }

    /** Returns its leaf queue; throws {@link IllegalStateException} if no queue accepted the application. */
    public Queue queue() {
        if (queue == null) {
            throw new IllegalStateException(id() + " is in no queue");
        }
        return queue;
    }

    /** Returns whether a queue accepted it. */
    public boolean hasQueue() {
        return queue != null;
    }

    /** Returns a small number, unique among the present applications of the partition. */
    public int index() {
        return index;
    }

    /**
     * Returns its number among all applications ever submitted to the partition, from 0. It orders applications
     * submitted at the same time, such as those of one file.
     */
    public long sequence() {
        return sequence;
    }

    public Instant submitted() {
        return origin.submitted();
    }

    public ApplicationState state() {
        return state;
    }

    /** Returns the time at which it entered its state. */
    public Instant stateSince() {
        return stateSince;
    }

    /** Returns why it entered its state, for people; empty if that is obvious. */
    public String stateReason() {
        return stateReason;
    }

    /** Returns whether no more tasks can be added. */
    public boolean isSealed() {
        return sealed;
    }

    /** Returns whether it is held: it starts no tasks until it is released. */
    public boolean isHeld() {
        return unmet.hold();
    }

    /** Returns the instant before which it starts no tasks, or null if there is none or it has been reached. */
    public @Nullable Instant notBefore() {
        return unmet.notBefore();
    }

    /** Returns the applications, by id, that must end before it starts tasks, and how. */
    public Map<String, ApplicationCondition> awaited() {
        return unmet.after();
    }

    /** Returns whether none of its tasks may start at the moment, whatever they depend on. */
    public boolean isBlocked() {
        return unmet.isBlocking();
    }

    /** Returns the limits of its user and its group. */
    public ApplicationLimits limits() {
        return limits;
    }

    /**
     * Returns the group, of those of the user, whose limits it counts against: chosen at its first allocation, and kept
     * as long as the group has a limit in one of its queues. Null before, or if no group had a limit.
     */
    public @Nullable String limitGroup() {
        return limitGroup;
    }

    /**
     * Returns whether it counts against the queues' maximum number of applications: from its first allocation until no
     * task is left.
     */
    public boolean isActive() {
        return active;
    }

    /** Returns whether its partition has forgotten it, so that another application may have its index. */
    public boolean isForgotten() {
        return forgotten;
    }

    /** Returns its groups of tasks, one for each task specification, in the order of creation. */
    public List<TaskGroup> groups() {
        return groups.all();
    }

    /** Returns the group with this name, or null. */
    public @Nullable TaskGroup group(String name) {
        return groups.find(name);
    }

    /** Returns the resources allocated to its tasks, as a vector. Must not be modified. */
    public long[] allocated() {
        return allocated;
    }

    /** Returns the allocated amount of this type. */
    public long allocated(int type) {
        return Vectors.at(allocated, type);
    }

    /** Returns the number of tasks it ever had. */
    public long tasks() {
        return tasks;
    }

    /** Returns the highest priority of all its tasks, ended ones included; empty if it has none. */
    public OptionalInt highestPriority() {
        return tasks == 0 ? OptionalInt.empty() : OptionalInt.of(highestPriority);
    }

    /** Returns the number of unfinished tasks that are not allocated, including those that wait for dependencies. */
    public long unallocated() {
        return unallocated;
    }

    /** Returns the number of tasks that could be allocated now: unallocated and not waiting. */
    public long pending() {
        return pending;
    }

    /** Returns since when it has had pending tasks without a break, or null if it has none. */
    public @Nullable Instant pendingSince() {
        return pendingSince;
    }

    /** Returns the number of allocated tasks. */
    public int placed() {
        return placed;
    }

    /** Returns the number of tasks that were preempted and have not ended yet. */
    public int preempting() {
        return preempting;
    }

    /** Returns the number of allocated tasks that are suspended. */
    public int suspended() {
        return suspended;
    }

    void countSuspended(int change) {
        suspended += change;
    }

    /** Returns the number of tasks on nodes: allocated or preempted and not ended yet. */
    public int boundTasks() {
        return placed + preempting;
    }

    /** Returns the number of allocations since it was last Accepted. */
    public long allocations() {
        return allocations;
    }

    /**
     * Returns whether two different tasks were allocated since it was last Accepted. A retry of the same task does not
     * count.
     */
    public boolean isSecondTaskAllocated() {
        return secondTaskAllocated;
    }

    /** Returns whether this is the first task that was allocated since the application was last Accepted. */
    public boolean isFirstAllocated(TaskGroup group, int taskIndex) {
        return firstGroup == group.index() && firstIndex == taskIndex;
    }

    /** Returns the number of tasks that succeeded. */
    public long succeeded() {
        return succeeded;
    }

    /** Returns the number of tasks that failed and are not retried. */
    public long failed() {
        return failed;
    }

    /** Returns the number of tasks that were dropped, or stopped and not run again. */
    public long stopped() {
        return stopped;
    }

    /** Returns whether it is known which of its tasks failed or were stopped, if it has ended. */
    public boolean isUnsuccessfulKnown() {
        return groups().stream().allMatch(TaskGroup::isUnsuccessfulKnown);
    }

    /** Returns whether its state permits allocations. */
    public boolean isSchedulable() {
        boolean live = state == ApplicationState.ACCEPTED
                || state == ApplicationState.STARTING
                || state == ApplicationState.RUNNING;
        return live && (gang == null || !gang.isRestarting());
    }

    /** Returns the task with this id, or null if there is none. */
    public @Nullable TaskRef find(String taskId) {
        TaskGroup alone = groups.find(taskId);
        if (alone != null && alone.isSingle()) {
            return alone.ref(0);
        }
        int dash = taskId.lastIndexOf('-');
        TaskGroup group = dash < 0 ? null : groups.find(taskId.substring(0, dash));
        if (group == null || group.isSingle()) {
            return null;
        }
        int taskIndex = TaskRef.parseIndex(taskId.substring(dash + 1));
        return taskIndex < 0 || taskIndex >= group.kind().size() ? null : group.ref(taskIndex);
    }

    /** Returns the group of a task of this application, or null if there is no such task. */
    public @Nullable TaskGroup groupOf(TaskRef task) {
        TaskGroup group = groups.find(task.task());
        boolean exists = group != null
                && group.isSingle() == (task.index() == TaskRef.SINGLE)
                && task.position() < group.kind().size();
        return exists ? group : null;
    }

    @Override
    int timerRank() {
        return 2;
    }

    @Override
    int timerIndex() {
        return index;
    }

    /** Writes everything except counts, which {@link #readFrom} derives. */
    void writeTo(PartitionCheckpointWriter out) {
        StateSink sink = out.sink();
        sink.application(spec);
        out.queue(queue);
        sink.number(index);
        sink.number(sequence);
        sink.instant(submitted());
        out.constant(state);
        sink.instant(stateSince);
        sink.text(stateReason);
        sink.flag(sealed);
        sink.flag(active);
        sink.number(allocations);
        sink.number(firstGroup);
        sink.number(firstIndex);
        sink.flag(secondTaskAllocated);
        sink.flag(unmet.hold());
        out.optional(unmet.notBefore());
        sink.number(unmet.after().size());
        unmet.after().forEach((other, condition) -> {
            sink.text(other);
            out.constant(condition);
        });
        out.optionalText(limitGroup);
        out.timer(this);
        groups.writeTo(out);
        out.optional(pendingSince);
        GangProgress.write(gang, sink);
    }

    /** Reads an application and counts its tasks. The objects that contain it do not count it yet. */
    static Application readFrom(PartitionCheckpointReader in, String partition, Demand demand, long sequenceIfUnknown) {
        StateSource source = in.source();
        Application application = new Application(
                partition,
                source.application(),
                in.queue(),
                in.count(),
                in.isVersion1() ? sequenceIfUnknown : source.number(),
                in.instant());
        application.state = in.constant(ApplicationState.class);
        application.stateSince = in.instant();
        application.stateReason = source.text();
        application.sealed = source.flag();
        application.active = source.flag();
        application.allocations = source.number();
        if (!in.isVersion1()) {
            application.firstGroup = in.number(NO_TASK);
            application.firstIndex = in.number(NO_TASK);
            application.secondTaskAllocated = source.flag();
        }
        application.unmet = in.hasApplicationControl() ? readStartConditions(in) : StartConditions.NONE;
        application.limitGroup = in.hasApplicationControl() ? in.optionalText() : null;
        in.timer(application);
        application.groups.readFrom(in, application, demand);
        application.groups().forEach(application::count);
        Instant stored = in.hasPendingSince() ? in.optionalInstant() : application.submitted();
        application.pendingSince = application.pending == 0 ? null : stored;
        if (in.hasGangs()) {
            GangProgress.read(application.gang, source);
        }
        if (in.isVersion1()) {
            application.deriveFirstTask();
        }
        return application;
    }

    private static StartConditions readStartConditions(PartitionCheckpointReader in) {
        boolean held = in.source().flag();
        Instant notBefore = in.optionalInstant();
        Map<String, ApplicationCondition> after = new LinkedHashMap<>();
        for (int left = in.count(); left > 0; left--) {
            after.put(in.source().text(), in.constant(ApplicationCondition.class));
        }
        return new StartConditions(held, notBefore, after);
    }

    /** Sets how far it has come, except its state. No task may have been allocated yet. */
    void restore(ApplicationProgress progress, Nodes nodes) {
        if (progress.groups().size() != groups().size()) {
            throw new IllegalArgumentException("progress of "
                    + progress.groups().size() + " groups of tasks, but " + id + " has " + groups().size());
        }
        for (TaskGroup group : groups()) {
            group.restore(progress.groups().get(group.index()), nodes);
        }
        groups().forEach(TaskGroup::recountDependencies);
        tasks = 0;
        unallocated = 0;
        pending = 0;
        groups().forEach(this::count);
        pendingSince = pending == 0 ? null : Objects.requireNonNullElse(progress.pendingSince(), submitted());
        sealed = progress.sealed();
        allocations = progress.allocations();
        if (gang != null && progress.restarting() && boundTasks() > 0) {
            gang.stopping(StopReason.GANG);
        }
        deriveFirstTask();
    }

    private void count(TaskGroup group) {
        tasks += group.kind().size();
        highestPriority = Math.max(highestPriority, group.kind().priority());
        unallocated += group.unallocated();
        pending += group.pending();
        succeeded += group.succeeded();
        failed += group.failed();
        stopped += group.stopped();
        if (group.allocatedCount() > 0) {
            for (Task task : group.placed()) {
                placed += task.isPreempting() ? 0 : 1;
                preempting += task.isPreempting() ? 1 : 0;
                suspended += task.isSuspended() ? 1 : 0;
                countStop(task.stopReason());
                allocated = Vectors.add(allocated, task.demand(), task.isPreempting() ? 0 : 1);
            }
        }
    }

    /**
     * Derives the first allocated task from the number of allocations. If there was one, the first task is the one that
     * is allocated, or else the one that has returned. If there is none, that task has ended, and any other task counts
     * as the second.
     */
    private void deriveFirstTask() {
        secondTaskAllocated = allocations > 1;
        Task earliest = null;
        TaskGroup returned = null;
        for (TaskGroup group : groups()) {
            for (Task task : group.placed()) {
                earliest = earliest == null || task.sequence() < earliest.sequence() ? task : earliest;
            }
            returned = returned == null && group.firstReturnedIndex() != NO_TASK ? group : returned;
        }
        if (allocations > 0 && earliest != null) {
            firstGroup = earliest.group().index();
            firstIndex = earliest.index();
        } else if (allocations > 0 && returned != null) {
            firstGroup = returned.index();
            firstIndex = returned.firstReturnedIndex();
        }
    }

    /** Reserves memory for this number of additional groups. */
    void reserveGroups(int more) {
        groups.reserve(more);
    }

    TaskGroup add(TaskSpec task, Demand demand, Duration meanDuration) {
        TaskGroup group = groups.add(this, task, demand, meanDuration);
        tasks += task.size();
        highestPriority = Math.max(highestPriority, task.priority());
        unallocated += task.size();
        return group;
    }

    String groupName(int groupIndex) {
        return groups.name(groupIndex);
    }

    void seal() {
        sealed = true;
    }

    /** Moves it to another queue, which counts it already. */
    void setQueue(Queue newQueue) {
        queue = newQueue;
        origin = new ApplicationOrigin(newQueue.path(), spec.user(), submitted());
    }

    /** Changes the specifications of its tasks. */
    void update(ApplicationUpdate update, Demand demand) {
        groups.update(update, demand);
        highestPriority = Integer.MIN_VALUE;
        groups().forEach(group ->
                highestPriority = Math.max(highestPriority, group.kind().priority()));
    }

    /** Makes tasks of a group pending again, all or the unsuccessful ones; returns their number. */
    int retry(TaskGroup group, boolean all) {
        succeeded -= all ? group.succeeded() : 0;
        failed -= group.failed();
        stopped -= group.stopped();
        int again = group.retry(all);
        unallocated += again;
        return again;
    }

    /** Returns the conditions of its start that are yet to be met. */
    StartConditions unmet() {
        return unmet;
    }

    void setUnmet(StartConditions conditions) {
        unmet = conditions;
    }

    void setState(ApplicationState newState, String reason, Instant at) {
        state = newState;
        stateReason = reason;
        stateSince = at;
        if (newState == ApplicationState.ACCEPTED) {
            allocations = 0;
            firstGroup = NO_TASK;
            firstIndex = NO_TASK;
            secondTaskAllocated = false;
            if (gang != null) {
                gang.reset();
            }
        }
    }

    /** Called when one of its tasks is being stopped for this reason. */
    void countStop(@Nullable StopReason reason) {
        if (gang != null) {
            gang.stopping(reason);
        }
    }

    void forget() {
        forgotten = true;
    }

    void setActive(boolean isActive) {
        active = isActive;
        limits.countActive(isActive ? 1 : -1);
        if (isActive && limitGroup == null) {
            limitGroup = ApplicationLimits.chooseGroup(queue(), spec.groups());
        }
    }

    /** Finds the limits that apply to it and counts it there. Its previous limits must not count it any more. */
    void joinLimits() {
        if (limitGroup != null && !ApplicationLimits.isLimited(queue(), limitGroup)) {
            limitGroup = null;
        }
        String group = limitGroup == null ? ApplicationLimits.chooseGroup(queue(), spec.groups()) : limitGroup;
        limitGroup = active ? group : limitGroup;
        limits = ApplicationLimits.of(queue(), spec.user(), group);
        limits.join(allocated, active);
    }

    void leaveLimits() {
        limits.leave(allocated, active);
        limits = ApplicationLimits.NONE;
    }

    /** Called when it ends: its group is chosen anew if it is retried. */
    void endLimits() {
        leaveLimits();
        limitGroup = null;
    }

    void countPending(long change, Instant at) {
        pending += change;
        if (pending == 0) {
            pendingSince = null;
        } else if (pendingSince == null) {
            pendingSince = at;
        }
    }

    void countPlaced(Task task) {
        allocated = Vectors.add(allocated, task.demand(), 1);
        limits.change(task.demand(), 1);
        placed++;
        unallocated--;
        countAllocation(task);
    }

    private void countAllocation(Task task) {
        allocations++;
        if (allocations == 1) {
            firstGroup = task.group().index();
            firstIndex = task.index();
        } else if (!isFirstAllocated(task.group(), task.index())) {
            secondTaskAllocated = true;
        }
    }

    void countPreempting(Task task) {
        allocated = Vectors.add(allocated, task.demand(), -1);
        limits.change(task.demand(), -1);
        placed--;
        preempting++;
    }

    void countEnded(Task task, TaskOutcome outcome, boolean again) {
        if (task.isPreempting()) {
            preempting--;
        } else {
            allocated = Vectors.add(allocated, task.demand(), -1);
            limits.change(task.demand(), -1);
            placed--;
        }
        if (gang != null && boundTasks() == 0) {
            gang.allEnded();
        }
        if (again) {
            unallocated++;
            return;
        }
        switch (outcome) {
            case SUCCEEDED -> succeeded++;
            case FAILED, TIMED_OUT, LOST -> failed++;
            case STOPPED -> stopped++;
        }
    }

    void countDropped(int dropped) {
        unallocated -= dropped;
        stopped += dropped;
    }

    @Override
    public String toString() {
        return id();
    }
}
