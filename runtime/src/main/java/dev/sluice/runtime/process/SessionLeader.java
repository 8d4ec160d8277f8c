package dev.sluice.runtime.process;

/** The process that leads a session, or led it. Two are equal where they mean the same process, not merely the same id. */
public interface SessionLeader {

    /** Its process id, which is also the id of the session. */
    long pid();

    /** Whether this very process runs, and not another one that was given its id later. */
    boolean isAlive();

    /** Asks this one process to end; does nothing where it is gone. */
    void terminate();

    /** Ends this one process by force; does nothing where it is gone. */
    void kill();

    /**
     * Nothing of its session runs any more. Called by a {@link SessionCloser} that was told to end the session, on its thread;
     * more than once where it was told more than once.
     */
    default void sessionGone() {}

    /** A process that this program started. */
    static SessionLeader of(Process process) {
        return new ChildLeader(process);
    }

    /**
     * The leader that is a child of this program.
     *
     * @param process the child
     */
    record ChildLeader(Process process) implements SessionLeader {

        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public boolean isAlive() {
            return process.isAlive();
        }

        @Override
        public void terminate() {
            process.destroy();
        }

        @Override
        public void kill() {
            process.destroyForcibly();
        }
    }
}
