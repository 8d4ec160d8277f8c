package dev.sluice.server.node;

import dev.sluice.runtime.lasting.RunKey;
import dev.sluice.runtime.local.TaskRun;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Runs may be over for the scheduler before they are, as when their node was removed: then they are to be forgotten later, and no other run
 * of the same task may begin before. Or the other way round, which is usual. For any thread.
 */
final class Aftermath {

    /** Over here, and the scheduler has not said so yet. */
    private final Set<RunKey> over = new HashSet<>();

    /** Over for the scheduler, by their tasks; something of them may live. */
    private final Map<Task, RunKey> unwanted = new HashMap<>();

    private final Map<Task, Postponed> postponed = new HashMap<>();

    /** A run that begins when the one before it is over. */
    private record Postponed(RunKey key, Runnable start) {}

    /** A task, whichever run of it. */
    private record Task(String partition, String application, String task, int index) {
        static Task of(TaskRun run) {
            return new Task(run.partition(), run.application(), run.task(), run.index());
        }
    }

    /** Starts a run when nothing lives of the one before it. */
    void whenFree(RunKey key, Runnable start) {
        synchronized (this) {
            if (unwanted.containsKey(Task.of(key.run()))) {
                postponed.put(Task.of(key.run()), new Postponed(key, start));
                return;
            }
        }
        start.run();
    }

    /** The scheduler says that a run is over; whether it is. */
    synchronized boolean isOver(RunKey key) {
        Task task = Task.of(key.run());
        Postponed next = postponed.get(task);
        if (next != null && next.key().equals(key)) {
            postponed.remove(task);
            return true;
        }
        if (over.remove(key)) {
            return true;
        }
        unwanted.put(task, key);
        return false;
    }

    /** A run is over; whether the scheduler said so before, so that it may be forgotten. */
    boolean over(RunKey key) {
        Postponed next;
        synchronized (this) {
            Task task = Task.of(key.run());
            if (!unwanted.remove(task, key)) {
                over.add(key);
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
