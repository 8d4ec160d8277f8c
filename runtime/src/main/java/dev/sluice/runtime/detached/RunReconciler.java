package dev.sluice.runtime.detached;

import dev.sluice.runtime.detached.DetachedRun.Stage;
import dev.sluice.runtime.process.ProcessExit;
import dev.sluice.runtime.process.SessionCloser;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

    private static final long NO_SESSION = -1;

    /** The result of a run that was stopped before it started. */
    static final ProcessExit STOPPED_BEFORE = ProcessExit.notStarted(ProcessExit.TERMINATED, "stopped before it began");

    /** Receives the outcome of runs. */
    interface Reports {

        void started(DetachedRun run, long pid);

        /** The run has ended; called once per run. */
        void ended(DetachedRun run, ProcessExit exit);

        /** The run is lost; called once per run. */
        void lost(DetachedRun run, String reason);

        /** The run failed to start; called once per run. */
        void notStarted(DetachedRun run, String reason);
    }

    private final ProcessClock clock;
    private final RunSessions sessions;
    private final SessionCloser closer;
    private final Reports reports;

    private final Consumer<DetachedRun> whenLeftIsGone;

    /** Runs to poll, because no event announces their changes. */
    private final Set<DetachedRun> watched = new LinkedHashSet<>();

    /** Runs that have ended, until nothing of them lives, with the sessions that they left and that were told to end. */
    private final Map<DetachedRun, SortedSet<Long>> ended = new LinkedHashMap<>();

    /**
     * Decides by these.
     *
     * @param whenLeftIsGone called when nothing lives any more of a run that left something in a session of its own
     */
    RunReconciler(
            ProcessClock clock,
            RunSessions sessions,
            SessionCloser closer,
            Reports reports,
            Consumer<DetachedRun> whenLeftIsGone) {
        this.clock = clock;
        this.sessions = sessions;
        this.closer = closer;
        this.reports = reports;
        this.whenLeftIsGone = whenLeftIsGone;
    }

    /** Called when a child process was started for the run. */
    void launched(DetachedRun run, Process child) {
        run(run, RunLeader.ofChild(child, clock, leader -> sessionGone(run, leader)));
        if (run.stopRequested) {
            stop(run);
        }
    }

    /** Called when the command of the run could not be started. Records the reason if possible. */
    void refused(DetachedRun run, ProcessExit exit) {
        try {
            if (run.folder.exists() && run.folder.withdraw()) {
                run.folder.writeExit(exit);
            }
        } catch (IOException reportedAllTheSame) {
            // A later program finds that the run did not start, but not why.
        }
        ended(run, exit);
    }

    /** Called when the run could not be started because of a fault of this machine. */
    void notStarted(DetachedRun run, String reason) {
        if (run.folder.exists()) {
            boolean unused = ensureClaimed(run.folder);
        }
        over(run);
        reports.notStarted(run, reason);
    }

    private void run(DetachedRun run, RunLeader leader) {
        run.stage = Stage.RUNNING;
        run.leader = leader;
        reports.started(run, leader.pid());
    }

    private void ended(DetachedRun run, ProcessExit exit) {
        over(run);
        reports.ended(run, exit);
    }

    private void lost(DetachedRun run, String reason) {
        over(run);
        reports.lost(run, reason);
    }

    private void over(DetachedRun run) {
        run.stage = Stage.OVER;
        watched.remove(run);
    }

    /** Stops the run: prevents its start if possible, otherwise sends signals. */
    void stop(DetachedRun run) {
        RunLeader leader = run.leader;
        if (run.stage != Stage.RUNNING || leader == null) {
            return;
        }
        boolean before = false;
        try {
            run.folder.markStop();
            before = run.folder.withdraw();
        } catch (IOException signalsDo) {
            // The link cannot be written, or the folder is gone.
        }
        if (before) {
            writeExit(run, STOPPED_BEFORE);
            ended(run, STOPPED_BEFORE);
        } else {
            closer.stop(leader);
        }
    }

    private static void writeExit(DetachedRun run, ProcessExit exit) {
        try {
            run.folder.writeExit(exit);
        } catch (IOException reportedAllTheSame) {
            return;
        }
    }

    /** Called when the leader process of a run has ended. */
    void leaderExited(DetachedRun run) {
        RunLeader leader = run.leader;
        if (run.stage != Stage.RUNNING || leader == null) {
            return;
        }
        ProcessExit exit = run.folder.exit();
        RunClaim claim = run.folder.claim();
        if (exit == null && claim instanceof RunClaim.Held && run.stopRequested) {
            exit = exitedUnsignalled(leader) ? STOPPED_BEFORE : ProcessExit.ended(ProcessExit.KILLED);
            writeExit(run, exit);
        }
        if (exit != null) {
            closer.leaderEnded(leader);
            if (sessions.canReadMarks()) {
                ended.put(run, new TreeSet<>());
            }
            ended(run, exit);
        } else if (claim instanceof RunClaim.Free && run.folder.exists() && exitedUnsignalled(leader)) {
            notStarted(run, "nothing can be written to the folders of runs and logs, or no process can be started");
        } else {
            lose(run, leader);
        }
    }

    /**
     * Returns whether the shell ended by itself. Without an exit code it does so only if it failed to claim the run.
     */
    private static boolean exitedUnsignalled(RunLeader leader) {
        Process child = leader.child();
        return child != null && child.exitValue() <= ProcessExit.NOT_FOUND;
    }

    /** Recovers a single run. */
    void recover(DetachedRun run) {
        if (ensureClaimed(run.folder)) {
            recover(run, sessions.byFolder());
        } else {
            run.stage = Stage.UNCLAIMED;
            watched.add(run);
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
    void recover(DetachedRun run, Map<String, SortedSet<Long>> marked) {
        SortedSet<Long> live = marked.getOrDefault(run.folder.name(), Collections.emptySortedSet());
        ProcessExit exit = run.folder.exit();
        if (exit != null) {
            live.forEach(this::terminateSession);
            ended(run, exit);
            return;
        }
        RunClaim claim = run.folder.claim();
        if (claim instanceof RunClaim.Free && run.folder.exists()) {
            run.stage = Stage.UNCLAIMED;
            watched.add(run);
        } else if (claim instanceof RunClaim.Held held && clock.isAlive(held.identity())) {
            run(run, RunLeader.ofProcess(held.identity(), clock, leader -> sessionGone(run, leader)));
            watched.add(run);
            if (run.stopRequested || run.folder.isStopMarked()) {
                run.stopRequested = true;
                stop(run);
            }
        } else {
            lose(run, null, live);
        }
    }

    private void lose(DetachedRun run, @Nullable RunLeader leader) {
        lose(run, leader, sessions.byFolder().getOrDefault(run.folder.name(), Collections.emptySortedSet()));
    }

    /** Terminates the remaining processes of a run, verifies that none is left, and then reports the run lost. */
    private void lose(DetachedRun run, @Nullable RunLeader leader, SortedSet<Long> live) {
        if (!live.isEmpty()) {
            fenceExit(run);
        }
        ProcessExit exit = run.folder.exit();
        if (exit != null) {
            // The exit code was written after the first check.
            live.forEach(this::terminateSession);
            ended(run, exit);
            return;
        }
        run.stage = Stage.LOSING;
        run.sessions.addAll(live);
        long own = leader == null ? claimedSession(run.folder) : leader.pid();
        boolean left = own != NO_SESSION && !live.contains(own) && sessions.isLeft(own);
        if (left && (leader != null || !sessions.canReadMarks())) {
            run.sessions.add(own);
        }
        if (run.sessions.isEmpty()) {
            if (left) {
                // Either another session that reuses this id, or processes that removed the mark: neither report the
                // run lost nor signal them.
                watched.add(run);
            } else {
                lost(run, reason(run));
            }
            return;
        }
        for (long session : Set.copyOf(run.sessions)) {
            RunLeader known = leader != null && leader.pid() == session ? leader : null;
            closer.end(known != null ? known : RunLeader.ofSession(session, clock, gone -> sessionGone(run, gone)));
        }
    }

    /** Prevents the processes terminated next from writing an exit code as if they had ended by themselves. */
    private static void fenceExit(DetachedRun run) {
        try {
            run.folder.fenceExit();
        } catch (IOException e) {
            // That exit code is reported; this is correct because no process of the run is alive.
            return;
        }
    }

    /** Returns the session led by the process that claimed the run. A later session may have the same id. */
    private long claimedSession(RunFolder folder) {
        return folder.claim() instanceof RunClaim.Held held
                        && held.identity().boot().equals(clock.boot())
                ? held.identity().pid()
                : NO_SESSION;
    }

    private void sessionGone(DetachedRun run, RunLeader leader) {
        if (run.stage == Stage.LOSING && run.sessions.remove(leader.pid()) && run.sessions.isEmpty()) {
            lose(run, run.leader);
        }
    }

    private String reason(DetachedRun run) {
        if (run.folder.isExitDamaged()) {
            return "its exit code cannot be read: " + run.folder.path().resolve("exit") + " is damaged";
        }
        RunClaim claim = run.folder.claim();
        if (claim instanceof RunClaim.Damaged damaged) {
            return damaged.problem() + ": " + run.folder.path().resolve("claim") + " is damaged";
        }
        if (claim instanceof RunClaim.Held held) {
            return held.identity().boot().equals(clock.boot())
                    ? "its process " + held.identity().pid() + " ended without telling how its command ended"
                    : "the machine was started anew while it ran";
        }
        return run.leader == null ? "it had not begun" : "its folder " + run.folder.path() + " is gone";
    }

    /** Terminates all processes of a run that is not expected, then calls {@code onTerminated}. */
    void terminateOrphan(RunFolder folder, SortedSet<Long> live, Runnable onTerminated) {
        SortedSet<Long> left = new TreeSet<>(live);
        ProcessIdentity leader = null;
        if (folder.claim() instanceof RunClaim.Held held && clock.isAlive(held.identity())) {
            try {
                folder.markStop();
            } catch (IOException signalsDo) {
                // The command has most likely started by now.
            }
            leader = held.identity();
            left.add(leader.pid());
        } else {
            long own = claimedSession(folder);
            if (own != NO_SESSION && !sessions.canReadMarks() && sessions.isLeft(own)) {
                left.add(own);
            }
        }
        terminateSessions(left, leader, onTerminated);
    }

    /**
     * Terminates all processes of these sessions, then calls {@code onTerminated}.
     *
     * @param known the leader of one of the sessions, or null if unknown
     */
    void terminateSessions(SortedSet<Long> live, @Nullable ProcessIdentity known, Runnable onTerminated) {
        if (live.isEmpty()) {
            onTerminated.run();
            return;
        }
        SortedSet<Long> left = new TreeSet<>(live);
        for (long session : live) {
            Consumer<RunLeader> gone = leader -> {
                if (left.remove(session) && left.isEmpty()) {
                    onTerminated.run();
                }
            };
            closer.end(
                    known != null && known.pid() == session
                            ? RunLeader.ofProcess(known, clock, gone)
                            : RunLeader.ofSession(session, clock, gone));
        }
    }

    /** Terminates all processes of this session. */
    void terminateSession(long session) {
        closer.end(RunLeader.ofSession(session, clock, leader -> {}));
    }

    /** Returns whether there are runs to poll. */
    boolean isWatching() {
        return !watched.isEmpty() || !ended.isEmpty();
    }

    /** Polls the processes that are not children of this program. */
    void poll() {
        endLeft();
        for (DetachedRun run : Set.copyOf(watched)) {
            RunLeader leader = run.leader;
            if (run.stage == Stage.UNCLAIMED) {
                watched.remove(run);
                recover(run);
            } else if (run.stage == Stage.RUNNING && leader != null && !leader.isAlive()) {
                watched.remove(run);
                leaderExited(run);
            } else if (run.stage == Stage.LOSING && !sessions.isLeft(claimedSession(run.folder))) {
                watched.remove(run);
                lose(run, leader);
            }
        }
    }

    /** Ends what lives of ended runs in sessions of its own. One look serves all runs that have ended since the one before. */
    private void endLeft() {
        if (ended.isEmpty()) {
            return;
        }
        Map<String, SortedSet<Long>> live = sessions.byFolder();
        ended.entrySet().removeIf(entry -> {
            DetachedRun run = entry.getKey();
            SortedSet<Long> told = entry.getValue();
            SortedSet<Long> left = live.getOrDefault(run.folder.name(), Collections.emptySortedSet());
            for (long session : left) {
                boolean isOwn = run.leader != null && run.leader.pid() == session;
                if (!isOwn && told.add(session)) {
                    terminateSession(session);
                }
            }
            if (left.isEmpty() && !told.isEmpty()) {
                whenLeftIsGone.accept(run);
            }
            return left.isEmpty();
        });
    }
}
