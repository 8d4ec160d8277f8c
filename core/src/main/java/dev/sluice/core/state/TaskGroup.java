package dev.sluice.core.state;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one specification: one task, or several that are alike.
 *
 * <p>Only what differs between them is kept: which have begun, which came back, which hold a place. A million tasks that wait
 * cost as much as one. Groups that nothing has happened to are many, so such a group holds nothing but its own: what it has in common
 * with others is theirs, too, its name stands with those of its application, and what happens to it is kept from when it happens.
 */
public final class TaskGroup {

    private final Application application;
    private final TaskKind kind;
    private final int index;
    private final long[] demand;
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

    /** The application it belongs to. */
    public Application application() {
        return application;
    }

    /** What was asked for; made when it is asked for, so whoever needs but a part of it asks for its name or kind. */
    public TaskSpec spec() {
        return new TaskSpec(name(), kind);
    }

    /** The name of its specification, unique in the application. */
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

    /** What was asked for, but for the name. */
    public TaskKind kind() {
        return kind;
    }

    /** The id of its task with this index, from 0; unique in the application. */
    public String taskId(int taskIndex) {
        return kind.taskId(name(), taskIndex);
    }

    /** Its place in the order of creation within the application, from 0. */
    public int index() {
        return index;
    }

    /** What each of its tasks takes, slots included, as a vector; not to be changed. */
    public long[] demand() {
        return demand;
    }

    /**
     * How long one run is expected to take: what the specification says, else the mean of the runs that were known when these tasks
     * were added; zero if nothing was.
     */
    public Duration expectedDuration() {
        return expectedDuration;
    }

    /** How many of its tasks do not hold a place and have not ended. */
    public int unallocated() {
        return progress == TaskProgress.NONE ? kind.size() : progress.unallocated();
    }

    /** Whether it waits for other tasks. */
    public boolean isWaiting() {
        return progress.isWaiting();
    }

    /** How many of its tasks could be placed now. */
    public int pending() {
        return isWaiting() ? 0 : unallocated();
    }

    /** The task that is placed next: what came back goes before what never ran. Only when some are unplaced. */
    public int nextIndex() {
        return progress.nextIndex();
    }

    /** The task with this index if it holds a place, else null. */
    public @Nullable Task placed(int taskIndex) {
        return progress.placed(taskIndex);
    }

    /** The indexes of those that neither hold a place nor have ended; they belong to whoever asked. */
    public BitSet unallocatedIndexes() {
        BitSet indexes = new BitSet();
        if (progress == TaskProgress.NONE) {
            indexes.set(0, kind.size());
        } else {
            progress.addUnallocatedTo(indexes);
        }
        return indexes;
    }

    /** How many hold a place. */
    public int allocatedCount() {
        return progress.allocatedCount();
    }

    /** Those that hold a place, by index. */
    public List<Task> placed() {
        return progress.placed();
    }

    /** The first one from this index on that holds a place, or null; found without looking at those before. */
    public @Nullable Task nextAllocated(int fromIndex) {
        return progress.nextAllocated(fromIndex);
    }

    /** How many of those gave their place up to others and have not ended yet. */
    public int preempting() {
        return progress.preempting();
    }

    /** How many ended well. */
    public int succeeded() {
        return progress.succeeded();
    }

    /** How many failed for good. */
    public int failed() {
        return progress.failed();
    }

    /** How many were stopped for good or dropped. */
    public int stopped() {
        return progress.stopped();
    }

    /** How many were reported as started at least once. */
    public int startedOnce() {
        return progress.startedOnce();
    }

    /** How many times the task with this index has failed and was given another try. */
    public int failures(int taskIndex) {
        return progress.failures(taskIndex);
    }

    /** How many times the task with this index was lost and was given another try. */
    public int losses(int taskIndex) {
        return progress.losses(taskIndex);
    }

    /** How many runs of the task with this index there have been. */
    public int attempts(int taskIndex) {
        return progress.attempts(taskIndex);
    }

    /** Whether the task with this index holds no place and has not ended. */
    public boolean isUnallocated(int taskIndex) {
        return taskIndex >= 0 && taskIndex < kind.size() && progress.isUnallocated(taskIndex);
    }

    /**
     * A group that waits for another one.
     *
     * @param group the group that waits
     * @param condition what it waits for
     */
    public record Dependent(TaskGroup group, TaskCondition condition) {}

    /** The groups of the same application that wait, or waited, for this one. */
    public List<Dependent> dependents() {
        return progress.dependents();
    }

    /** The lowest index of a task that is allocated or has returned, or -1 if there is none. */
    int firstAllocatedIndex() {
        return progress.firstAllocatedIndex();
    }

    /** Whether this much has happened to all of its tasks. */
    public boolean has(TaskCondition condition) {
        return switch (condition) {
            case STARTED -> startedOnce() == kind.size();
            case SUCCEEDED -> succeeded() == kind.size();
        };
    }

    /** Whether this much can no longer happen to all of its tasks. */
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

    /** Reads what has become of its tasks. */
    void readProgress(PartitionCheckpointReader in) {
        if (in.source().flag()) {
            progress = TaskProgress.readFrom(in, this);
        }
    }

    /** Lets those that it waits, or waited, for know it again; how many it still waits for was read. */
    void linkDependencies() {
        kind.after().forEach((name, condition) -> {
            TaskGroup awaited = application.group(name);
            if (awaited == null) {
                throw PartitionCheckpointReader.corrupt(this + " waits for " + name + ", which is not there");
            }
            awaited.ownProgress().addDependent(this, condition);
        });
    }

    void waitFor(TaskGroup other, TaskCondition condition) {
        if (!other.has(condition)) {
            ownProgress().addUnmetDependency();
        }
        other.ownProgress().addDependent(this, condition);
    }

    /** Something that it waited for has happened; returns whether this made the tasks pending. */
    boolean conditionMet() {
        return ownProgress().conditionMet();
    }

    Task place(int taskIndex, Node node, long sequence, boolean reserved, Instant at) {
        TaskProgress own = ownProgress();
        if (!own.take(taskIndex)) {
            throw new IllegalStateException("task " + taskId(taskIndex) + " does not wait for a place");
        }
        Task task = new Task(this, taskIndex, node, own.attempts(taskIndex) + 1, sequence, reserved, at);
        own.place(task);
        return task;
    }

    void started(int taskIndex) {
        ownProgress().started(taskIndex);
    }

    void countPreempting() {
        ownProgress().countPreempting();
    }

    void ended(Task task, TaskOutcome outcome, boolean again) {
        ownProgress().ended(task, outcome, again);
    }

    /** Drops one task that holds no place: it counts as stopped. */
    void drop(int taskIndex) {
        ownProgress().drop(taskIndex);
    }

    /** Drops the tasks that hold no place: they count as stopped. Returns how many they were. */
    int dropUnallocated() {
        return ownProgress().dropUnallocated();
    }

    /** Where the durations of its runs are counted, so that it is looked for but once. */
    DurationHistory.Runs runs(DurationHistory durations) {
        TaskProgress own = ownProgress();
        DurationHistory.Runs known = own.runs;
        if (known == null || known.isForgotten()) {
            known = durations.runs(DurationHistory.Key.of(application.spec(), spec()));
            own.runs = known;
        }
        return known;
    }

    /** The progress of this very group, which something happens to. */
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
