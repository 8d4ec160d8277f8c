package dev.sluice.runtime.detached;

import dev.sluice.runtime.process.SessionLeader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The leader of a run's session: a child of this program, or a process that an earlier program started; it may have
 * ended.
 */
final class RunLeader implements SessionLeader {

    private final long pid;
    private final @Nullable Process child;
    private final @Nullable ProcessIdentity identity;
    private final ProcessClock clock;
    private final Consumer<RunLeader> onTerminated;

    private RunLeader(
            long pid,
            @Nullable Process child,
            @Nullable ProcessIdentity identity,
            ProcessClock clock,
            Consumer<RunLeader> onTerminated) {
        this.pid = pid;
        this.child = child;
        this.identity = identity;
        this.clock = clock;
        this.onTerminated = onTerminated;
    }

    static RunLeader ofChild(Process child, ProcessClock clock, Consumer<RunLeader> onTerminated) {
        return new RunLeader(child.pid(), child, null, clock, onTerminated);
    }

    static RunLeader ofProcess(ProcessIdentity identity, ProcessClock clock, Consumer<RunLeader> onTerminated) {
        return new RunLeader(identity.pid(), null, identity, clock, onTerminated);
    }

    /** Returns the current leader of this session, or a leader that is not alive. */
    static RunLeader ofSession(long session, ProcessClock clock, Consumer<RunLeader> onTerminated) {
        String start = clock.startOf(session);
        ProcessIdentity identity = start == null ? null : new ProcessIdentity(session, clock.boot(), start);
        return new RunLeader(session, null, identity, clock, onTerminated);
    }

    @Override
    public long pid() {
        return pid;
    }

    @Nullable Process child() {
        return child;
    }

    @Override
    public boolean isAlive() {
        return child != null ? child.isAlive() : identity != null && clock.isAlive(identity);
    }

    @Override
    public void terminate() {
        if (isAlive()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
        }
    }

    @Override
    public void kill() {
        if (isAlive()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Override
    public void sessionGone() {
        onTerminated.accept(this);
    }
}
