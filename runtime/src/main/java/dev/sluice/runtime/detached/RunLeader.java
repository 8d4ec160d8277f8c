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
    private final long user;
    private final @Nullable Process child;
    private final @Nullable ProcessIdentity identity;
    private final ProcessClock clock;
    private final Consumer<RunLeader> onTerminated;

    private RunLeader(
            long pid,
            long user,
            @Nullable Process child,
            @Nullable ProcessIdentity identity,
            ProcessClock clock,
            Consumer<RunLeader> onTerminated) {
        this.pid = pid;
        this.user = user;
        this.child = child;
        this.identity = identity;
        this.clock = clock;
        this.onTerminated = onTerminated;
    }

    static RunLeader ofChild(Process child, ProcessClock clock, Consumer<RunLeader> onTerminated) {
        return new RunLeader(child.pid(), ALL_USERS, child, null, clock, onTerminated);
    }

    static RunLeader ofProcess(ProcessIdentity identity, ProcessClock clock, Consumer<RunLeader> onTerminated) {
        return new RunLeader(identity.pid(), ALL_USERS, null, identity, clock, onTerminated);
    }

    /** Returns the current leader of this session, or a leader that is not alive. */
    static RunLeader ofSession(RunSession session, ProcessClock clock, Consumer<RunLeader> onTerminated) {
        String start = clock.startOf(session.id());
        ProcessIdentity identity = start == null ? null : new ProcessIdentity(session.id(), clock.boot(), start);
        return new RunLeader(session.id(), session.user(), null, identity, clock, onTerminated);
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public long user() {
        return user;
    }

    /** Returns the session with the processes that are terminated with this leader. */
    RunSession session() {
        return new RunSession(pid, user);
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
