package dev.sluice.runtime.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends sessions: those it is told to stop, and what a task left behind when its leader ended.
 *
 * <p>Both go the same way: SIGTERM to all groups of the session, after the grace period SIGKILL, again and again until nothing
 * is left. One look at the process table serves all sessions that are being ended, and such looks take at most a small part of
 * the time, so that a task that leaves nothing behind costs next to nothing.
 */
public final class SessionCloser {

    /** From the end of a leader to the look for what it left. */
    private static final Duration LEFTOVER_DELAY = Duration.ofMillis(250);

    /** Between two looks while something is being stopped. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    /** A look that took so long is followed by this many times as long without one. */
    private static final int REST_FACTOR = 20;

    private final ScheduledExecutorService executor;
    private final ProcessTable table;
    private final GroupSignals signals;
    private final Duration grace;
    private final Runnable whenIdle;
    private final ConcurrentSkipListMap<Long, Closing> closings = new ConcurrentSkipListMap<>();

    // Only the executor's one thread reads and writes these.
    private @Nullable ScheduledFuture<?> nextPoll;
    private long restUntilNanos = System.nanoTime();

    /** One session that is being ended. */
    private static final class Closing {
        final SessionLeader leader;
        /** Set when the leader has ended; by then its process id may belong to somebody else. */
        volatile boolean left;

        private boolean leftBeforePoll;
        private boolean asked;
        private long killAtNanos;

        Closing(SessionLeader leader) {
            this.leader = leader;
        }
    }

    /** Closes sessions on this executor, which must have one thread; {@code whenIdle} is called there. */
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

    /** Whether no session is being ended. */
    public boolean isIdle() {
        return closings.isEmpty();
    }

    /** Ends the session of this leader, unless the leader has ended already. */
    public void stop(SessionLeader leader) {
        if (leader.isAlive()) {
            Closing closing = closingOf(leader);
            // If it ended since the first question, its end may have been dealt with before this was put in.
            if (!leader.isAlive()) {
                closing.left = true;
            }
            pollNow();
        }
    }

    /** The leader has ended; what it left behind is to end too. */
    public void leaderEnded(SessionLeader leader) {
        closingOf(leader).left = true;
        execute(() -> plan(LEFTOVER_DELAY.toNanos()));
    }

    /** Ends all there is of a session, whether its leader lives or not. What belongs to another session of that id is let be. */
    public void end(SessionLeader leader) {
        Closing closing = closingOf(leader);
        if (!leader.isAlive()) {
            closing.left = true;
        }
        pollNow();
    }

    /** What there is for this leader; what there was for an earlier one with the same process id is forgotten. */
    private Closing closingOf(SessionLeader leader) {
        return closings.compute(
                leader.pid(),
                (pid, closing) -> closing != null && closing.leader.equals(leader) ? closing : new Closing(leader));
    }

    /** Looks as soon as possible at what is being ended, instead of waiting for more to come. */
    public void pollNow() {
        execute(() -> plan(0));
    }

    private void execute(Runnable step) {
        try {
            executor.execute(step);
        } catch (RejectedExecutionException closed) {
            // The runner was closed; its warden does the rest, where it has one.
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
        // A leader that ends after this moment may leave something behind that the table does not show yet.
        List<Closing> due = new ArrayList<>(closings.values());
        for (Closing closing : due) {
            if (!closing.leader.isAlive()) {
                closing.left = true;
            }
            closing.leftBeforePoll = closing.left;
        }
        long start = System.nanoTime();
        Map<Long, List<ProcessTable.Row>> sessions = sessions();
        long now = System.nanoTime();
        restUntilNanos = now + REST_FACTOR * (now - start);
        SortedSet<Long> toAsk = new TreeSet<>();
        SortedSet<Long> toKill = new TreeSet<>();
        for (Closing closing : due) {
            long session = closing.leader.pid();
            List<ProcessTable.Row> members = sessions.getOrDefault(session, Collections.emptyList());
            if (closing.leftBeforePoll && members.isEmpty()) {
                closed(closing);
                signals.forget(session);
            } else if (closing.leftBeforePoll && members.stream().anyMatch(row -> row.pid() == session)) {
                // Its process id was given to somebody else, which happens only when nothing of the session is left.
                closed(closing);
            } else {
                signal(closing, members, now, toAsk, toKill);
            }
        }
        if (!toAsk.isEmpty()) {
            signals.terminate(toAsk);
        }
        if (!toKill.isEmpty()) {
            signals.kill(toKill);
        }
        if (closings.isEmpty()) {
            whenIdle.run();
        }
    }

    private void closed(Closing closing) {
        closings.remove(closing.leader.pid(), closing);
        closing.leader.sessionGone();
    }

    /** The processes of the sessions that are being ended, by session. */
    private Map<Long, List<ProcessTable.Row>> sessions() {
        Map<Long, List<ProcessTable.Row>> sessions = new HashMap<>();
        for (ProcessTable.Row row : table.read()) {
            if (closings.containsKey(row.session())) {
                sessions.computeIfAbsent(row.session(), session -> new ArrayList<>())
                        .add(row);
            }
        }
        return sessions;
    }

    private void signal(
            Closing closing, List<ProcessTable.Row> members, long now, SortedSet<Long> toAsk, SortedSet<Long> toKill) {
        boolean ask = !closing.asked;
        if (ask) {
            closing.asked = true;
            closing.killAtNanos = now + grace.toNanos();
        } else if (now - closing.killAtNanos < 0) {
            return;
        }
        SortedSet<Long> groups = ask ? toAsk : toKill;
        members.forEach(row -> groups.add(row.group()));
        if (!closing.leftBeforePoll && members.isEmpty() && closing.leader.isAlive()) {
            // It has no session yet, or the table cannot be read.
            groups.add(closing.leader.pid());
            if (ask) {
                closing.leader.terminate();
            } else {
                closing.leader.kill();
            }
        }
    }
}
