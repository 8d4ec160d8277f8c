package dev.sluice.simulator.measure;

import dev.sluice.core.application.StopReason;

/** Records what happens to the tasks of one specification of one application. */
public final class TaskGroupRecorder {

    /** Shorter tasks count as this long; see {@link dev.sluice.simulator.figures.Definition#BOUNDED_SLOWDOWN}. */
    static final double SLOWDOWN_BOUND_SECONDS = 10;

    private final TaskTally queue;
    private final TaskTally user;
    private final WaitingClass waitingClass;

    TaskGroupRecorder(TaskTally queue, TaskTally user, WaitingClass waitingClass) {
        this.queue = queue;
        this.user = user;
        this.waitingClass = waitingClass;
    }

    WaitingClass waitingClass() {
        return waitingClass;
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
        waitingClass.size().started(waitedSeconds);
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

    /** Records that a running task was stopped this long after its start. */
    public void stopped(StopReason reason, double ranSeconds) {
        queue.stopped(reason, ranSeconds);
        user.stopped(reason, ranSeconds);
    }

    /** Records that a task released its allocation after this time. */
    public void occupied(double seconds) {
        queue.use(waitingClass.amounts(), seconds);
        user.use(waitingClass.amounts(), seconds);
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
        waitingClass.size().succeeded(slowdown);
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
