package dev.sluice.core.state;

import dev.sluice.core.application.TaskRef;
import java.time.Instant;
import java.util.Objects;

/** A task that failed and is pending again when its retry delay has passed. Its timer is always set. */
public final class DelayedTask extends TimerSubject {

    /** More than the sequence number of any task, so that delayed tasks come after allocated ones. */
    private static final long AFTER_TASKS = 1L << 62;

    private static final int INDEX_BITS = 24; // of the maximum count of tasks

    private final TaskGroup group;
    private final int index;

    DelayedTask(TaskGroup group, int index) {
        this.group = group;
        this.index = index;
    }

    /** Returns the group of identical tasks it belongs to. */
    public TaskGroup group() {
        return group;
    }

    /** Returns its index in the group, from 0. */
    public int index() {
        return index;
    }

    /** Returns a reference to the task. */
    public TaskRef ref() {
        return group.ref(index);
    }

    /** Returns when its next run may start. */
    public Instant retryAt() {
        return Objects.requireNonNull(timer).due();
    }

    @Override
    int timerRank() {
        return group.application().timerRank();
    }

    @Override
    int timerIndex() {
        return group.application().timerIndex();
    }

    @Override
    long timerSequence() {
        return AFTER_TASKS + ((long) group.index() << INDEX_BITS) + index;
    }

    @Override
    public String toString() {
        return group.application().id() + "/" + group.taskId(index);
    }
}
