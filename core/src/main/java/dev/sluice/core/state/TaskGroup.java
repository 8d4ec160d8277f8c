package dev.sluice.core.state;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one specification: one task, or several that are alike.
 *
 * <p>Only what differs between them is kept: which have begun, which came back, which hold a place. A million tasks that wait
 * cost as much as one.
 */
public final class TaskGroup {

    private final Application application;
    private final TaskSpec spec;
    private final int index;
    private final long[] demand;
    private final Duration expectedDuration;
    private List<Dependent> dependents = List.of();
    private int nextFresh;
    private @Nullable PriorityQueue<Integer> returned;
    private @Nullable Set<Integer> skipped;
    private @Nullable Set<Integer> startedBefore;
    private @Nullable Map<Integer, Integer> failures;
    private @Nullable Map<Integer, Integer> losses;
    private @Nullable Map<Integer, Integer> attempts;
    private Map<Integer, Task> placed = Map.of();
    private int unmet;
    private int startedOnce;
    private int succeeded;
    private int failed;
    private int stopped;
    boolean touched;

    TaskGroup(Application application, TaskSpec spec, int index, long[] demand, Duration expectedDuration) {
        this.application = application;
        this.spec = spec;
        this.index = index;
        this.demand = demand;
        this.expectedDuration = expectedDuration;
    }

    /** The application it belongs to. */
    public Application application() {
        return application;
    }

    /** What was asked for. */
    public TaskSpec spec() {
        return spec;
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
    public int unplaced() {
        return spec.size() - placed.size() - succeeded - failed - stopped;
    }

    /** Whether it waits for other tasks. */
    public boolean isWaiting() {
        return unmet > 0;
    }

    /** How many of its tasks could be placed now. */
    public int pending() {
        return isWaiting() ? 0 : unplaced();
    }

    /** The task that is placed next: what came back goes before what never ran. Only when some are unplaced. */
    public int nextIndex() {
        return returned == null || returned.isEmpty() ? nextFresh : returned.element();
    }

    /** The task with this index if it holds a place, else null. */
    public @Nullable Task placed(int taskIndex) {
        return placed.get(taskIndex);
    }

    /** How many hold a place. */
    public int placedCount() {
        return placed.size();
    }

    /** Those that hold a place, by index. */
    public List<Task> placed() {
        return placed.isEmpty() ? List.of() : new ArrayList<>(new TreeMap<>(placed).values());
    }

    /** How many ended well. */
    public int succeeded() {
        return succeeded;
    }

    /** How many failed for good. */
    public int failed() {
        return failed;
    }

    /** How many were stopped for good or dropped. */
    public int stopped() {
        return stopped;
    }

    /** How many were reported as started at least once. */
    public int startedOnce() {
        return startedOnce;
    }

    /** How many times the task with this index has failed and was given another try. */
    public int failures(int taskIndex) {
        return failures == null ? 0 : failures.getOrDefault(taskIndex, 0);
    }

    /** How many times the task with this index was lost and was given another try. */
    public int losses(int taskIndex) {
        return losses == null ? 0 : losses.getOrDefault(taskIndex, 0);
    }

    /** How many runs of the task with this index there have been. */
    public int attempts(int taskIndex) {
        return attempts == null ? 0 : attempts.getOrDefault(taskIndex, 0);
    }

    /** Whether the task with this index holds no place and has not ended. */
    public boolean isUnplaced(int taskIndex) {
        if (taskIndex < 0 || taskIndex >= spec.size()) {
            return false;
        }
        if (taskIndex >= nextFresh) {
            return skipped == null || !skipped.contains(taskIndex);
        }
        return returned != null && returned.contains(taskIndex);
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
        return Collections.unmodifiableList(dependents);
    }

    /** Whether this much has happened to all of its tasks. */
    public boolean has(TaskCondition condition) {
        return switch (condition) {
            case STARTED -> startedOnce == spec.size();
            case SUCCEEDED -> succeeded == spec.size();
        };
    }

    /** Whether this much can no longer happen to all of its tasks. */
    public boolean canNever(TaskCondition condition) {
        return switch (condition) {
            case STARTED -> !has(condition) && placed.isEmpty() && unplaced() == 0;
            case SUCCEEDED -> failed + stopped > 0;
        };
    }

    void waitFor(TaskGroup other, TaskCondition condition) {
        unmet += other.has(condition) ? 0 : 1;
        if (other.dependents.isEmpty()) {
            other.dependents = new ArrayList<>();
        }
        other.dependents.add(new Dependent(this, condition));
    }

    /** Something that it waited for has happened; returns whether this made the tasks pending. */
    boolean conditionMet() {
        unmet--;
        return unmet == 0;
    }

    Task place(int taskIndex, Node node, long sequence, boolean held, Instant at) {
        if (taskIndex == nextFresh && taskIndex < spec.size()) {
            nextFresh++;
            passOverSkipped();
        } else if (returned == null || !returned.remove(taskIndex)) {
            throw new IllegalStateException("task " + spec.taskId(taskIndex) + " does not wait for a place");
        }
        int attempt = attempts(taskIndex) + 1;
        Task task = new Task(this, taskIndex, node, attempt, sequence, held, at);
        if (placed.isEmpty()) {
            placed = new HashMap<>(2);
        }
        placed.put(taskIndex, task);
        return task;
    }

    void started(int taskIndex) {
        if (startedBefore == null || !startedBefore.contains(taskIndex)) {
            startedOnce++;
        }
    }

    void ended(Task task, TaskOutcome outcome, boolean again) {
        placed.remove(task.index());
        if (again) {
            comeBack(task, outcome);
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
        switch (outcome) {
            case SUCCEEDED -> succeeded++;
            case FAILED, TIMED_OUT, LOST -> failed++;
            case STOPPED -> stopped++;
        }
    }

    private void comeBack(Task task, TaskOutcome outcome) {
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

    private void passOverSkipped() {
        while (skipped != null && skipped.remove(nextFresh)) {
            nextFresh++;
        }
    }

    /** Drops one task that holds no place: it counts as stopped. */
    void drop(int taskIndex) {
        stopped++;
        if (taskIndex < nextFresh) {
            if (returned != null) {
                returned.remove(taskIndex);
            }
            return;
        }
        if (skipped == null) {
            skipped = new HashSet<>();
        }
        skipped.add(taskIndex);
        passOverSkipped();
    }

    /** Drops the tasks that hold no place: they count as stopped. Returns how many they were. */
    int dropUnplaced() {
        int dropped = unplaced();
        stopped += dropped;
        nextFresh = spec.size();
        returned = null;
        skipped = null;
        return dropped;
    }

    @Override
    public String toString() {
        return application.id() + "/" + spec.name();
    }
}
