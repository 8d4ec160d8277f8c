package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.TaskEvent;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far an application has come, counted from its events. */
public final class ApplicationTally {

    private static final double MILLIS = 1e3;

    private final String partition;
    private final String id;
    private final ApplicationOrigin origin;
    private final Map<String, TaskGroupTally> groups = new LinkedHashMap<>();
    private final Set<TaskRef> preempting = new HashSet<>();
    private ApplicationState state = ApplicationState.NEW;
    private String stateReason = "";
    private @Nullable Instant firstPlaced;
    private long tasks;
    private long unallocated;
    private long running;
    private long succeeded;
    private long failed;
    private long stopped;
    private double expectedSeconds;
    private long unexpectedTasks;

    ApplicationTally(ApplicationEvent.Submitted submitted) {
        this.partition = submitted.partition();
        this.id = submitted.application();
        this.origin = submitted.origin();
    }

    /** Returns the name of its partition. */
    public String partition() {
        return partition;
    }

    public String id() {
        return id;
    }

    /** Returns queue, user and time of submission. */
    public ApplicationOrigin origin() {
        return origin;
    }

    /** Returns its state; the final one once the scheduler has forgotten it. */
    public ApplicationState state() {
        return state;
    }

    /** Returns why it entered its state; empty if that is obvious. */
    public String stateReason() {
        return stateReason;
    }

    /** Returns when its first task was allocated, or null. */
    public @Nullable Instant firstPlaced() {
        return firstPlaced;
    }

    /** Returns the number of tasks it ever had. */
    public long tasks() {
        return tasks;
    }

    /** Returns the number of allocated tasks, without preempted ones. */
    public long running() {
        return running;
    }

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

    /** Returns the sum of the expected durations of all tasks that have not ended, in seconds. */
    public double expectedSeconds() {
        return Math.max(0, expectedSeconds);
    }

    /** Returns the number of tasks that have not ended and have no expected duration. */
    public long unexpectedTasks() {
        return unexpectedTasks;
    }

    /** Returns whether any task could be allocated now: unallocated and not waiting for dependencies. */
    public boolean hasPendingTasks() {
        return unallocated > 0 && groups.values().stream().anyMatch(this::isPending);
    }

    private boolean isPending(TaskGroupTally group) {
        return group.unallocated() > 0
                && group.kind().after().entrySet().stream()
                        .allMatch(after -> group(after.getKey()).has(after.getValue()));
    }

    private TaskGroupTally group(String name) {
        TaskGroupTally group = groups.get(name);
        if (group == null) {
            throw new IllegalStateException(id + " has no tasks named " + name);
        }
        return group;
    }

    void count(ApplicationEvent event) {
        if (event instanceof ApplicationEvent.TasksAdded added) {
            added.tasks().forEach(this::add);
        } else if (event instanceof ApplicationEvent.TasksDropped dropped) {
            TaskGroupTally group = group(dropped.tasks());
            drop(group, group.unallocated());
        } else if (event instanceof ApplicationEvent.StateChanged changed && changed.to() != ApplicationState.EXPIRED) {
            state = changed.to();
            stateReason = changed.reason();
            if (state.isEnded()) {
                groups.clear(); // no events of tasks follow
                expectedSeconds = 0;
                unexpectedTasks = 0;
            }
        }
    }

    void count(TaskEvent event) {
        TaskRef task = event.task();
        TaskGroupTally group = group(task.task());
        if (event instanceof TaskEvent.Placed placed) {
            firstPlaced = firstPlaced == null ? placed.at() : firstPlaced;
            addUnallocated(group, -1);
            running++;
        } else if (event instanceof TaskEvent.Started) {
            group.started(task.position());
        } else if (event instanceof TaskEvent.Stopping stopping) {
            if (stopping.reason().isPreemption() && preempting.add(task)) {
                running--;
            }
        } else if (event instanceof TaskEvent.Ended ended) {
            ended(group, ended);
        } else if (event instanceof TaskEvent.Dropped) {
            drop(group, 1);
        }
    }

    private void add(TaskSpec spec) {
        groups.put(spec.name(), new TaskGroupTally(spec.kind()));
        tasks += spec.size();
        unallocated += spec.size();
        expect(spec.kind(), spec.size());
    }

    private void expect(TaskKind kind, int change) {
        if (kind.expectedDuration().isZero()) {
            unexpectedTasks += change;
        } else {
            expectedSeconds += kind.expectedDuration().toMillis() / MILLIS * change;
        }
    }

    private void addUnallocated(TaskGroupTally group, int change) {
        group.addUnallocated(change);
        unallocated += change;
    }

    private void drop(TaskGroupTally group, int dropped) {
        addUnallocated(group, -dropped);
        stopped += dropped;
        expect(group.kind(), -dropped);
    }

    private void ended(TaskGroupTally group, TaskEvent.Ended ended) {
        if (!preempting.remove(ended.task())) {
            running--;
        }
        if (ended.again()) {
            addUnallocated(group, 1);
            return;
        }
        expect(group.kind(), -1);
        switch (ended.outcome()) {
            case SUCCEEDED -> {
                succeeded++;
                group.succeeded();
            }
            case FAILED, TIMED_OUT, LOST -> failed++;
            case STOPPED -> stopped++;
        }
    }
}
