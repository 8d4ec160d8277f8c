package dev.sluice.runtime.detached;

import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds what an earlier program has left: determines the outcome of expected runs, and terminates all others. */
record RunRecovery(
        RunDirectories directories,
        RunSessions sessions,
        RunReconciler reconciler,
        OrphanTerminator orphans,
        OrphanedRuns orphanedRuns,
        GpuClaims gpus) {

    /** Recovers these runs. */
    void recover(Collection<DetachedRun> expected) throws IOException {
        Map<String, RunFolder> unexpected = new LinkedHashMap<>();
        directories.all().forEach(folder -> unexpected.put(folder.name(), folder));
        // No process that the scan of processes would miss starts after this.
        unexpected.values().forEach(folder -> {
            boolean unused = RunReconciler.ensureClaimed(folder);
        });
        Map<String, SortedSet<RunSession>> live = sessions.byFolder();
        Set<String> keep = new TreeSet<>();
        unexpected.values().forEach(folder -> gpus.restore(folder.name(), folder.gpus()));
        for (DetachedRun run : expected) {
            keep.add(run.folder.name());
            unexpected.remove(run.folder.name());
            reconciler.recover(run, live);
        }
        live.keySet().removeAll(keep);
        for (RunFolder folder : unexpected.values()) {
            SortedSet<RunSession> remaining = live.getOrDefault(folder.name(), Collections.emptySortedSet());
            live.remove(folder.name());
            keep.add(folder.name());
            orphanedRuns.add(folder.name());
            orphans.terminateOrphan(folder, remaining, () -> {
                directories.remove(folder);
                gpus.release(folder.name());
                orphanedRuns.terminated(folder.name());
            });
        }
        live.forEach((name, remaining) -> {
            keep.add(name);
            orphanedRuns.add(name);
            orphans.terminateSessions(remaining, null, () -> {
                directories.removeScratch(name);
                orphanedRuns.terminated(name);
            });
        });
        directories.removeScratchAllBut(keep);
        sessions.strays(keep).forEach(orphans::terminateSession);
    }
}
