package dev.sluice.core.state;

import dev.sluice.core.application.TaskCondition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The progress of the tasks of one group: which have run, which returned, which are allocated, how many ended, and how
 * many dependencies are not met yet. Groups without events share {@link #NONE}.
 */
final class TaskProgress {

    /** The shared, immutable progress of groups without events. */
    static final TaskProgress NONE = new TaskProgress(0);

    /** The name of the group, cached on first use because every event needs it; null before. */
    @Nullable String name;

    /** Where the durations of its runs are counted, cached on first use; null before. */
    DurationHistory.@Nullable Runs runs;

    private final int tasks;
    private List<TaskGroup.Dependent> dependents = List.of();
    private int unmet;
    private int nextNew;
    private AllocatedTasks placed = AllocatedTasks.NONE;
    private @Nullable PriorityQueue<Integer> returned;
    private @Nullable Set<Integer> skipped;
    private @Nullable Set<Integer> startedBefore;
    private @Nullable Map<Integer, Integer> failures;
    private @Nullable Map<Integer, Integer> losses;
    private @Nullable Map<Integer, Integer> attempts;
    private int preempting;
    private int startedOnce;
    private int succeeded;
    private int failed;
    private int stopped;

    /** Creates the progress of a group with this number of tasks. */
    TaskProgress(int tasks) {
        this.tasks = tasks;
    }

    /** Writes everything except the dependents, which are written with the groups that depend on this one. */
    void writeTo(PartitionCheckpointWriter out) {
        StateSink sink = out.sink();
        sink.number(unmet);
        sink.number(nextNew);
        sink.number(startedOnce);
        sink.number(succeeded);
        sink.number(failed);
        sink.number(stopped);
        write(returned, sink);
        write(skipped, sink);
        write(startedBefore, sink);
        write(failures, sink);
        write(losses, sink);
        write(attempts, sink);
        sink.number(placed.size());
        placed.all().forEach(task -> task.writeTo(out));
    }

    /** Reads the progress of this group. */
    static TaskProgress readFrom(PartitionCheckpointReader in, TaskGroup group) {
        TaskProgress progress = new TaskProgress(group.kind().size());
        progress.unmet = in.count();
        progress.nextNew = in.count();
        progress.startedOnce = in.count();
        progress.succeeded = in.count();
        progress.failed = in.count();
        progress.stopped = in.count();
        progress.returned = read(in, new PriorityQueue<>());
        progress.skipped = read(in, new HashSet<>());
        progress.startedBefore = read(in, new HashSet<>());
        progress.failures = read(in);
        progress.losses = read(in);
        progress.attempts = read(in);
        for (int left = in.count(); left > 0; left--) {
            Task task = Task.readFrom(in, group);
            if (progress.placed(task.index()) != null) {
                throw PartitionCheckpointReader.corrupt("task " + task + " is on two nodes");
            }
            progress.place(task);
            progress.preempting += task.isPreempting() ? 1 : 0;
        }
        if (!progress.isConsistent() || progress.unmet > group.kind().after().size()) {
            throw PartitionCheckpointReader.corrupt("inconsistent task counts of " + group);
        }
        return progress;
    }

    /** Sets the progress of this group, no task of which has been allocated yet. */
    void restore(ApplicationProgress.Group progress, TaskGroup group, Nodes nodes) {
        if (!progress.isWithin(tasks)) {
            throw new IllegalArgumentException(group + " has only " + tasks + " tasks: " + progress);
        }
        nextNew = progress.begun();
        BitSet back = new BitSet();
        back.set(0, nextNew);
        for (ApplicationProgress.Ended ended : progress.ended()) {
            int count = ended.end() - ended.first();
            countEnded(ended.outcome(), count);
            startedOnce += ended.outcome() == TaskOutcome.STOPPED ? 0 : count;
            back.clear(ended.first(), ended.end());
            for (int index = Math.max(ended.first(), progress.begun()); index < ended.end(); index++) {
                skip(index);
            }
        }
        for (ApplicationProgress.Allocated allocated : progress.allocated()) {
            Task task = Task.restore(allocated, group, nodes.existing(allocated.node()));
            place(task);
            preempting += task.isPreempting() ? 1 : 0;
            startedOnce += task.startedAt() == null ? 0 : 1;
            back.clear(task.index());
        }
        returned = back.isEmpty()
                ? null
                : new PriorityQueue<>(back.stream().boxed().toList());
        if (!isConsistent()) {
            throw new IllegalArgumentException("inconsistent progress of " + group + ": " + progress);
        }
    }

    void setUnmetDependencies(int newUnmet) {
        unmet = newUnmet;
    }

    /** Returns whether the number of unallocated tasks equals the tasks that never ran plus those that returned. */
    private boolean isConsistent() {
        long fresh = (long) tasks - nextNew - (skipped == null ? 0 : skipped.size());
        long back = returned == null ? 0 : returned.size();
        long ended = (long) succeeded + failed + stopped;
        return fresh >= 0 && fresh + back + placed.size() + ended == tasks;
    }

    private static void write(@Nullable Collection<Integer> indexes, StateSink sink) {
        int[] sorted = indexes == null
                ? new int[0]
                : indexes.stream().mapToInt(Integer::intValue).sorted().toArray();
        sink.number(sorted.length);
        for (int index : sorted) {
            sink.number(index);
        }
    }

    private static <C extends Collection<Integer>> @Nullable C read(PartitionCheckpointReader in, C indexes) {
        for (int left = in.count(); left > 0; left--) {
            indexes.add(in.count());
        }
        return indexes.isEmpty() ? null : indexes;
    }

    private static void write(@Nullable Map<Integer, Integer> counts, StateSink sink) {
        Map<Integer, Integer> known = counts == null ? Map.of() : counts;
        int[] sorted =
                known.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        sink.number(sorted.length);
        for (int index : sorted) {
            sink.number(index);
            sink.number(known.getOrDefault(index, 0));
        }
    }

    private static @Nullable Map<Integer, Integer> read(PartitionCheckpointReader in) {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int left = in.count(); left > 0; left--) {
            counts.put(in.count(), in.count());
        }
        return counts.isEmpty() ? null : counts;
    }

    boolean isWaiting() {
        return unmet > 0;
    }

    /** Returns the number of unfinished tasks that are not allocated. */
    int unallocated() {
        return tasks - placed.size() - succeeded - failed - stopped;
    }

    int nextIndex() {
        return returned == null || returned.isEmpty() ? nextNew : returned.element();
    }

    @Nullable Task placed(int taskIndex) {
        return placed.get(taskIndex);
    }

    int allocatedCount() {
        return placed.size();
    }

    List<Task> placed() {
        return placed.all();
    }

    int firstReturnedIndex() {
        return returned == null || returned.isEmpty() ? -1 : returned.element();
    }

    @Nullable Task nextAllocated(int fromIndex) {
        return placed.next(fromIndex);
    }

    int preempting() {
        return preempting;
    }

    void countPreempting() {
        preempting++;
    }

    int succeeded() {
        return succeeded;
    }

    int failed() {
        return failed;
    }

    int stopped() {
        return stopped;
    }

    int startedOnce() {
        return startedOnce;
    }

    int failures(int taskIndex) {
        return failures == null ? 0 : failures.getOrDefault(taskIndex, 0);
    }

    int losses(int taskIndex) {
        return losses == null ? 0 : losses.getOrDefault(taskIndex, 0);
    }

    int attempts(int taskIndex) {
        return attempts == null ? 0 : attempts.getOrDefault(taskIndex, 0);
    }

    /** Returns whether a task is unfinished and not allocated. The group must have a task with this index. */
    boolean isUnallocated(int taskIndex) {
        if (taskIndex >= nextNew) {
            return skipped == null || !skipped.contains(taskIndex);
        }
        return returned != null && returned.contains(taskIndex);
    }

    /** Adds the indexes of the unfinished tasks that are not allocated. */
    void addUnallocatedTo(BitSet indexes) {
        indexes.set(nextNew, tasks);
        if (skipped != null) {
            skipped.forEach(indexes::clear);
        }
        if (returned != null) {
            returned.forEach(indexes::set);
        }
    }

    List<TaskGroup.Dependent> dependents() {
        return Collections.unmodifiableList(dependents);
    }

    void addDependent(TaskGroup group, TaskCondition condition) {
        if (dependents.isEmpty()) {
            dependents = new ArrayList<>();
        }
        dependents.add(new TaskGroup.Dependent(group, condition));
    }

    void addUnmetDependency() {
        unmet++;
    }

    /** Called when a dependency was met; returns whether it was the last unmet one. */
    boolean conditionMet() {
        unmet--;
        return unmet == 0;
    }

    /** Removes a task from the unallocated ones; returns whether it was one of them. */
    boolean take(int taskIndex) {
        if (taskIndex == nextNew && taskIndex < tasks) {
            nextNew++;
            advancePastSkipped();
            return true;
        }
        return returned != null && returned.remove(taskIndex);
    }

    /** Adds a task of the group to the allocated ones. */
    void place(Task task) {
        if (placed == AllocatedTasks.NONE) {
            placed = new AllocatedTasks(tasks);
        }
        placed.put(task);
    }

    void started(int taskIndex) {
        if (startedBefore == null || !startedBefore.contains(taskIndex)) {
            startedOnce++;
        }
    }

    void ended(Task task, TaskOutcome outcome, boolean again) {
        placed.remove(task);
        preempting -= task.isPreempting() ? 1 : 0;
        if (again) {
            requeue(task, outcome);
            return;
        }
        if (attempts != null) {
            attempts.remove(task.index());
        }
        if (failures != null) {
            failures.remove(task.index());
        }
        if (losses != null) {
            losses.remove(task.index());
        }
        if (startedBefore != null) {
            startedBefore.remove(task.index());
        }
        countEnded(outcome, 1);
    }

    private void countEnded(TaskOutcome outcome, int ended) {
        switch (outcome) {
            case SUCCEEDED -> succeeded += ended;
            case FAILED, TIMED_OUT, LOST -> failed += ended;
            case STOPPED -> stopped += ended;
        }
    }

    private void requeue(Task task, TaskOutcome outcome) {
        if (returned == null) {
            returned = new PriorityQueue<>();
        }
        returned.add(task.index());
        if (task.startedAt() != null) {
            if (startedBefore == null) {
                startedBefore = new HashSet<>();
            }
            startedBefore.add(task.index());
        }
        if (attempts == null) {
            attempts = new HashMap<>();
        }
        attempts.put(task.index(), task.attempt());
        if (outcome.isOwnFailure()) {
            if (failures == null) {
                failures = new HashMap<>();
            }
            failures.merge(task.index(), 1, Integer::sum);
        } else if (outcome == TaskOutcome.LOST) {
            if (losses == null) {
                losses = new HashMap<>();
            }
            losses.merge(task.index(), 1, Integer::sum);
        }
    }

    private void advancePastSkipped() {
        while (skipped != null && skipped.remove(nextNew)) {
            nextNew++;
        }
    }

    void drop(int taskIndex) {
        stopped++;
        if (taskIndex < nextNew) {
            if (returned != null) {
                returned.remove(taskIndex);
            }
            return;
        }
        skip(taskIndex);
    }

    private void skip(int taskIndex) {
        if (skipped == null) {
            skipped = new HashSet<>();
        }
        skipped.add(taskIndex);
        advancePastSkipped();
    }

    /** Drops all unallocated tasks; returns their number. */
    int dropUnallocated() {
        int dropped = unallocated();
        stopped += dropped;
        nextNew = tasks;
        returned = null;
        skipped = null;
        return dropped;
    }
}
