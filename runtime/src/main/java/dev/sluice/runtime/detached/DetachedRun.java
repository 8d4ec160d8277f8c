package dev.sluice.runtime.detached;

import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.machine.RunRequest;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A run that the runner tracks. Confined to the runner's work thread, except for volatile fields. */
final class DetachedRun {

    /** The progress of a run. */
    enum Stage {
        /** Stopped before its start was requested, so it never starts. */
        NEVER_STARTS,
        /** About to start. */
        STARTING,
        /** Left without a claim by an earlier program; claiming it has failed so far. */
        UNCLAIMED,
        /** Started, or found running during recovery. */
        RUNNING,
        /** The outcome is unknown; the remaining processes are being terminated. */
        TERMINATING,
        /** Reported to the listener. */
        REPORTED
    }

    final RunKey key;

    /** The records; of an attached run, a folder that does not exist. */
    final RunFolder folder;

    /** The sessions to terminate before the run is reported lost. */
    final SortedSet<RunSession> sessions = new TreeSet<>();

    /** What it may use of this machine. */
    final RunRequest request;

    volatile Stage stage;
    volatile boolean stopRequested;
    volatile boolean suspendRequested;

    /** What it has used; final once the run is reported. */
    volatile MeasuredUse measured = MeasuredUse.NONE;

    /** Non-null from {@link Stage#RUNNING} on. */
    @Nullable RunLeader leader;

    /** Whether its processes are halted. */
    boolean isHalted;

    /** The limit that it has exceeded, or null. */
    @Nullable String exceeded;

    /** Whether processes in the session of the leader may be alive after the end. */
    boolean isSessionOpen;

    /** Whether the run was forgotten before all its processes had ended. */
    boolean isForgotten;

    DetachedRun(RunKey key, RunFolder folder, RunRequest request, Stage stage) {
        this.key = key;
        this.folder = folder;
        this.request = request;
        this.stage = stage;
    }
}
