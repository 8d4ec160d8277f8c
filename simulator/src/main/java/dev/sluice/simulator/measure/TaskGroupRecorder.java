package dev.sluice.simulator.measure;

import dev.sluice.core.application.StopReason;

/** Records what happens to the tasks of one specification of one application. */
public final class TaskGroupRecorder {

    /** Shorter tasks count as this long; see {@link dev.sluice.simulator.figures.Definition#BOUNDED_SLOWDOWN}. */
    static final double SLOWDOWN_BOUND_SECONDS = 10;

    private final TaskTally queue;
    private final TaskTally user;
    private final SizeTally size;
    private final WaitingClass waitingClass;
    private final long[] amounts;

    TaskGroupRecorder(TaskTally queue, TaskTally user, SizeTally size, WaitingClass waitingClass, long[] amounts) {
        this.queue = queue;
        this.user = user;
        this.size = size;
        this.waitingClass = waitingClass;
        this.amounts = amounts;
    }

    /** Records that tasks were submitted and wait. */
    public void submitted(long tasks) {
        queue.tasks += tasks;
        user.tasks += tasks;
        waitingClass.waiting += tasks;
    }

    /** Records that a task was allocated to a node. */
    public void placed() {
        waitingClass.waiting--;
    }

    /** Records the first start of a task, this long after its submission. */
    public void firstStarted(double waitedSeconds) {
        queue.waiting.add(waitedSeconds);
        user.waiting.add(waitedSeconds);
        size.started(waitedSeconds);
    }

    /** Records a start, the first one or a restart. */
    public void started() {
        queue.starts++;
        user.starts++;
    }

    /** Records that a task is pending again. */
    public void requeued() {
        waitingClass.waiting++;
    }

    /** Records that a running task was stopped. */
    public void stopped(StopReason reason) {
        queue.stopped(reason);
        user.stopped(reason);
    }

    /** Records that a task released its allocation after this time. */
    public void occupied(double seconds) {
        queue.use(amounts, seconds);
        user.use(amounts, seconds);
    }

    /**
     * Records that a task succeeded.
     *
     * @param seconds the time from its submission to its end
     * @param ranSeconds the duration of its last run
     */
    public void succeeded(double seconds, double ranSeconds) {
        double slowdown = Math.max(1, seconds / Math.max(ranSeconds, SLOWDOWN_BOUND_SECONDS));
        queue.succeeded++;
        user.succeeded++;
        queue.slowdown.add(slowdown);
        user.slowdown.add(slowdown);
        size.succeeded(slowdown);
    }

    /** Records tasks that failed for good. */
    public void failed(long tasks) {
        queue.failed += tasks;
        user.failed += tasks;
    }

    /** Records waiting tasks that were dropped. */
    public void dropped(long tasks) {
        waitingClass.waiting -= tasks;
        failed(tasks);
    }

    /** Records tasks that have not started when the simulation ends, this long after their submission. */
    public void neverStarted(long tasks, double waitedSeconds) {
        queue.neverStarted(tasks, waitedSeconds);
        user.neverStarted(tasks, waitedSeconds);
    }

    /** Records a task that holds its allocation when the simulation ends, for this long so far. */
    public void stillRunning(double seconds) {
        queue.running++;
        user.running++;
        occupied(seconds);
    }
}
