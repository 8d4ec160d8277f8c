package dev.sluice.server.node;

import dev.sluice.runtime.detached.RunKey;
import dev.sluice.runtime.local.TaskRun;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tracks runs that end. A run may end for the scheduler before its processes do, as when its node is removed: the
 * runner then forgets it later, and no other run of the same task may start before. Usually the processes end first.
 * Thread-safe.
 */
final class EndingRuns {

    /** Runs whose processes have ended, but not yet for the scheduler. */
    private final Set<RunKey> endedRuns = new HashSet<>();

    /** Runs that have ended for the scheduler, by task; some of their processes may be alive. */
    private final Map<TaskKey, RunKey> terminating = new HashMap<>();

    private final Map<TaskKey, PostponedStart> postponed = new HashMap<>();

    /** A run that starts when the previous run of its task has ended. */
    private record PostponedStart(RunKey key, Runnable start) {}

    /** A task, regardless of the run. */
    private record TaskKey(String partition, String application, String task, int index) {
        static TaskKey of(TaskRun run) {
            return new TaskKey(run.partition(), run.application(), run.task(), run.index());
        }
    }

    /** Starts a run once no process of the task's previous run is alive. */
    void startAfterPredecessor(RunKey key, Runnable start) {
        synchronized (this) {
            if (terminating.containsKey(TaskKey.of(key.run()))) {
                postponed.put(TaskKey.of(key.run()), new PostponedStart(key, start));
                return;
            }
        }
        start.run();
    }

    /** Records that a run has ended for the scheduler; returns whether its processes have ended, too. */
    synchronized boolean endedByScheduler(RunKey key) {
        TaskKey task = TaskKey.of(key.run());
        PostponedStart next = postponed.get(task);
        if (next != null && next.key().equals(key)) {
            postponed.remove(task);
            return true;
        }
        if (endedRuns.remove(key)) {
            return true;
        }
        terminating.put(task, key);
        return false;
    }

    /**
     * Records that a run's processes have ended; returns whether it had ended for the scheduler before and may be
     * forgotten.
     */
    boolean processEnded(RunKey key) {
        PostponedStart next;
        synchronized (this) {
            TaskKey task = TaskKey.of(key.run());
            if (!terminating.remove(task, key)) {
                endedRuns.add(key);
                return false;
            }
            next = postponed.remove(task);
        }
        if (next != null) {
            next.start().run();
        }
        return true;
    }
}
