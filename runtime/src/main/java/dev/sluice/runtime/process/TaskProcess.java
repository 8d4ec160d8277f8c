package dev.sluice.runtime.process;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A task's process: the leader of a session of its own, to which everything belongs that it starts. */
public final class TaskProcess {

    /** The process id of a command that could not be started. */
    public static final long NO_PID = -1;

    private final @Nullable SessionLeader leader;
    private final Consumer<TaskProcess> stopper;

    TaskProcess(@Nullable SessionLeader leader, Consumer<TaskProcess> stopper) {
        this.leader = leader;
        this.stopper = stopper;
    }

    /** The id of the process, of its group and of its session, or {@link #NO_PID}. */
    public long pid() {
        return leader == null ? NO_PID : leader.pid();
    }

    /** Whether the command has not ended yet. */
    public boolean isAlive() {
        return leader != null && leader.isAlive();
    }

    /**
     * Asks the whole session to end, and ends it by force if it is still there after the grace period. Returns at once; the
     * listener tells when it is over. Does nothing where it is over already.
     */
    public void stop() {
        stopper.accept(this);
    }

    @Nullable SessionLeader leader() {
        return leader;
    }
}
