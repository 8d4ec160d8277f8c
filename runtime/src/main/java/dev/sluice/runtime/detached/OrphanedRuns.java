package dev.sluice.runtime.detached;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Orphaned runs: left by an earlier program, no longer expected, and possibly still alive. A later run of the same task
 * starts only after its orphans have ended. Thread-safe.
 */
final class OrphanedRuns {

    /** The starts deferred by each orphan, by name of the orphan's folder. */
    private final Map<String, List<DeferredStart>> waiting = new LinkedHashMap<>();

    private record DeferredStart(RunKey key, Runnable start) {}

    /** Adds the run with this folder, which may have live processes until {@link #terminated} is called. */
    synchronized void add(String folderName) {
        waiting.put(folderName, new ArrayList<>());
    }

    /** Starts a run once no earlier run of its task is alive. */
    void onTerminated(RunKey key, Runnable start) {
        synchronized (this) {
            for (Map.Entry<String, List<DeferredStart>> leftover : waiting.entrySet()) {
                if (key.isAfter(leftover.getKey())) {
                    leftover.getValue().add(new DeferredStart(key, start));
                    return;
                }
            }
        }
        start.run();
    }

    /** Removes an orphan none of whose processes is alive any more. */
    void terminated(String folderName) {
        List<DeferredStart> next;
        synchronized (this) {
            next = waiting.remove(folderName);
        }
        if (next != null) {
            next.forEach(each -> onTerminated(each.key(), each.start()));
        }
    }
}
