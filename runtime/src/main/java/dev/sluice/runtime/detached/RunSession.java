package dev.sluice.runtime.detached;

import dev.sluice.runtime.process.SessionLeader;
import java.util.Comparator;

/**
 * A session with processes of a run.
 *
 * @param id the id of the session
 * @param user the user whose processes in it belong to the run; {@link SessionLeader#ALL_USERS} if all do, as in the
 *     session that the run was started in
 */
record RunSession(long id, long user) implements Comparable<RunSession> {

    private static final Comparator<RunSession> ORDER =
            Comparator.comparingLong(RunSession::id).thenComparingLong(RunSession::user);

    /** Returns a session all of whose processes belong to the run. */
    static RunSession whole(long id) {
        return new RunSession(id, SessionLeader.ALL_USERS);
    }

    /** Returns whether all processes of the session belong to the run. */
    boolean isWhole() {
        return user == SessionLeader.ALL_USERS;
    }

    @Override
    public int compareTo(RunSession other) {
        return ORDER.compare(this, other);
    }
}
