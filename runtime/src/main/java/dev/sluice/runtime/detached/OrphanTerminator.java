package dev.sluice.runtime.detached;

import dev.sluice.runtime.process.SessionCloser;
import java.io.IOException;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Terminates processes whose run is not expected or has ended. Confined to the work thread. */
record OrphanTerminator(ProcessClock clock, RunSessions sessions, SessionCloser closer) {

    /** The result of {@link #claimedSession} if there is none. */
    static final long NO_SESSION = -1;

    /** Returns the session led by the process that claimed the run. A later session may have the same id. */
    long claimedSession(RunFolder folder) {
        return folder.claim() instanceof RunClaim.Claimed claimed
                        && claimed.identity().boot().equals(clock.boot())
                ? claimed.identity().pid()
                : NO_SESSION;
    }

    /** Terminates all processes of a run that is not expected, then calls {@code onTerminated}. */
    void terminateOrphan(RunFolder folder, SortedSet<RunSession> live, Runnable onTerminated) {
        SortedSet<RunSession> remaining = new TreeSet<>(live);
        ProcessIdentity leader = null;
        if (folder.claim() instanceof RunClaim.Claimed claimed && clock.isAlive(claimed.identity())) {
            try {
                folder.markStop();
            } catch (IOException notMarked) {
                // The command has most likely started by now.
            }
            leader = claimed.identity();
            remaining.add(RunSession.whole(leader.pid()));
        } else {
            long own = claimedSession(folder);
            if (own != NO_SESSION && !sessions.canReadMarks() && sessions.hasProcesses(own)) {
                remaining.add(RunSession.whole(own));
            }
        }
        terminateSessions(remaining, leader, onTerminated);
    }

    /**
     * Terminates the processes of a run in these sessions, then calls {@code onTerminated}.
     *
     * @param known the leader of one of the sessions, or null if unknown
     */
    void terminateSessions(SortedSet<RunSession> live, @Nullable ProcessIdentity known, Runnable onTerminated) {
        if (live.isEmpty()) {
            onTerminated.run();
            return;
        }
        SortedSet<RunSession> remaining = new TreeSet<>(live);
        for (RunSession session : live) {
            Consumer<RunLeader> gone = leader -> {
                if (remaining.remove(session) && remaining.isEmpty()) {
                    onTerminated.run();
                }
            };
            closer.end(
                    known != null && RunSession.whole(known.pid()).equals(session)
                            ? RunLeader.ofProcess(known, clock, gone)
                            : RunLeader.ofSession(session, clock, gone));
        }
    }

    /** Terminates the processes of a run in this session. */
    void terminateSession(RunSession session) {
        closer.end(RunLeader.ofSession(session, clock, leader -> {}));
    }
}
