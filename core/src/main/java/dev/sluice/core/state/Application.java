package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** One submission and what has become of it. */
public final class Application extends TimerSubject {

    private static final int NO_TASK = -1;

    private final ApplicationSpec spec;
    private final String id;
    private final @Nullable Queue queue;
    private final int index;
    private final long sequence;
    private final Instant submitted;
    private final TaskGroups groups = new TaskGroups();
    private ApplicationState state = ApplicationState.NEW;
    private Instant stateSince;
    private String stateReason = "";
    private boolean sealed;
    private boolean active;
    private boolean forgotten;
    private long[] allocated = Vectors.empty();
    private long tasks;
    private int highestPriority = Integer.MIN_VALUE;
    private long unallocated;
    private long pending;
    private int placed;
    private int preempting;
    private long allocations;
    private int firstGroup = NO_TASK;
    private int firstIndex = NO_TASK;
    private boolean secondTaskAllocated;
    private long succeeded;
    private long failed;
    private long stopped;

    boolean touched;

    // of the list of the partition's applications
    @Nullable Application next;

    @Nullable Application previous;

    Application(ApplicationSpec spec, @Nullable Queue queue, int index, long sequence, Instant submitted) {
        this.spec = spec;
        this.id = spec.id();
        this.queue = queue;
        this.index = index;
        this.sequence = sequence;
        this.submitted = submitted;
        this.stateSince = submitted;
        this.sealed = spec.sealed();
    }

    /** The application's id, unique in its partition. */
    public String id() {
        return id;
    }

    /** What was submitted, without the tasks. */
    public ApplicationSpec spec() {
        return spec;
    }

    /** The leaf queue it is in; throws {@link IllegalStateException} for an application that no queue took. */
    public Queue queue() {
        if (queue == null) {
            throw new IllegalStateException(id() + " is in no queue");
        }
        return queue;
    }

    /** Whether a queue took it. */
    public boolean hasQueue() {
        return queue != null;
    }

    /** A small number, unique among the applications of its partition that are there. */
    public int index() {
        return index;
    }

    /**
     * Its number among all applications ever submitted to its partition, from 0. Applications submitted at the same instant, such as
     * those of one file, are ordered by it.
     */
    public long sequence() {
        return sequence;
    }

    /** When it was submitted. */
    public Instant submitted() {
        return submitted;
    }

    /** Where it is in its life. */
    public ApplicationState state() {
        return state;
    }

    /** Since when it is in this state. */
    public Instant stateSince() {
        return stateSince;
    }

    /** Why it came into this state; empty if that is plain. */
    public String stateReason() {
        return stateReason;
    }

    /** Whether nothing more will be added. */
    public boolean isSealed() {
        return sealed;
    }

    /** Whether it counts against the queues' maximum of applications: from an allocation until no task is left. */
    public boolean isActive() {
        return active;
    }

    /** Whether its partition has forgotten it, so that its index may be another one's. */
    public boolean isForgotten() {
        return forgotten;
    }

    /** Its tasks by specification, in the order of creation. */
    public List<TaskGroup> groups() {
        return groups.all();
    }

    /** The tasks of this name, or null. */
    public @Nullable TaskGroup group(String name) {
        return groups.find(name);
    }

    /** What its tasks hold, as a vector; not to be changed. */
    public long[] allocated() {
        return allocated;
    }

    /** How many tasks it ever had. */
    public long tasks() {
        return tasks;
    }

    /** The highest priority of all tasks that it ever had, or nothing if it never had one. */
    public OptionalInt highestPriority() {
        return tasks == 0 ? OptionalInt.empty() : OptionalInt.of(highestPriority);
    }

    /** How many tasks hold no place and have not ended, those included that wait for others. */
    public long unallocated() {
        return unallocated;
    }

    /** How many tasks could be placed now. */
    public long pending() {
        return pending;
    }

    /** How many tasks hold a place. */
    public int placed() {
        return placed;
    }

    /** How many tasks gave their place up to others and have not ended yet. */
    public int preempting() {
        return preempting;
    }

    /** How many tasks stand on a node: they hold a place, or are preempting it. */
    public int boundTasks() {
        return placed + preempting;
    }

    /** How often a task of it was placed since it was last Accepted. */
    public long allocations() {
        return allocations;
    }

    /** Whether two different tasks of it were allocated since it was last Accepted. A retry is no second task. */
    public boolean isSecondTaskAllocated() {
        return secondTaskAllocated;
    }

    /** Whether this is the first task that was allocated since it was last Accepted. */
    public boolean isFirstAllocated(TaskGroup group, int taskIndex) {
        return firstGroup == group.index() && firstIndex == taskIndex;
    }

    /** How many tasks ended well. */
    public long succeeded() {
        return succeeded;
    }

    /** How many tasks failed for good. */
    public long failed() {
        return failed;
    }

    /** How many tasks were stopped for good or dropped. */
    public long stopped() {
        return stopped;
    }

    /** Whether a task of it may be placed, as far as its state goes. */
    public boolean isSchedulable() {
        return state == ApplicationState.ACCEPTED
                || state == ApplicationState.STARTING
                || state == ApplicationState.RUNNING;
    }

    /** The group and index of a task's id, or null if there is no such task. */
    public @Nullable TaskPosition find(String taskId) {
        TaskGroup alone = groups.find(taskId);
        if (alone != null && alone.kind().count() == TaskSpec.SINGLE) {
            return new TaskPosition(alone, 0);
        }
        int dash = taskId.lastIndexOf('-');
        TaskGroup group = dash < 0 ? null : groups.find(taskId.substring(0, dash));
        if (group == null || group.kind().count() == TaskSpec.SINGLE) {
            return null;
        }
        int taskIndex = TaskPosition.parseIndex(taskId.substring(dash + 1));
        return taskIndex < 0 || taskIndex >= group.kind().size() ? null : new TaskPosition(group, taskIndex);
    }

    @Override
    int timerRank() {
        return 2;
    }

    @Override
    int timerIndex() {
        return index;
    }

    /** Writes all but what is counted. */
    void writeTo(PartitionCheckpointWriter out) {
        StateSink sink = out.sink();
        sink.application(spec);
        out.queue(queue);
        sink.number(index);
        sink.number(sequence);
        sink.instant(submitted);
        out.constant(state);
        sink.instant(stateSince);
        sink.text(stateReason);
        sink.flag(sealed);
        sink.flag(active);
        sink.number(allocations);
        sink.number(firstGroup);
        sink.number(firstIndex);
        sink.flag(secondTaskAllocated);
        out.timer(this);
        groups.writeTo(out);
    }

    /** Reads what was written, and counts its tasks; those above it do not count it yet. */
    static Application readFrom(PartitionCheckpointReader in, Demand demand, long sequenceIfUnknown) {
        StateSource source = in.source();
        Application application = new Application(
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
        in.timer(application);
        application.groups.readFrom(in, application, demand);
        application.groups().forEach(application::count);
        if (in.isVersion1()) {
            application.deriveFirstTask();
        }
        return application;
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
                allocated = Vectors.add(allocated, task.demand(), task.isPreempting() ? 0 : 1);
            }
        }
    }

    /**
     * A checkpoint of the first version says how many allocations there were, not of which tasks. Where there was one, it is of the task that
     * is allocated or has returned; if neither is there it has ended, and any other one is the second.
     */
    private void deriveFirstTask() {
        secondTaskAllocated = allocations > 1;
        if (allocations == 0) {
            return;
        }
        for (TaskGroup group : groups()) {
            int begun = group.firstAllocatedIndex();
            if (begun != NO_TASK) {
                firstGroup = group.index();
                firstIndex = begun;
                return;
            }
        }
    }

    /** Makes room for so many more groups. */
    void expectGroups(int more) {
        groups.expect(more);
    }

    TaskGroup add(TaskSpec task, Demand demand, Duration meanDuration) {
        TaskGroup group = groups.add(this, task, demand, meanDuration);
        tasks += task.size();
        highestPriority = Math.max(highestPriority, task.priority());
        unallocated += task.size();
        return group;
    }

    /** The name of the group with this index. */
    String groupName(int groupIndex) {
        return groups.name(groupIndex);
    }

    void seal() {
        sealed = true;
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
        }
    }

    void forget() {
        forgotten = true;
    }

    void setActive(boolean isActive) {
        active = isActive;
    }

    void countPending(long change) {
        pending += change;
    }

    void countPlaced(Task task) {
        allocated = Vectors.add(allocated, task.demand(), 1);
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
        placed--;
        preempting++;
    }

    void countEnded(Task task, TaskOutcome outcome, boolean again) {
        if (task.isPreempting()) {
            preempting--;
        } else {
            allocated = Vectors.add(allocated, task.demand(), -1);
            placed--;
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
