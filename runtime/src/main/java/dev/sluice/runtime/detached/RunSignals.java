package dev.sluice.runtime.detached;

import dev.sluice.runtime.detached.DetachedRun.Stage;
import dev.sluice.runtime.executor.TaskSignal;
import dev.sluice.runtime.process.GroupSignals;
import dev.sluice.runtime.process.ProcessTable;
import dev.sluice.runtime.process.ProcessUser;
import dev.sluice.runtime.process.ShellSignals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Suspends, resumes and signals runs: all processes of their sessions, including those that created their own.
 *
 * <p>The requests that have accumulated are carried out together, with few reads of the process table and few shells. A
 * process that forks while it is being halted may create another session or group; so the table is read until there is
 * no group that has not been signalled, but only so often at a time. The record that a run is halted is written before
 * its first signal and removed after the last, so a run that an earlier program has halted can always be resumed.
 * Thread-safe.
 */
public final class RunSignals {

    /** The delay until a process that was just started has its session. */
    private static final long SESSION_MILLIS = 20;

    /** The maximum number of reads of the process table in succession while processes fork. */
    private static final int ROUNDS_MAX = 10;

    /** The next attempt to halt processes that keep forking is after this many times the duration of the last. */
    private static final int REST_FACTOR = 20;

    private final Map<RunKey, DetachedRun> runs;
    private final RunnerThreads threads;
    private final ProcessTable table;
    private final RunSessions sessions;
    private final GroupSignals signals;
    private final boolean attached;

    // Guarded by this.
    private Set<DetachedRun> changed = new LinkedHashSet<>();
    private Map<TaskSignal, Set<DetachedRun>> toSend = new EnumMap<>(TaskSignal.class);

    /**
     * Creates the signals of a runner.
     *
     * @param attached whether commands lead their sessions, and runs have no records
     */
    RunSignals(
            Map<RunKey, DetachedRun> runs,
            RunnerThreads threads,
            ProcessTable table,
            RunSessions sessions,
            GroupSignals signals,
            boolean attached) {
        this.runs = runs;
        this.threads = threads;
        this.table = table;
        this.sessions = sessions;
        this.signals = signals;
        this.attached = attached;
    }

    /** Halts all processes of a run until it is resumed or stopped; does nothing if it is unknown or has ended. */
    public void suspend(RunKey key) {
        request(runs.get(key), true);
    }

    /** Continues all processes of a run, if they are halted. */
    public void resume(RunKey key) {
        request(runs.get(key), false);
    }

    private void request(@Nullable DetachedRun run, boolean suspended) {
        if (run != null) {
            run.suspendRequested = suspended;
            update(run);
        }
    }

    /** Makes the processes of a run follow the latest request. */
    void update(DetachedRun run) {
        synchronized (this) {
            changed.add(run);
        }
        threads.execute(this::carryOut);
    }

    /**
     * Sends a signal to all processes of a run except the shell that records its exit code.
     *
     * @return whether the run has started and not ended; otherwise nothing is sent
     */
    public boolean signal(RunKey key, TaskSignal signal) {
        DetachedRun run = runs.get(key);
        if (run == null || run.stage != Stage.RUNNING) {
            return false;
        }
        synchronized (this) {
            toSend.computeIfAbsent(signal, each -> new LinkedHashSet<>()).add(run);
        }
        threads.execute(this::carryOut);
        return true;
    }

    /** On the work thread. */
    private void carryOut() {
        Set<DetachedRun> updated;
        Map<TaskSignal, Set<DetachedRun>> sent;
        synchronized (this) {
            updated = changed;
            changed = new LinkedHashSet<>();
            sent = toSend;
            toSend = new EnumMap<>(TaskSignal.class);
        }
        List<DetachedRun> toHalt = new ArrayList<>();
        List<DetachedRun> toContinue = new ArrayList<>();
        for (DetachedRun run : updated) {
            if (run.stage == Stage.RUNNING && !run.stopRequested) {
                if (run.suspendRequested) {
                    toHalt.add(run);
                } else if (run.isHalted || run.folder.isHaltMarked()) {
                    toContinue.add(run);
                }
            } else if (run.stage == Stage.UNCLAIMED) {
                updateLater(run, SESSION_MILLIS);
            }
        }
        sent.forEach(this::send);
        if (!toHalt.isEmpty()) {
            halt(toHalt);
        }
        if (!toContinue.isEmpty()) {
            resume(toContinue);
        }
    }

    private void halt(List<DetachedRun> toHalt) {
        for (DetachedRun run : toHalt) {
            run.isHalted = true;
            try {
                if (!attached) {
                    run.folder.markHalted();
                }
            } catch (IOException notRecorded) {
                // The next program halts the run again, unless it is resumed before.
            }
        }
        Targets signalled = new Targets();
        Targets next = targets(toHalt);
        long start = System.nanoTime();
        for (int round = 0; !next.isEmpty() && round < ROUNDS_MAX; round++) {
            signal("STOP", next);
            signalled.addAll(next);
            next = targets(toHalt);
            next.removeAll(signalled);
        }
        if (next.isEmpty()) {
            toHalt.stream()
                    .filter(run -> hasNoSession(run, signalled.groups))
                    .forEach(run -> updateLater(run, SESSION_MILLIS));
        } else {
            // Some processes fork all the time. Meanwhile this thread has other work.
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            long rest = Math.max(SESSION_MILLIS, REST_FACTOR * took);
            toHalt.forEach(run -> updateLater(run, rest));
        }
    }

    private void signal(String name, Targets targets) {
        if (!targets.groups.isEmpty()) {
            signals.signal(name, targets.groups);
        }
        if (!targets.pids.isEmpty()) {
            ShellSignals.signalProcesses(name, targets.pids);
        }
    }

    /** Returns whether the leader, which was just started, has no session yet. */
    private static boolean hasNoSession(DetachedRun run, SortedSet<Long> groups) {
        RunLeader leader = run.leader;
        return leader != null && leader.isAlive() && !groups.contains(leader.pid());
    }

    private void updateLater(DetachedRun run, long millis) {
        try {
            var unused = threads.work().schedule(() -> update(run), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            return;
        }
    }

    private void resume(List<DetachedRun> toContinue) {
        signal("CONT", targets(toContinue));
        for (DetachedRun run : toContinue) {
            run.isHalted = false;
            try {
                run.folder.unmarkHalted();
            } catch (IOException notRemoved) {
                // The next program continues the run again.
            }
        }
    }

    private void send(TaskSignal signal, Set<DetachedRun> to) {
        if (attached) {
            signal(signal.name(), targets(to));
            return;
        }
        SortedSet<Long> pids = new TreeSet<>();
        forEachProcess(to, (row, whole) -> pids.add(row.pid()));
        for (DetachedRun run : to) {
            if (run.leader != null) {
                pids.remove(run.leader.pid());
            }
        }
        ShellSignals.signalProcesses(signal.name(), pids);
    }

    /** The process groups in sessions that belong to runs, and processes of runs in the sessions of others. */
    private static final class Targets {
        final SortedSet<Long> groups = new TreeSet<>();
        final SortedSet<Long> pids = new TreeSet<>();

        boolean isEmpty() {
            return groups.isEmpty() && pids.isEmpty();
        }

        void addAll(Targets others) {
            groups.addAll(others.groups);
            pids.addAll(others.pids);
        }

        void removeAll(Targets others) {
            groups.removeAll(others.groups);
            pids.removeAll(others.pids);
        }
    }

    private Targets targets(Iterable<DetachedRun> of) {
        Targets targets = new Targets();
        forEachProcess(of, (row, whole) -> {
            if (whole) {
                targets.groups.add(row.group());
            } else {
                targets.pids.add(row.pid());
            }
        });
        return targets;
    }

    /**
     * Calls {@code action} with each process of these runs, and whether its whole session belongs to the run. A process
     * that was just started carries the mark of its run, but is in the session of this program until it has its own;
     * that session is never signalled.
     */
    private void forEachProcess(Iterable<DetachedRun> of, BiConsumer<ProcessTable.Row, Boolean> action) {
        Map<String, SortedSet<RunSession>> marked = sessions.byFolder();
        SortedSet<RunSession> wanted = new TreeSet<>();
        for (DetachedRun run : of) {
            RunLeader leader = run.leader;
            if (leader != null && leader.isAlive()) {
                wanted.add(RunSession.whole(leader.pid()));
            }
            wanted.addAll(marked.getOrDefault(run.folder.name(), Collections.emptySortedSet()));
        }
        Set<Long> ids = new HashSet<>();
        wanted.forEach(session -> ids.add(session.id()));
        List<ProcessTable.Row> rows = table.read();
        long self = ProcessHandle.current().pid();
        rows.stream().filter(row -> row.pid() == self).forEach(row -> ids.remove(row.session()));
        for (ProcessTable.Row row : rows) {
            if (ids.contains(row.session())) {
                boolean whole = wanted.contains(RunSession.whole(row.session()));
                if (whole || wanted.contains(new RunSession(row.session(), ProcessUser.of(row.pid())))) {
                    action.accept(row, whole);
                }
            }
        }
    }
}
