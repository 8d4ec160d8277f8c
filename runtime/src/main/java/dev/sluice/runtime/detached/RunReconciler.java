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

/** Decides what becomes of runs, from what stands in their folders and which processes live. For the work thread alone. */
final class RunReconciler {

    private static final long NO_SESSION = -1;

    /** The end of a run that was stopped in time. */
    static final ProcessExit STOPPED_BEFORE = ProcessExit.notStarted(ProcessExit.TERMINATED, "stopped before it began");

    /** Where decisions go. */
    interface Reports {

        void started(DetachedRun run, long pid);

        /** The run is over; called once for each. */
        void ended(DetachedRun run, ProcessExit exit);

        /** The run is over; called once for each. */
        void lost(DetachedRun run, String reason);

        /** The run is over and was never started; called once for each. */
        void notStarted(DetachedRun run, String reason);
    }

    private final ProcessClock clock;
    private final RunSessions sessions;
    private final SessionCloser closer;
    private final Reports reports;

    private final Consumer<DetachedRun> whenLeftIsGone;

    /** Runs of which nobody tells when something changes. */
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

    /** This child was started for the run. */
    void launched(DetachedRun run, Process child) {
        run(run, RunLeader.ofChild(child, clock, leader -> sessionGone(run, leader)));
        if (run.stopRequested) {
            stop(run);
        }
    }

    /** The run was not started and never will be. What is known is written down, where it can be. */
    void refused(DetachedRun run, ProcessExit exit) {
        try {
            if (run.folder.exists() && run.folder.withdraw()) {
                run.folder.writeExit(exit);
            }
        } catch (IOException reportedAllTheSame) {
            // A program that comes after this one finds that it did not start, but not why.
        }
        ended(run, exit);
    }

    /** The run was not started for want of something on this machine, and never will be. */
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

    /** The run is to stop: before it begins if there is still time for that, else with signals. */
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
            // Nothing can be written down, or the folder is gone.
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

    /** The process of a run is gone. */
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

    /** Whether the shell ended by itself, which without an exit code it does only when it sees no claim of its own. */
    private static boolean exitedUnsignalled(RunLeader leader) {
        Process child = leader.child();
        return child != null && child.exitValue() <= ProcessExit.NOT_FOUND;
    }

    /** Takes up what is known of a run on its own. */
    void recover(DetachedRun run) {
        if (ensureClaimed(run.folder)) {
            recover(run, sessions.byFolder());
        } else {
            run.stage = Stage.UNCLAIMED;
            watched.add(run);
        }
    }

    /**
     * Sees to it that nobody can claim a run any more, unless somebody has. False where it cannot be claimed now: the disk may
     * be full. A folder that is gone needs no claim, for nobody else can make one there.
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
     * Takes up what an earlier program left of a run, as its folder and the sessions that carry its mark tell it.
     *
     * @param marked what was found after {@link #ensureClaimed}
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

    /** Ends what is left of a run, sees whether that was all, and says then that it is lost. */
    private void lose(DetachedRun run, @Nullable RunLeader leader, SortedSet<Long> live) {
        if (!live.isEmpty()) {
            fenceExit(run);
        }
        ProcessExit exit = run.folder.exit();
        if (exit != null) {
            // It was written since it was first looked for.
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
                // Another session that was given this id, or what took the mark away from itself: neither lost nor
                // ended.
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

    /** What is ended now would leave an exit code as if it had ended by itself. */
    private static void fenceExit(DetachedRun run) {
        try {
            run.folder.fenceExit();
        } catch (IOException e) {
            // Then that code is reported, which is not wrong either: nothing of the run lives.
            return;
        }
    }

    /** The session that the process led which claimed a run; a later one may have the same id. */
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

    /** Ends a run, or what is left of one, that nobody wants to hear of any more; then calls {@code onTerminated}. */
    void terminateOrphan(RunFolder folder, SortedSet<Long> live, Runnable onTerminated) {
        SortedSet<Long> left = new TreeSet<>(live);
        ProcessIdentity leader = null;
        if (folder.claim() instanceof RunClaim.Held held && clock.isAlive(held.identity())) {
            try {
                folder.markStop();
            } catch (IOException signalsDo) {
                // The command has begun by now, most likely.
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

    /** Ends whatever is in these sessions, of one of which the leader may be known; then calls {@code onTerminated}. */
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

    /** Ends whatever is in this session. */
    void terminateSession(long session) {
        closer.end(RunLeader.ofSession(session, clock, leader -> {}));
    }

    /** Whether anything has to be looked at from time to time. */
    boolean isWatching() {
        return !watched.isEmpty() || !ended.isEmpty();
    }

    /** Looks at the processes that are not children of this program. */
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
