package dev.sluice.server.node;

import dev.sluice.runtime.detached.RunKey;
import dev.sluice.runtime.local.TaskRun;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Runs may be over for the scheduler before they are, as when their node was removed: then they are to be forgotten later, and no other run
 * of the same task may begin before. Or the other way round, which is usual. For any thread.
 */
final class EndingRuns {

    /** Over here, and the scheduler has not said so yet. */
    private final Set<RunKey> endedRuns = new HashSet<>();

    /** Over for the scheduler, by their tasks; something of them may live. */
    private final Map<TaskKey, RunKey> terminating = new HashMap<>();

    private final Map<TaskKey, PostponedStart> postponed = new HashMap<>();

    /** A run that begins when the one before it is over. */
    private record PostponedStart(RunKey key, Runnable start) {}

    /** A task, whichever run of it. */
    private record TaskKey(String partition, String application, String task, int index) {
        static TaskKey of(TaskRun run) {
            return new TaskKey(run.partition(), run.application(), run.task(), run.index());
        }
    }

    /** Starts a run when nothing lives of the one before it. */
    void startAfterPredecessor(RunKey key, Runnable start) {
        synchronized (this) {
            if (terminating.containsKey(TaskKey.of(key.run()))) {
                postponed.put(TaskKey.of(key.run()), new PostponedStart(key, start));
                return;
            }
        }
        start.run();
    }

    /** The scheduler says that a run is over; whether it is. */
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

    /** A run is over; whether the scheduler said so before, so that it may be forgotten. */
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
