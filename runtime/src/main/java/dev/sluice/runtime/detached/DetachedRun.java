package dev.sluice.runtime.detached;

import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One run that the runner knows. Only the runner's work thread changes it, but for the wish that it stop. */
final class DetachedRun {

    /** How far it is. */
    enum Stage {
        /** It was to stop before it was to start, so it never will. */
        FORBIDDEN,
        /** It is about to be started. */
        STARTING,
        /** An earlier program left it without a claim, and it could not be claimed yet. */
        UNCLAIMED,
        /** It was started, or was found running. */
        RUNNING,
        /** How it ended is not known; what is left of it is being ended. */
        LOSING,
        /** It was reported. */
        OVER
    }

    final RunKey key;
    final RunFolder folder;

    /** The sessions that are still to be ended before it is lost. */
    final SortedSet<Long> sessions = new TreeSet<>();

    volatile Stage stage;
    volatile boolean stopRequested;

    /** Set from {@link Stage#RUNNING} on. */
    @Nullable RunLeader leader;

    DetachedRun(RunKey key, RunFolder folder, Stage stage) {
        this.key = key;
        this.folder = folder;
        this.stage = stage;
    }
}
