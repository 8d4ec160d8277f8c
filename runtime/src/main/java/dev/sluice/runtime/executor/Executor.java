package dev.sluice.runtime.executor;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.application.RunRef;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the decisions of a scheduler: starts and stops runs of tasks, and reports how they end to an
 * {@link ExecutorListener}. The scheduler's host calls it after a decision is durable, and turns its reports into
 * commands.
 *
 * <p>Guarantees, also across a restart of this program at any moment, where the host calls {@link #recover} with the
 * runs that its journal knows as allocated:
 * <ol>
 *   <li>A run starts at most once.
 *   <li>Every run that was started or recovered has exactly one final report, unless it is forgotten before: ended,
 *       lost or not started. Recovery repeats a final report that the host did not make durable. Started is reported
 *       at most once per recovery, and before the final report.
 *   <li>A run is reported lost only when nothing of it is alive and its outcome is unknown.
 *   <li>A stop may be requested at any time and any number of times: before the start, which then never happens; while
 *       the run is alive; and after its end, where it has no effect. A run that succeeds in spite of it is reported so.
 *   <li>A suspension may be requested from the start on, at any time and any number of times. Then all processes of the
 *       run halt, and it does not end by itself, also across a restart, until it is resumed; a stop, {@link #forget} and
 *       {@link #stopAll} end it nevertheless. Neither a suspension nor a resumption has an effect on a run that has
 *       ended, and nothing is reported.
 *   <li>A run starts only when nothing of an earlier run of the same task is alive, even if that run is forgotten.
 *   <li>After {@link #close} no report is delivered. The runs of a detached executor continue, and the next executor
 *       adopts them; any other executor ends its runs, and the next one reports them lost.
 *   <li>After {@link #stopAll} nothing is alive.
 * </ol>
 *
 * <p>All methods except {@link #recover}, {@link #stopAll}, {@link #probe} and {@link #close} return immediately.
 * Thread-safe.
 */
public interface Executor extends AutoCloseable {

    /**
     * Adopts the runs of an earlier executor. Must be called first, and once. Reports every allocated run: its end, if
     * that is known; its start and later its end, if it is alive; otherwise its loss, including a run whose start was
     * decided but had not begun. Whatever is alive of other runs is stopped without a report.
     *
     * @param allocated the runs whose start was decided and whose end is not durable
     * @param active the applications that have not ended; what runs of other applications have shared is removed
     */
    void recover(Collection<RunStart> allocated, Collection<ApplicationRef> active);

    /**
     * Starts a run, unless a stop of it was requested before; that is reported as an end. After {@link #stopAll} and
     * {@link #close} it has no effect, and the next executor reports the run lost.
     *
     * @throws IllegalStateException before recovery, or if the run was started or recovered and not forgotten since
     */
    void start(RunStart start);

    /** Stops a run. It is reported as ended, unless it is forgotten before. */
    void stop(RunRef run);

    /** Halts all processes of a run until it is resumed or stopped. Does nothing if the run is unknown or has ended. */
    void suspend(RunRef run);

    /** Continues all processes of a suspended run. Does nothing if the run is unknown, not suspended or has ended. */
    void resume(RunRef run);

    /**
     * Sends a signal to all processes of a run, once; those of a suspended run receive it when they are resumed, except
     * {@link TaskSignal#KILL}.
     *
     * @return whether the run has started and not ended, as far as known; otherwise nothing is sent
     */
    boolean signal(RunRef run, TaskSignal signal);

    /**
     * Records that the run has ended for the scheduler, with or without a report: it is not reported any more, and
     * stopped if it is alive. Call it once the end is durable. The reference may then be used for another run, as that
     * of an application which has the id of a former one. Does nothing if the run is unknown.
     */
    void forget(RunRef run);

    /** Removes what the runs of an application have shared. Call it when the application has ended. */
    void forget(ApplicationRef application);

    /** Returns the number of runs that have been started or recovered, and have neither ended nor been reported. */
    int unfinishedCount();

    /** Returns the GPUs that a run holds, by index; empty if none are known. */
    default List<Integer> gpus(RunRef run) {
        return List.of();
    }

    /**
     * Returns what a run has used: of a running one as of the latest measurement, of an ended one in total, from its
     * report until it is forgotten. Figures that this executor does not measure are unknown.
     */
    default MeasuredUse measured(RunRef run) {
        return MeasuredUse.NONE;
    }

    /** Returns why no run can start at present, or null if runs can start. */
    default @Nullable String probe() {
        return null;
    }

    /**
     * Stops all runs and waits until they have ended and been reported. Runs that do not succeed are reported lost,
     * because nobody requested their end. The listener must not call this.
     *
     * @return false if some run could not be ended in time, or the thread was interrupted
     */
    boolean stopAll();

    /** Releases all resources. Has no effect on the runs of a detached executor. */
    @Override
    void close();
}
