package dev.sluice.runtime.process;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The process of a task: the leader of a session that contains all processes it starts. */
public final class TaskProcess {

    /** The process id of a command that could not be started. */
    public static final long NO_PID = -1;

    private final @Nullable SessionLeader leader;
    private final Consumer<TaskProcess> stopper;

    TaskProcess(@Nullable SessionLeader leader, Consumer<TaskProcess> stopper) {
        this.leader = leader;
        this.stopper = stopper;
    }

    /** Returns the id of the process, of its group and of its session, or {@link #NO_PID}. */
    public long pid() {
        return leader == null ? NO_PID : leader.pid();
    }

    /** Returns whether the command is running. */
    public boolean isAlive() {
        return leader != null && leader.isAlive();
    }

    /**
     * Sends SIGTERM to the whole session, and SIGKILL if it is still running after the grace period. Returns
     * immediately; the listener is called when the process has ended. Does nothing if it already has.
     */
    public void stop() {
        stopper.accept(this);
    }

    @Nullable SessionLeader leader() {
        return leader;
    }
}
