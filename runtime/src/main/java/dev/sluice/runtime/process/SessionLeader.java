package dev.sluice.runtime.process;

/**
 * The process that leads a session, or led it. Two leaders are equal if they are the same process, not merely the same
 * id.
 */
public interface SessionLeader {

    /** The result of {@link #user} if all processes of the session are to be terminated. */
    long ALL_USERS = -1;

    /** Returns the process id, which is also the id of the session. */
    long pid();

    /**
     * Returns the user whose processes in the session are to be terminated, one by one; all others, also in their
     * process groups, are spared. The leader of such a session may be anybody's.
     */
    default long user() {
        return ALL_USERS;
    }

    /** Returns whether exactly this process is running, not another one that reuses its id. */
    boolean isAlive();

    /** Sends SIGTERM to this process; does nothing if it has ended. */
    void terminate();

    /** Sends SIGKILL to this process; does nothing if it has ended. */
    void kill();

    /**
     * Called by a {@link SessionCloser}, on its thread, when a session it terminates has no processes left; once per
     * request.
     */
    default void sessionGone() {}
}
