package dev.sluice.simulator.measure;

/** Is told what happens to tasks that are alike: those of one specification of one application. */
public final class TaskGroupRecorder {

    /** Tasks under this many seconds count as this long; see {@link dev.sluice.simulator.figures.Definition#BOUNDED_SLOWDOWN}. */
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

    /** So many were submitted and wait. */
    public void submitted(long tasks) {
        queue.tasks += tasks;
        user.tasks += tasks;
        waitingClass.waiting += tasks;
    }

    /** One was given a place. */
    public void placed() {
        waitingClass.waiting--;
    }

    /** One started for the first time, so long after its submission. */
    public void firstStarted(double waitedSeconds) {
        queue.waiting.add(waitedSeconds);
        user.waiting.add(waitedSeconds);
        size.started(waitedSeconds);
    }

    /** One started, the first time or again. */
    public void started() {
        queue.starts++;
        user.starts++;
    }

    /** One waits again for a place. */
    public void requeued() {
        waitingClass.waiting++;
    }

    /** One was stopped while it ran. */
    public void stopped() {
        queue.stops++;
        user.stops++;
    }

    /** One held its place for so long and gave it back. */
    public void occupied(double seconds) {
        queue.use(amounts, seconds);
        user.use(amounts, seconds);
    }

    /**
     * One ended well.
     *
     * @param seconds how long it took from its submission to its end
     * @param ranSeconds how long its last run took
     */
    public void succeeded(double seconds, double ranSeconds) {
        double slowdown = Math.max(1, seconds / Math.max(ranSeconds, SLOWDOWN_BOUND_SECONDS));
        queue.succeeded++;
        user.succeeded++;
        queue.slowdown.add(slowdown);
        user.slowdown.add(slowdown);
        size.succeeded(slowdown);
    }

    /** So many will never run, or not to their end. */
    public void failed(long tasks) {
        queue.failed += tasks;
        user.failed += tasks;
    }

    /** So many of those that waited will never run. */
    public void dropped(long tasks) {
        waitingClass.waiting -= tasks;
        failed(tasks);
    }

    /** So many, submitted so long ago, have not started when the simulation ends. */
    public void neverStarted(long tasks, double waitedSeconds) {
        queue.neverStarted(tasks, waitedSeconds);
        user.neverStarted(tasks, waitedSeconds);
    }

    /** One holds its place when the simulation ends, for so long by now. */
    public void stillRunning(double seconds) {
        queue.running++;
        user.running++;
        occupied(seconds);
    }
}
