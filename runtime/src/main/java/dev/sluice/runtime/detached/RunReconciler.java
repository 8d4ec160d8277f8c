package dev.sluice.runtime.detached;

import dev.sluice.runtime.detached.DetachedRun.Stage;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.process.SessionCloser;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Determines the outcome of runs from the content of their folders and the live processes. Confined to the work thread.
 */
final class RunReconciler {

    /** The result of a run that was stopped before it started. */
    static final RunExit STOPPED_BEFORE = RunExit.notStarted(RunExit.TERMINATED, "stopped before it started");

    private final boolean attached;
    private final ProcessClock clock;
    private final RunSessions sessions;
    private final SessionCloser closer;
    private final RunReports reports;
    private final OrphanTerminator orphans;
    private final RunLimits limits;

    private final Consumer<DetachedRun> onRemainingTerminated;
    private final Consumer<DetachedRun> onGone;

    /** Runs to poll, because no event announces their changes. */
    private final Set<DetachedRun> polled = new LinkedHashSet<>();

    /** Ended runs that may have live processes, with their remaining sessions that are being terminated. */
    private final Map<DetachedRun, SortedSet<RunSession>> ended = new LinkedHashMap<>();

    /**
     * Creates a reconciler.
     *
     * @param attached whether there are no records
     * @param onRemainingTerminated called for an ended run when all processes that it left in other sessions have ended
     * @param onGone called for a reported run when nothing of it is alive
     */
    RunReconciler(
            boolean attached,
            ProcessClock clock,
            RunSessions sessions,
            SessionCloser closer,
            RunReports reports,
            OrphanTerminator orphans,
            RunLimits limits,
            Consumer<DetachedRun> onRemainingTerminated,
            Consumer<DetachedRun> onGone) {
        this.attached = attached;
        this.clock = clock;
        this.sessions = sessions;
        this.closer = closer;
        this.reports = reports;
        this.orphans = orphans;
        this.limits = limits;
        this.onRemainingTerminated = onRemainingTerminated;
        this.onGone = onGone;
    }

    /** Called when a child process was started for the run. */
    void launched(DetachedRun run, Process child) {
        started(run, RunLeader.ofChild(child, clock, leader -> sessionGone(run, leader)));
        if (run.stopRequested) {
            stop(run);
        }
    }

    /** Called when the command of the run could not be started. Records the reason if possible. */
    void refused(DetachedRun run, RunExit exit) {
        try {
            if (!attached && run.folder.exists() && run.folder.withdraw()) {
                run.folder.writeExit(exit);
            }
        } catch (IOException notRecorded) {
            // A later program finds that the run did not start, but not why.
        }
        ended(run, exit);
    }

    /** Called when the run could not be started because of a fault of this machine. */
    void notStarted(DetachedRun run, String reason) {
        if (!attached && run.folder.exists()) {
            boolean unused = ensureClaimed(run.folder);
        }
        markReported(run);
        reports.notStarted(run, reason);
        checkGone(run);
    }

    private void started(DetachedRun run, RunLeader leader) {
        run.stage = Stage.RUNNING;
        run.leader = leader;
        reports.started(run, leader.pid());
    }

    private void ended(DetachedRun run, RunExit exit) {
        limits.meter().ended(run);
        markReported(run);
        reports.ended(run, limits.explained(run, exit));
        checkGone(run);
    }

    private void lost(DetachedRun run, String reason) {
        if (run.exceeded != null) {
            writeExit(run, RunExit.ended(RunExit.KILLED));
            ended(run, RunExit.ended(RunExit.KILLED));
            return;
        }
        limits.meter().ended(run);
        markReported(run);
        reports.lost(run, reason);
        checkGone(run);
    }

    private void checkGone(DetachedRun run) {
        if (run.stage == Stage.REPORTED && !run.isSessionOpen && !ended.containsKey(run)) {
            onGone.accept(run);
        }
    }

    private void markReported(DetachedRun run) {
        run.stage = Stage.REPORTED;
        polled.remove(run);
    }

    /** Stops the run: prevents its start if possible, otherwise sends signals. */
    void stop(DetachedRun run) {
        RunLeader leader = run.leader;
        if (run.stage != Stage.RUNNING || leader == null) {
            return;
        }
        if (!attached && prevented(run.folder)) {
            writeExit(run, STOPPED_BEFORE);
            ended(run, STOPPED_BEFORE);
        } else {
            closer.stop(leader);
        }
    }

    /** Kills a running run, which has exceeded a limit. */
    void kill(DetachedRun run, String reason) {
        RunLeader leader = run.leader;
        if (run.stage == Stage.RUNNING && leader != null) {
            limits.record(run, reason);
            closer.kill(leader);
        }
    }

    /** Records a stop; returns whether the run will never start. */
    private static boolean prevented(RunFolder folder) {
        try {
            folder.markStop();
            return folder.withdraw();
        } catch (IOException notMarked) {
            // The link cannot be written, or the folder is gone.
            return false;
        }
    }

    private static void writeExit(DetachedRun run, RunExit exit) {
        try {
            run.folder.writeExit(exit);
        } catch (IOException notRecorded) {
            return;
        }
    }

    /** Called when the leader process of a run has ended. */
    void leaderExited(DetachedRun run) {
        RunLeader leader = run.leader;
        if (run.stage != Stage.RUNNING || leader == null) {
            return;
        }
        Process child = leader.child();
        if (attached && child != null) {
            endedByItself(run, leader, RunExit.ended(child.exitValue()));
            return;
        }
        RunExit exit = run.folder.exit();
        RunClaim claim = run.folder.claim();
        if (exit == null && claim instanceof RunClaim.Claimed && run.stopRequested) {
            exit = exitedWithoutSignal(leader) ? STOPPED_BEFORE : RunExit.ended(RunExit.KILLED);
            writeExit(run, exit);
        }
        if (exit != null) {
            endedByItself(run, leader, exit);
        } else if (claim instanceof RunClaim.Unclaimed && run.folder.exists() && exitedWithoutSignal(leader)) {
            notStarted(run, "cannot write to the folders of runs and logs, or cannot start a process");
        } else {
            terminateAndLose(run, leader);
        }
    }

    /** Reports an end and terminates what the run has left behind. */
    private void endedByItself(DetachedRun run, RunLeader leader, RunExit exit) {
        run.isSessionOpen = true;
        closer.leaderEnded(leader);
        if (sessions.canReadMarks()) {
            ended.put(run, new TreeSet<>());
        }
        ended(run, exit);
    }

    /**
     * Returns whether the shell ended by itself. Without an exit code it does so only if it failed to claim the run.
     */
    private static boolean exitedWithoutSignal(RunLeader leader) {
        Process child = leader.child();
        return child != null && child.exitValue() <= RunExit.NOT_FOUND;
    }

    /** Recovers a single run. */
    void recover(DetachedRun run) {
        if (ensureClaimed(run.folder)) {
            recover(run, sessions.byFolder());
        } else {
            run.stage = Stage.UNCLAIMED;
            polled.add(run);
        }
    }

    /**
     * Ensures that no process can claim the run any more. Returns false if it cannot be claimed now, for example
     * because the disk is full. A missing folder needs no claim, because only the runner creates folders.
     */
    static boolean ensureClaimed(RunFolder folder) {
        try {
            boolean unused = folder.withdraw();
            return true;
        } catch (IOException e) {
            return folder.restoreAccess() ? ensureClaimed(folder) : !folder.exists();
        }
    }

    /**
     * Recovers a run of an earlier program from its folder and the sessions that carry its mark.
     *
     * @param marked the sessions found after {@link #ensureClaimed}
     */
    void recover(DetachedRun run, Map<String, SortedSet<RunSession>> marked) {
        SortedSet<RunSession> live = marked.getOrDefault(run.folder.name(), Collections.emptySortedSet());
        RunExit exit = run.folder.exit();
        if (exit != null) {
            terminateRemaining(run, live);
            ended(run, exit);
            return;
        }
        RunClaim claim = run.folder.claim();
        if (claim instanceof RunClaim.Unclaimed && run.folder.exists()) {
            run.stage = Stage.UNCLAIMED;
            polled.add(run);
        } else if (claim instanceof RunClaim.Claimed claimed && clock.isAlive(claimed.identity())) {
            started(run, RunLeader.ofProcess(claimed.identity(), clock, leader -> sessionGone(run, leader)));
            polled.add(run);
            if (run.stopRequested || run.folder.isStopMarked()) {
                run.stopRequested = true;
                stop(run);
            }
        } else {
            terminateAndLose(run, null, live);
        }
    }

    private void terminateAndLose(DetachedRun run, @Nullable RunLeader leader) {
        terminateAndLose(
                run, leader, sessions.byFolder().getOrDefault(run.folder.name(), Collections.emptySortedSet()));
    }

    /** Terminates the remaining processes of a run, verifies that none is left, and then reports the run lost. */
    private void terminateAndLose(DetachedRun run, @Nullable RunLeader leader, SortedSet<RunSession> live) {
        if (!live.isEmpty()) {
            run.folder.fenceExit();
        }
        RunExit exit = run.folder.exit();
        if (exit != null) {
            // The exit code was written after the first check.
            terminateRemaining(run, live);
            ended(run, exit);
            return;
        }
        run.stage = Stage.TERMINATING;
        run.sessions.addAll(live);
        long own = leader == null ? orphans.claimedSession(run.folder) : leader.pid();
        boolean hasRemaining = own != OrphanTerminator.NO_SESSION
                && !live.contains(RunSession.whole(own))
                && sessions.hasProcesses(own);
        if (hasRemaining && (leader != null || !sessions.canReadMarks())) {
            run.sessions.add(RunSession.whole(own));
        }
        if (run.sessions.isEmpty()) {
            if (hasRemaining) {
                // Either another session that reuses this id, or processes that removed the mark: neither report the
                // run lost nor signal them.
                polled.add(run);
            } else {
                lost(run, reason(run));
            }
            return;
        }
        for (RunSession session : Set.copyOf(run.sessions)) {
            RunLeader known = leader != null && leader.session().equals(session) ? leader : null;
            closer.end(known != null ? known : RunLeader.ofSession(session, clock, gone -> sessionGone(run, gone)));
        }
    }

    private void terminateRemaining(DetachedRun run, SortedSet<RunSession> live) {
        if (!live.isEmpty()) {
            ended.put(run, new TreeSet<>(live));
            live.forEach(orphans::terminateSession);
        }
    }

    private void sessionGone(DetachedRun run, RunLeader leader) {
        if (run.stage == Stage.REPORTED && leader.equals(run.leader)) {
            run.isSessionOpen = false;
            checkGone(run);
        }
        if (run.stage == Stage.TERMINATING && run.sessions.remove(leader.session()) && run.sessions.isEmpty()) {
            terminateAndLose(run, run.leader);
        }
    }

    private String reason(DetachedRun run) {
        if (run.folder.isExitDamaged()) {
            return "damaged exit code: " + run.folder.path().resolve("exit");
        }
        RunClaim claim = run.folder.claim();
        if (claim instanceof RunClaim.Damaged damaged) {
            return damaged.problem() + ": " + run.folder.path().resolve("claim");
        }
        if (claim instanceof RunClaim.Claimed claimed) {
            return claimed.identity().boot().equals(clock.boot())
                    ? "process " + claimed.identity().pid() + " ended without recording an exit code"
                    : "host rebooted during the run";
        }
        return run.leader == null ? "it had not started" : "folder " + run.folder.path() + " not found";
    }

    /** Returns whether there are runs to poll. */
    boolean hasRunsToPoll() {
        return !polled.isEmpty() || !ended.isEmpty();
    }

    /** Polls the processes that are not children of this program. */
    void poll() {
        terminateRemaining();
        for (DetachedRun run : Set.copyOf(polled)) {
            RunLeader leader = run.leader;
            if (run.stage == Stage.UNCLAIMED) {
                polled.remove(run);
                recover(run);
            } else if (run.stage == Stage.RUNNING && leader != null && !leader.isAlive()) {
                polled.remove(run);
                leaderExited(run);
            } else if (run.stage == Stage.TERMINATING && !sessions.hasProcesses(orphans.claimedSession(run.folder))) {
                polled.remove(run);
                terminateAndLose(run, leader);
            }
        }
    }

    /**
     * Terminates the remaining sessions of ended runs. One poll serves all runs that have ended since the previous one.
     */
    private void terminateRemaining() {
        if (ended.isEmpty()) {
            return;
        }
        Map<String, SortedSet<RunSession>> live = sessions.byFolder();
        List<DetachedRun> before = List.copyOf(ended.keySet());
        ended.entrySet().removeIf(entry -> {
            DetachedRun run = entry.getKey();
            SortedSet<RunSession> terminating = entry.getValue();
            SortedSet<RunSession> remaining = live.getOrDefault(run.folder.name(), Collections.emptySortedSet());
            for (RunSession session : remaining) {
                boolean isOwn = run.leader != null && run.leader.pid() == session.id();
                if (!isOwn && terminating.add(session)) {
                    orphans.terminateSession(session);
                }
            }
            if (remaining.isEmpty() && !terminating.isEmpty()) {
                onRemainingTerminated.accept(run);
            }
            return remaining.isEmpty();
        });
        before.forEach(this::checkGone);
    }
}
