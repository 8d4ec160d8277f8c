package dev.sluice.runtime.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Terminates sessions: those that are stopped, and the remaining processes of a task whose leader has ended.
 *
 * <p>Both work the same way: SIGTERM to all groups of the session, then after the grace period SIGKILL, repeated until
 * no process is left. In a session of others, only the processes of one user are signalled, each by itself. One read of
 * the process table serves all sessions being terminated, and reads take at most a small part of the time, so a task
 * that leaves no processes behind costs almost nothing.
 */
public final class SessionCloser {

    /** The delay between the end of a leader and the first check for remaining processes. */
    private static final Duration ORPHAN_CHECK_DELAY = Duration.ofMillis(250);

    /** The interval between polls while a session is being terminated. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    /** Polling pauses for this many times the duration of the last poll. */
    private static final int REST_FACTOR = 20;

    private final ScheduledExecutorService executor;
    private final ProcessTable table;
    private final GroupSignals signals;
    private final Duration grace;
    private final Runnable whenIdle;
    private final Map<SessionLeader, Closing> closings = new ConcurrentHashMap<>();

    // Confined to the executor's thread.
    private @Nullable ScheduledFuture<?> nextPoll;
    private long restUntilNanos = System.nanoTime();

    /** A session being terminated. */
    private static final class Closing {
        final SessionLeader leader;
        /** Set when the leader has ended; its process id may have been reused since. */
        volatile boolean leaderEnded;

        private boolean leaderEndedBeforePoll;
        private boolean terminated;
        private long killAtNanos;

        Closing(SessionLeader leader) {
            this.leader = leader;
        }
    }

    /**
     * Creates a closer that works on this executor, which must be single-threaded, and calls {@code whenIdle} there.
     */
    public SessionCloser(
            ScheduledExecutorService executor,
            ProcessTable table,
            GroupSignals signals,
            Duration grace,
            Runnable whenIdle) {
        this.executor = executor;
        this.table = table;
        this.signals = signals;
        this.grace = grace;
        this.whenIdle = whenIdle;
    }

    /** Returns whether no session is being terminated. */
    public boolean isIdle() {
        return closings.isEmpty();
    }

    /** Terminates the session of this leader, unless the leader has ended. */
    public void stop(SessionLeader leader) {
        if (leader.isAlive()) {
            Closing closing = closingOf(leader);
            // If the leader ended after the first check, its end may have been handled before the session was
            // registered.
            if (!leader.isAlive()) {
                closing.leaderEnded = true;
            }
            pollNow();
        }
    }

    /** Kills all processes of the session of this leader, without a grace period. */
    public void kill(SessionLeader leader) {
        Closing closing = closingOf(leader);
        execute(() -> {
            closing.terminated = true;
            closing.killAtNanos = System.nanoTime();
        });
        pollNow();
    }

    /** Called when the leader has ended; terminates the remaining processes of its session. */
    public void leaderEnded(SessionLeader leader) {
        closingOf(leader).leaderEnded = true;
        execute(() -> plan(ORPHAN_CHECK_DELAY.toNanos()));
    }

    /**
     * Terminates all processes of a session, whether its leader is alive or not. Another session that reuses the id is
     * not affected.
     */
    public void end(SessionLeader leader) {
        Closing closing = closingOf(leader);
        if (!leader.isAlive()) {
            closing.leaderEnded = true;
        }
        pollNow();
    }

    private Closing closingOf(SessionLeader leader) {
        return closings.computeIfAbsent(leader, Closing::new);
    }

    /** Polls as soon as possible instead of after the interval. */
    public void pollNow() {
        execute(() -> plan(0));
    }

    private void execute(Runnable step) {
        try {
            executor.execute(step);
        } catch (RejectedExecutionException closed) {
            // The runner is closed; its warden, if any, terminates the rest.
            return;
        }
    }

    private void plan(long delayNanos) {
        if (closings.isEmpty()) {
            return;
        }
        long delay = Math.max(delayNanos, restUntilNanos - System.nanoTime());
        if (nextPoll != null) {
            if (nextPoll.getDelay(TimeUnit.NANOSECONDS) <= delay) {
                return;
            }
            nextPoll.cancel(false);
        }
        nextPoll = executor.schedule(
                () -> {
                    nextPoll = null;
                    poll();
                    plan(POLL_INTERVAL.toNanos());
                },
                delay,
                TimeUnit.NANOSECONDS);
    }

    private void poll() {
        if (closings.isEmpty()) {
            return;
        }
        // A leader that ends after this point may leave processes that the table does not contain yet.
        List<Closing> due = new ArrayList<>(closings.values());
        due.sort(Comparator.comparingLong(closing -> closing.leader.pid()));
        for (Closing closing : due) {
            if (!closing.leader.isAlive()) {
                closing.leaderEnded = true;
            }
            closing.leaderEndedBeforePoll = closing.leaderEnded;
        }
        long start = System.nanoTime();
        Map<Long, List<ProcessTable.Row>> sessions = sessions(due);
        long now = System.nanoTime();
        restUntilNanos = now + REST_FACTOR * (now - start);
        SortedSet<Long> toTerminate = new TreeSet<>();
        SortedSet<Long> toKill = new TreeSet<>();
        for (Closing closing : due) {
            long session = closing.leader.pid();
            List<ProcessTable.Row> members = sessions.getOrDefault(session, Collections.emptyList());
            if (closing.leaderEndedBeforePoll && members.isEmpty()) {
                closed(closing);
                signals.forget(session);
            } else if (closing.leaderEndedBeforePoll && members.stream().anyMatch(row -> row.pid() == session)) {
                // The process id was reused, which happens only after the session is empty.
                closed(closing);
            } else if (closing.leader.user() != SessionLeader.ALL_USERS) {
                signalEach(closing, members, now);
            } else {
                signal(closing, members, now, toTerminate, toKill);
            }
        }
        if (!toTerminate.isEmpty()) {
            signals.terminate(toTerminate);
        }
        if (!toKill.isEmpty()) {
            signals.signal("KILL", toKill);
        }
        if (closings.isEmpty()) {
            whenIdle.run();
        }
    }

    private void closed(Closing closing) {
        closings.remove(closing.leader, closing);
        closing.leader.sessionGone();
    }

    /** Returns the processes of these sessions, by session. */
    private Map<Long, List<ProcessTable.Row>> sessions(List<Closing> due) {
        Set<Long> wanted = new HashSet<>();
        due.forEach(closing -> wanted.add(closing.leader.pid()));
        Map<Long, List<ProcessTable.Row>> sessions = new HashMap<>();
        for (ProcessTable.Row row : table.read()) {
            if (wanted.contains(row.session())) {
                sessions.computeIfAbsent(row.session(), session -> new ArrayList<>())
                        .add(row);
            }
        }
        return sessions;
    }

    /** Returns whether this is the first signal, and starts the grace period if so. */
    private boolean begin(Closing closing, long now) {
        if (closing.terminated) {
            return false;
        }
        closing.terminated = true;
        closing.killAtNanos = now + grace.toNanos();
        return true;
    }

    /** Signals the processes of one user in a session, which may contain others. */
    private void signalEach(Closing closing, List<ProcessTable.Row> members, long now) {
        long user = closing.leader.user();
        List<Long> own = members.stream()
                .map(ProcessTable.Row::pid)
                .filter(pid -> ProcessUser.of(pid) == user)
                .toList();
        if (own.isEmpty()) {
            closed(closing);
        } else if (begin(closing, now)) {
            own.forEach(pid -> ProcessUser.end(pid, user, false));
            ShellSignals.signalProcesses("CONT", own);
        } else if (now - closing.killAtNanos >= 0) {
            own.forEach(pid -> ProcessUser.end(pid, user, true));
        }
    }

    private void signal(
            Closing closing,
            List<ProcessTable.Row> members,
            long now,
            SortedSet<Long> toTerminate,
            SortedSet<Long> toKill) {
        boolean terminate = begin(closing, now);
        if (!terminate && now - closing.killAtNanos < 0) {
            return;
        }
        SortedSet<Long> groups = terminate ? toTerminate : toKill;
        members.forEach(row -> groups.add(row.group()));
        if (!closing.leaderEndedBeforePoll && members.isEmpty() && closing.leader.isAlive()) {
            // The session does not exist yet, or the table is unreadable.
            groups.add(closing.leader.pid());
            if (terminate) {
                closing.leader.terminate();
            } else {
                closing.leader.kill();
            }
        }
    }
}
