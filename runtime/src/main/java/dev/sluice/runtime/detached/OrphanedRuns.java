package dev.sluice.runtime.detached;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs that an earlier program left, that nobody wants any more, and of which something may live. No later run of the same task begins before
 * that is gone. For any thread.
 */
final class OrphanedRuns {

    /** What waits for each of them, by its folder's name. */
    private final Map<String, List<DeferredStart>> waiting = new LinkedHashMap<>();

    /** A run that is to begin. */
    private record DeferredStart(RunKey key, Runnable start) {}

    /** Something of the run with this folder may live, until it is {@link #gone}. */
    synchronized void add(String folderName) {
        waiting.put(folderName, new ArrayList<>());
    }

    /** Starts a run when nothing lives of those before it. */
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

    /** Nothing lives of this one any more. */
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
