package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one specification: a single task, or several identical ones.
 *
 * <p>A group stores only how its tasks differ: which have run, which returned, which are allocated. A million pending
 * tasks take as much memory as one. There may also be many groups, so a group without events is small: it shares its
 * kind with equal groups, the application stores its name, and its progress is created with its first event.
 */
public final class TaskGroup {

    private final Application application;
    private TaskKind kind;
    private final int index;
    private long[] demand;
    private final Duration expectedDuration;
    private TaskProgress progress = TaskProgress.NONE;
    boolean touched;

    TaskGroup(Application application, TaskKind kind, int index, long[] demand, Duration expectedDuration) {
        this.application = application;
        this.kind = kind;
        this.index = index;
        this.demand = demand;
        this.expectedDuration = expectedDuration;
    }

    public Application application() {
        return application;
    }

    /** Returns the specification, created on each call. Use {@link #name} or {@link #kind} if they suffice. */
    public TaskSpec spec() {
        return new TaskSpec(name(), kind);
    }

    /** Returns the name of the specification, unique in the application. */
    public String name() {
        String name = progress.name;
        if (name == null) {
            name = application.groupName(index);
            if (progress != TaskProgress.NONE) {
                progress.name = name;
            }
        }
        return name;
    }

    /** Returns the specification without the name. */
    public TaskKind kind() {
        return kind;
    }

    /** Returns whether an update concerns it: some of its tasks have not ended. */
    public boolean isUpdatedBy(ApplicationUpdate update) {
        return (update.task() == null || update.task().equals(name())) && unallocated() + allocatedCount() > 0;
    }

    /** Replaces the specification, which must have the same count; tasks on nodes keep theirs. */
    void setKind(TaskKind newKind, long[] newDemand) {
        kind = newKind;
        demand = newDemand;
    }

    /** Returns whether it is one task, whose id is the name itself. */
    public boolean isSingle() {
        return kind.count() == TaskSpec.SINGLE;
    }

    /** Returns a reference to the task with this index, from 0. */
    public TaskRef ref(int taskIndex) {
        return new TaskRef(application.partition(), application.id(), name(), isSingle() ? TaskRef.SINGLE : taskIndex);
    }

    /** Returns the id of the task with this index, from 0; unique in the application. */
    public String taskId(int taskIndex) {
        return kind.taskId(name(), taskIndex);
    }

    /** Returns its position in the order of creation within the application, from 0. */
    public int index() {
        return index;
    }

    /** Returns the resources of each task, slots included, as a vector. Must not be modified. */
    public long[] demand() {
        return demand;
    }

    /** Returns the amount of this type that each task requests. */
    public long demand(int type) {
        return Vectors.at(demand, type);
    }

    /**
     * Returns the expected duration of one run: that of the specification, otherwise the mean of the runs known when
     * the tasks were added; zero if there were none.
     */
    public Duration expectedDuration() {
        return expectedDuration;
    }

    /** Returns the number of unfinished tasks that are not allocated. */
    public int unallocated() {
        return progress == TaskProgress.NONE ? kind.size() : progress.unallocated();
    }

    /**
     * Returns whether its tasks wait for dependencies, or for a condition of the application's start: its release, an
     * instant, or the end of other applications.
     */
    public boolean isWaiting() {
        return application.isBlocked() || progress.isWaiting();
    }

    /** Returns the number of tasks that could be allocated now. */
    public int pending() {
        return isWaiting() ? 0 : unallocated() - progress.delayed().size();
    }

    /** Returns the unallocated tasks whose retry delay has not passed, in the order of their indexes. */
    public Collection<DelayedTask> delayed() {
        return progress.delayed();
    }

    /** Returns the task with this index if its retry delay has not passed, otherwise null. */
    public @Nullable DelayedTask delayed(int taskIndex) {
        return progress.delayed(taskIndex);
    }

    /** Returns whether the task with this index could be allocated now. */
    public boolean isPending(int taskIndex) {
        return !isWaiting() && isUnallocated(taskIndex) && delayed(taskIndex) == null;
    }

    /**
     * Returns the index of the task to allocate next: tasks that returned come before tasks that never ran. Only
     * defined if some are unallocated and in no retry delay.
     */
    public int nextIndex() {
        return progress.nextIndex();
    }

    /** Returns the task with this index if it is on a node, otherwise null. */
    public @Nullable Task placed(int taskIndex) {
        return progress.placed(taskIndex);
    }

    /** Returns the indexes of the unfinished tasks that are not allocated. The caller may modify the result. */
    public BitSet unallocatedIndexes() {
        BitSet indexes = new BitSet();
        if (progress == TaskProgress.NONE) {
            indexes.set(0, kind.size());
        } else {
            progress.addUnallocatedTo(indexes);
        }
        return indexes;
    }

    /** Returns the number of tasks on nodes. */
    public int allocatedCount() {
        return progress.allocatedCount();
    }

    /** Returns the tasks on nodes in the order of their indexes. */
    public List<Task> placed() {
        return progress.placed();
    }

    /** Returns the first task on a node from this index on, or null. Does not visit the tasks before it. */
    public @Nullable Task nextAllocated(int fromIndex) {
        return progress.nextAllocated(fromIndex);
    }

    /** Returns the number of tasks that were preempted and have not ended yet. */
    public int preempting() {
        return progress.preempting();
    }

    /** Returns how many of these were preempted because their queue uses more than its maximum. */
    public int preemptingForMaximum() {
        return progress.preemptingForMaximum();
    }

    /** Returns the number of tasks that succeeded. */
    public int succeeded() {
        return progress.succeeded();
    }

    /** Returns the number of tasks that failed and are not retried. */
    public int failed() {
        return progress.failed();
    }

    /** Returns the number of tasks that were dropped, or stopped and not run again. */
    public int stopped() {
        return progress.stopped();
    }

    /** Returns the number of tasks that were reported as started at least once. */
    public int startedOnce() {
        return progress.startedOnce();
    }

    /** Returns how often the task with this index failed and was retried. */
    public int failures(int taskIndex) {
        return progress.failures(taskIndex);
    }

    /** Returns how often the task with this index was lost and was retried. */
    public int losses(int taskIndex) {
        return progress.losses(taskIndex);
    }

    /** Returns the number of runs of the task with this index so far. */
    public int attempts(int taskIndex) {
        return progress.attempts(taskIndex);
    }

    /** Returns whether the task with this index is unfinished and not allocated. */
    public boolean isUnallocated(int taskIndex) {
        return taskIndex >= 0 && taskIndex < kind.size() && progress.isUnallocated(taskIndex);
    }

    /**
     * A group that depends on another one.
     *
     * @param group the dependent group
     * @param condition the condition that it waits for
     */
    public record Dependent(TaskGroup group, TaskCondition condition) {}

    /** Returns the groups of the same application that wait, or waited, for this one. */
    public List<Dependent> dependents() {
        return progress.dependents();
    }

    /** Returns the lowest index of a task that has returned, or -1 if there is none. */
    int firstReturnedIndex() {
        return progress.firstReturnedIndex();
    }

    /** Returns whether all its tasks meet this condition. */
    public boolean has(TaskCondition condition) {
        return switch (condition) {
            case STARTED -> startedOnce() == kind.size();
            case SUCCEEDED -> succeeded() == kind.size();
        };
    }

    /** Returns whether some of its tasks can no longer meet this condition. */
    public boolean cannotMeet(TaskCondition condition) {
        return switch (condition) {
            case STARTED -> !has(condition) && allocatedCount() == 0 && unallocated() == 0;
            case SUCCEEDED -> failed() + stopped() > 0;
        };
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().text(application.groupName(index));
        out.sink().kind(kind);
        if (kind.expectedDuration().isZero()) {
            out.sink().duration(expectedDuration);
        }
        out.sink().flag(progress != TaskProgress.NONE);
        if (progress != TaskProgress.NONE) {
            progress.writeTo(out);
        }
    }

    /** Reads the progress of its tasks. */
    void readProgress(PartitionCheckpointReader in) {
        if (in.source().flag()) {
            progress = TaskProgress.readFrom(in, this);
        }
    }

    /** Registers this group as a dependent of its dependencies again; the number of unmet ones was read. */
    void linkDependencies() {
        kind.after().forEach((name, condition) -> {
            TaskGroup awaited = application.group(name);
            if (awaited == null) {
                throw PartitionCheckpointReader.corrupt(this + " depends on " + name + ", which does not exist");
            }
            awaited.ownProgress().addDependent(this, condition);
        });
    }

    /** Sets its progress; {@link #recountDependencies} follows after all groups. */
    void restore(List<ApplicationProgress.Part> parts, Nodes nodes) {
        if (!parts.isEmpty()) {
            ownProgress().restore(parts, this, nodes);
        }
    }

    /** Counts its unmet dependencies again. */
    void recountDependencies() {
        int unmet = 0;
        for (Map.Entry<String, TaskCondition> after : kind.after().entrySet()) {
            TaskGroup awaited = application.group(after.getKey());
            unmet += awaited != null && awaited.has(after.getValue()) ? 0 : 1;
        }
        if (!kind.after().isEmpty()) {
            ownProgress().setUnmetDependencies(unmet);
        }
    }

    void waitFor(TaskGroup other, TaskCondition condition) {
        if (!other.has(condition)) {
            ownProgress().addUnmetDependency();
        }
        other.ownProgress().addDependent(this, condition);
    }

    /** Called when a dependency was met; returns whether this made the tasks pending. */
    boolean conditionMet() {
        return ownProgress().conditionMet();
    }

    Task place(int taskIndex, Node node, long sequence, boolean reserved, Instant at) {
        TaskProgress own = ownProgress();
        if (!own.take(taskIndex)) {
            throw new IllegalStateException("task " + taskId(taskIndex) + " is not pending");
        }
        Task task = new Task(this, taskIndex, node, own.attempts(taskIndex) + 1, sequence, reserved, at);
        own.place(task);
        return task;
    }

    /** Returns whether it is known which of its tasks failed or were stopped. */
    boolean isUnsuccessfulKnown() {
        return progress.isUnsuccessfulKnown();
    }

    /** Makes its ended tasks pending again, all or the unsuccessful ones; returns their number. */
    int retry(boolean all) {
        return ownProgress().retry(all);
    }

    void started(int taskIndex) {
        ownProgress().started(taskIndex);
    }

    void countPreempting() {
        ownProgress().countPreempting();
    }

    void countPreemptingForMaximum(int change) {
        ownProgress().countPreemptingForMaximum(change);
    }

    void ended(Task task, TaskOutcome outcome, boolean again) {
        ownProgress().ended(task, outcome, again);
    }

    /** Delays a task that has returned; the caller sets its timer. */
    DelayedTask delay(int taskIndex) {
        DelayedTask delayed = new DelayedTask(this, taskIndex);
        ownProgress().delay(delayed);
        return delayed;
    }

    /** Ends the delay of a task. */
    void retryDue(int taskIndex) {
        ownProgress().retryDue(taskIndex);
    }

    /** Drops one unallocated task, which counts as stopped. */
    void drop(int taskIndex) {
        ownProgress().drop(taskIndex);
    }

    /** Drops all unallocated tasks, which count as stopped; returns their number. */
    int dropUnallocated() {
        return ownProgress().dropUnallocated();
    }

    /** Returns where the durations of its runs are counted; cached, so that they are looked up only once. */
    DurationHistory.Runs runs(DurationHistory durations) {
        TaskProgress own = ownProgress();
        DurationHistory.Runs known = own.runs;
        if (known == null || known.isForgotten()) {
            known = durations.runs(DurationHistory.Key.of(application.spec(), spec()));
            own.runs = known;
        }
        return known;
    }

    /** Returns the progress of this group; replaces the shared empty one on first use. */
    private TaskProgress ownProgress() {
        if (progress == TaskProgress.NONE) {
            progress = new TaskProgress(kind.size());
        }
        return progress;
    }

    @Override
    public String toString() {
        return application.id() + "/" + name();
    }
}
