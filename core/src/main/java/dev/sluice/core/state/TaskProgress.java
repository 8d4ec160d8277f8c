package dev.sluice.core.state;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskState;
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
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The progress of the tasks of one group: which have run, which returned, which are allocated, how many ended, and how
 * many dependencies are not met yet. Groups without events share {@link #NONE}.
 */
final class TaskProgress {

    /** The shared, immutable progress of groups without events. */
    static final TaskProgress NONE = new TaskProgress(0);

    /** The assumed highest number of a run if a checkpoint does not say it: no later run may have its number. */
    private static final int UNKNOWN_ATTEMPTS = 1000;

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
    private @Nullable BitSet startedBefore;
    private @Nullable Map<Integer, Integer> failures;
    private @Nullable Map<Integer, Integer> losses;
    private @Nullable Map<Integer, Integer> attempts;
    private @Nullable SortedMap<Integer, DelayedTask> delayed; // unallocated tasks in a retry delay, by index
    private @Nullable BitSet unsuccessful; // the tasks that failed or stopped for good
    private int attemptsMax; // the highest number of a run that ended for good
    private int attemptsBefore; // that number when tasks were last retried
    private int preempting;
    private int preemptingForMaximum;
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
        out.indexes(returned);
        out.indexes(skipped);
        writeRanges(startedBefore, sink);
        out.counts(failures);
        out.counts(losses);
        out.counts(attempts);
        writeRanges(unsuccessful, sink);
        sink.number(attemptsMax);
        sink.number(attemptsBefore);
        sink.number(delayed().size());
        for (DelayedTask task : delayed()) {
            sink.number(task.index());
            sink.instant(task.retryAt());
        }
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
        progress.returned = in.indexes(new PriorityQueue<>());
        progress.skipped = in.indexes(new HashSet<>());
        progress.startedBefore =
                in.hasApplicationControl() ? readRanges(in, group.kind().size()) : bits(in.indexes(new ArrayList<>()));
        progress.failures = in.counts();
        progress.losses = in.counts();
        progress.attempts = in.counts();
        if (in.hasApplicationControl()) {
            progress.unsuccessful = readRanges(in, group.kind().size());
            progress.attemptsMax = in.count();
            progress.attemptsBefore = in.count();
            progress.readDelayed(in, group);
        } else {
            progress.attemptsMax = UNKNOWN_ATTEMPTS;
        }
        for (int left = in.count(); left > 0; left--) {
            Task task = Task.readFrom(in, group);
            if (progress.placed(task.index()) != null) {
                throw PartitionCheckpointReader.corrupt("task " + task + " is on two nodes");
            }
            progress.place(task);
            progress.preempting += task.isPreempting() ? 1 : 0;
            progress.preemptingForMaximum += task.isPreemptingForMaximum() ? 1 : 0;
        }
        if (!progress.isConsistent() || progress.unmet > group.kind().after().size()) {
            throw PartitionCheckpointReader.corrupt("inconsistent task counts of " + group);
        }
        return progress;
    }

    private void readDelayed(PartitionCheckpointReader in, TaskGroup group) {
        for (int left = in.count(); left > 0; left--) {
            DelayedTask task = new DelayedTask(group, in.count());
            if (task.index() >= nextNew || delayed(task.index()) != null) {
                throw PartitionCheckpointReader.corrupt("task " + task + " cannot be in a retry delay");
            }
            addDelayed(task);
            in.timer(task, in.instant());
        }
    }

    private static @Nullable BitSet bits(@Nullable List<Integer> indexes) {
        BitSet bits = new BitSet();
        if (indexes != null) {
            indexes.forEach(bits::set);
        }
        return indexes == null ? null : bits;
    }

    /** Writes indexes as ranges, because millions of tasks may be dropped at once. */
    private static void writeRanges(@Nullable BitSet indexes, StateSink sink) {
        List<Integer> ends = new ArrayList<>();
        for (int first = indexes == null ? -1 : indexes.nextSetBit(0); indexes != null && first >= 0; ) {
            int end = indexes.nextClearBit(first);
            ends.add(first);
            ends.add(end);
            first = indexes.nextSetBit(end);
        }
        sink.number(ends.size() / 2);
        ends.forEach(sink::number);
    }

    private static @Nullable BitSet readRanges(PartitionCheckpointReader in, int tasks) {
        BitSet indexes = new BitSet();
        for (int left = in.count(); left > 0; left--) {
            int first = in.count();
            int end = in.number(first);
            if (end > tasks) {
                throw PartitionCheckpointReader.corrupt("a group of " + tasks + " tasks has no task " + (end - 1));
            }
            indexes.set(first, end);
        }
        return indexes.isEmpty() ? null : indexes;
    }

    /**
     * Sets the progress of this group, no task of which has been allocated yet. Tasks in no part that come before one
     * that was allocated have returned.
     */
    void restore(List<ApplicationProgress.Part> parts, TaskGroup group, Nodes nodes) {
        BitSet back = new BitSet();
        for (ApplicationProgress.Part part : parts) {
            if (part.end() > tasks) {
                throw new IllegalArgumentException(group + " has only " + tasks + " tasks: " + part);
            }
            nextNew = part.state() == TaskState.STOPPED ? nextNew : Math.max(nextNew, part.end());
        }
        back.set(0, nextNew);
        for (ApplicationProgress.Part part : parts) {
            if (part.retryAt() != null) {
                back.clear(part.first());
                addDelayed(new DelayedTask(group, part.first()));
            } else if (part.state() != TaskState.PENDING) {
                back.clear(part.first(), part.end());
                restore(part, group, nodes);
            }
        }
        returned = back.isEmpty()
                ? null
                : new PriorityQueue<>(back.stream().boxed().toList());
        if (!isConsistent()) {
            throw new IllegalArgumentException(group + " has tasks in two states: " + parts);
        }
    }

    private void restore(ApplicationProgress.Part part, TaskGroup group, Nodes nodes) {
        int count = part.end() - part.first();
        ApplicationProgress.Run run = part.run();
        if (run != null) {
            Task task = Task.restore(group, part.first(), part.state(), run, nodes.existing(run.node()));
            place(task);
            preempting += task.isPreempting() ? 1 : 0;
            preemptingForMaximum += task.isPreemptingForMaximum() ? 1 : 0;
            startedOnce += task.startedAt() == null ? 0 : 1;
        } else if (part.state() == TaskState.STOPPED) {
            stopped += count;
            ownUnsuccessful().set(part.first(), part.end());
            for (int index = Math.max(part.first(), nextNew); index < part.end(); index++) {
                skip(index);
            }
        } else {
            succeeded += part.state() == TaskState.SUCCEEDED ? count : 0;
            failed += part.state() == TaskState.FAILED ? count : 0;
            if (part.state() == TaskState.FAILED) {
                ownUnsuccessful().set(part.first(), part.end());
            }
            attemptsMax = 1;
            startedOnce += count;
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
        return fresh >= 0 && fresh + back + delayed().size() + placed.size() + ended == tasks;
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

    int preemptingForMaximum() {
        return preemptingForMaximum;
    }

    void countPreemptingForMaximum(int change) {
        preemptingForMaximum += change;
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
        return attempts == null ? attemptsBefore : attempts.getOrDefault(taskIndex, attemptsBefore);
    }

    /** Returns whether a task is unfinished and not allocated. The group must have a task with this index. */
    boolean isUnallocated(int taskIndex) {
        if (taskIndex >= nextNew) {
            return skipped == null || !skipped.contains(taskIndex);
        }
        return (returned != null && returned.contains(taskIndex)) || delayed(taskIndex) != null;
    }

    Collection<DelayedTask> delayed() {
        return delayed == null ? List.of() : Collections.unmodifiableCollection(delayed.values());
    }

    @Nullable DelayedTask delayed(int taskIndex) {
        return delayed == null ? null : delayed.get(taskIndex);
    }

    /** Delays a task that has returned. */
    void delay(DelayedTask task) {
        if (returned == null || !returned.remove(task.index())) {
            throw new IllegalStateException("task " + task + " has not returned");
        }
        addDelayed(task);
    }

    private void addDelayed(DelayedTask task) {
        if (delayed == null) {
            delayed = new TreeMap<>();
        }
        delayed.put(task.index(), task);
    }

    /** Returns a delayed task to the pending ones. */
    void retryDue(int taskIndex) {
        endDelay(taskIndex);
        addReturned(taskIndex);
    }

    private void endDelay(int taskIndex) {
        if (delayed != null) {
            delayed.remove(taskIndex);
            delayed = delayed.isEmpty() ? null : delayed;
        }
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
        if (delayed != null) {
            delayed.keySet().forEach(indexes::set);
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
        if (startedBefore == null || !startedBefore.get(taskIndex)) {
            startedOnce++;
        }
    }

    void ended(Task task, TaskOutcome outcome, boolean again) {
        placed.remove(task);
        preempting -= task.isPreempting() ? 1 : 0;
        preemptingForMaximum -= task.isPreemptingForMaximum() ? 1 : 0;
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
        attemptsMax = Math.max(attemptsMax, task.attempt());
        if (outcome != TaskOutcome.SUCCEEDED) {
            ownUnsuccessful().set(task.index());
            countStarted(task);
        } else if (startedBefore != null) {
            startedBefore.clear(task.index());
            startedBefore = startedBefore.isEmpty() ? null : startedBefore;
        }
        switch (outcome) {
            case SUCCEEDED -> succeeded++;
            case FAILED, TIMED_OUT, LOST -> failed++;
            case STOPPED -> stopped++;
        }
    }

    /** Returns the tasks that failed or stopped for good, to add further ones. */
    private BitSet ownUnsuccessful() {
        if (unsuccessful == null) {
            unsuccessful = new BitSet();
        }
        return unsuccessful;
    }

    /** Remembers that a task has started, so that it is not counted again if it runs again. */
    private void countStarted(Task task) {
        if (task.startedAt() != null) {
            if (startedBefore == null) {
                startedBefore = new BitSet();
            }
            startedBefore.set(task.index());
        }
    }

    boolean isUnsuccessfulKnown() {
        return (unsuccessful == null ? 0 : unsuccessful.cardinality()) == failed + stopped;
    }

    /** Makes ended tasks pending again, all or the unsuccessful ones; returns their number. All must have ended. */
    int retry(boolean all) {
        if (attempts != null) {
            attempts.values().forEach(number -> attemptsMax = Math.max(attemptsMax, number));
        }
        attemptsBefore = attemptsMax;
        attempts = null;
        failures = null;
        losses = null;
        skipped = null;
        int again = all ? tasks : failed + stopped;
        boolean fresh = again == tasks;
        nextNew = fresh ? 0 : tasks;
        returned = fresh || unsuccessful == null
                ? null
                : new PriorityQueue<>(unsuccessful.stream().boxed().toList());
        unsuccessful = null;
        if (all) {
            succeeded = 0;
            startedOnce = 0;
            startedBefore = null;
        }
        failed = 0;
        stopped = 0;
        return again;
    }

    private void addReturned(int taskIndex) {
        if (returned == null) {
            returned = new PriorityQueue<>();
        }
        returned.add(taskIndex);
    }

    private void requeue(Task task, TaskOutcome outcome) {
        addReturned(task.index());
        countStarted(task);
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
        ownUnsuccessful().set(taskIndex);
        if (taskIndex < nextNew) {
            if (returned != null) {
                returned.remove(taskIndex);
            }
            endDelay(taskIndex);
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
        if (dropped > 0) {
            BitSet unallocated = new BitSet();
            addUnallocatedTo(unallocated);
            ownUnsuccessful().or(unallocated);
        }
        stopped += dropped;
        nextNew = tasks;
        returned = null;
        skipped = null;
        delayed = null;
        return dropped;
    }
}
