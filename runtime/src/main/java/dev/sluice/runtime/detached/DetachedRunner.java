package dev.sluice.runtime.detached;

import dev.sluice.runtime.detached.DetachedRun.Stage;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.GroupSignals;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import dev.sluice.runtime.process.SessionCloser;
import dev.sluice.runtime.process.ShellSignals;
import dev.sluice.runtime.process.Warden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks as processes of this machine. Detached ones survive the end of this program, even a crash, and are found
 * again when a new runner is created on the same directory; attached ones end with this program (see
 * {@link RunnerPaths}). No run is executed twice, and none is reported lost while one of its processes is alive.
 *
 * <p>Call {@link #recover} first, then {@link #start} and {@link #stop}, and {@link #forget} once the report of a run
 * is durable. All of them except {@link #recover} return immediately and work in the background. Thread-safe.
 */
public final class DetachedRunner implements AutoCloseable {

    /** How much longer than the grace period {@link #stopAll} waits, and how long {@link #close} waits. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    private static final RunExit STOPPING =
            RunExit.notStarted(RunExit.TERMINATED, "not started: all tasks are being stopped");

    private final Duration grace;
    private final RunDirectories directories;
    private final RunStarter starter;
    private final @Nullable Warden warden;
    private final ProcessClock clock;
    private final RunSessions sessions;
    private final SessionCloser closer;
    private final RunReconciler reconciler;
    private final OrphanTerminator orphans;
    private final PollSchedule polls;
    private final RunnerThreads threads = new RunnerThreads();
    private final Map<RunKey, DetachedRun> runs = new ConcurrentHashMap<>();
    private final OrphanedRuns orphanedRuns = new OrphanedRuns();
    private final GpuClaims gpus;
    private final RunLimits limits;
    private final LimitSchedule checks;
    private final RunSignals signals;
    private final @Nullable RunOwners owners;

    private final RunReports reports;
    private volatile Phase phase = Phase.NEW;

    private enum Phase {
        NEW,
        OPEN,
        STOPPING,
        CLOSED
    }

    /**
     * Creates a runner with these paths, which are created if missing.
     *
     * @param grace the time between SIGTERM and SIGKILL
     * @param confinement what runs may use of this machine, and as whom
     * @throws IllegalStateException if this machine lacks a required tool, or another runner uses the directories
     */
    public DetachedRunner(RunnerPaths paths, DetachedRunListener listener, Duration grace, Confinement confinement) {
        this(paths, listener, grace, null, ProcessTable.ofThisSystem(), TaskLauncher.find(), confinement);
    }

    DetachedRunner(
            RunnerPaths paths,
            DetachedRunListener listener,
            Duration grace,
            @Nullable ProcessClock otherClock,
            ProcessTable table,
            TaskLauncher launcher,
            Confinement confinement) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace period must not be negative: " + grace);
        }
        this.reports = new RunReports(listener, threads.events());
        this.grace = grace;
        this.gpus = new GpuClaims(confinement.gpus());
        this.limits = new RunLimits(confinement.limits(), paths.mark(), paths.isAttached());
        this.clock = otherClock == null ? ProcessClock.ofThisSystem(launcher.tool("ps")) : otherClock;
        this.directories = new RunDirectories(
                paths,
                new FolderRemover(reports::notRemoved),
                confinement.accounts().changeUser());
        Path scratch = paths.scratch();
        this.owners = scratch != null && confinement.accounts().changeUser() ? new RunOwners(scratch) : null;
        this.sessions = new RunSessions(table, clock.boot(), directories.recordDirectory(), paths.mark(), owners);
        this.starter = new RunStarter(
                launcher,
                directories,
                paths.logs(),
                sessions,
                clock.boot(),
                gpus,
                limits,
                confinement.accounts(),
                owners);
        this.warden = paths.isAttached() ? new Warden(launcher.sessions(), grace, paths.mark()) : null;
        GroupSignals groups = warden == null ? new ShellSignals() : warden;
        this.closer = new SessionCloser(threads.work(), table, groups, grace, this::sessionsGone);
        this.signals = new RunSignals(runs, threads, table, sessions, groups, paths.isAttached());
        this.orphans = new OrphanTerminator(clock, sessions, closer);
        this.reconciler = new RunReconciler(
                paths.isAttached(),
                clock,
                sessions,
                closer,
                reports,
                orphans,
                limits,
                this::removeScratchAgain,
                this::gone);
        this.checks = new LimitSchedule(threads, runs.values(), limits, reconciler);
        this.polls = new PollSchedule(threads.work(), threads::execute, reconciler, checks::plan);
    }

    /**
     * Recovers the runs of an earlier program. Every expected run is reported: its end, if an exit code is recorded;
     * its start and later its end, if it is running; otherwise its loss. Runs that are not expected are stopped.
     *
     * @param expected the runs whose start was decided and whose end is not known, with their requests
     * @throws UncheckedIOException if the directory cannot be read
     */
    public void recover(Map<RunKey, RunRequest> expected) {
        synchronized (this) {
            if (phase != Phase.NEW) {
                throw new IllegalStateException("recover must be called first, and only once");
            }
            phase = Phase.OPEN;
        }
        if (warden != null) {
            warden.start();
        }
        reports.expect(expected.size());
        try {
            CompletableFuture.runAsync(() -> doRecover(expected), threads.work())
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private void doRecover(Map<RunKey, RunRequest> expected) {
        List<DetachedRun> recovered = new ArrayList<>();
        expected.forEach((key, request) -> {
            DetachedRun run = new DetachedRun(key, directories.folder(key), request, Stage.STARTING);
            runs.put(key, run);
            run.exceeded = run.folder.exceeded();
            if (owners != null) {
                owners.recovering(run.folder.name());
            }
            recovered.add(run);
        });
        try {
            new RunRecovery(directories, sessions, reconciler, orphans, orphanedRuns, gpus).recover(recovered);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        limits.recovered();
        polls.plan();
        checks.plan();
    }

    /**
     * Starts a command as this run, unless the run was stopped before. Appends the output to the log file. Failures are
     * reported to the listener, and written to the log file if possible. If the directory already contains the run,
     * nothing is started and its outcome is reported. If {@link #recover} found processes of an earlier run of the same
     * task, this run starts after they have ended, and if it requests GPUs, when enough of them are free.
     *
     * @param shared a folder to create before, which several runs may share; or null
     * @throws IllegalStateException before {@link #recover}, after {@link #close}, or if the run was started before
     */
    public void start(RunKey key, LocalCommand command, Path logFile, @Nullable Path shared, RunRequest request) {
        requireRecovered();
        DetachedRun run = new DetachedRun(key, directories.folder(key), request, Stage.STARTING);
        DetachedRun earlier = runs.putIfAbsent(key, run);
        if (earlier != null && earlier.stage != Stage.NEVER_STARTS) {
            throw new IllegalStateException("run was already started: " + key);
        }
        reports.expect(1);
        if (earlier != null) {
            threads.execute(() -> reconciler.refused(earlier, RunReconciler.STOPPED_BEFORE));
        } else if (gpus.isTooMany(request.gpus())) {
            RunExit exit = RunExit.notStarted(RunExit.NOT_EXECUTABLE, gpus.tooMany(request.gpus()));
            threads.execute(() -> reconciler.refused(run, exit));
        } else {
            orphanedRuns.onTerminated(key, () -> {
                gpus.claim(run.folder.name(), request.gpus(), own -> launchSoon(run, command, logFile, shared, own));
                giveUpIfStopped(run);
            });
        }
    }

    private void launchSoon(
            DetachedRun run, LocalCommand command, Path logFile, @Nullable Path shared, List<Integer> own) {
        try {
            threads.starters().execute(() -> launch(run, command, logFile, shared, own));
        } catch (RejectedExecutionException closed) {
            // The next runner on this directory finds that the run was not started.
            return;
        }
    }

    /** Ends the wait of a stopped run for GPUs. */
    private void giveUpIfStopped(DetachedRun run) {
        if (run.stopRequested) {
            gpus.giveUp(run.folder.name());
        }
    }

    private void requireRecovered() {
        if (phase == Phase.NEW || phase == Phase.CLOSED) {
            throw new IllegalStateException("the runner has not recovered yet or is closed");
        }
    }

    private void launch(DetachedRun run, LocalCommand command, Path logFile, @Nullable Path shared, List<Integer> own) {
        if (phase == Phase.CLOSED) {
            return;
        }
        if (run.stopRequested || phase == Phase.STOPPING) {
            threads.execute(() -> reconciler.refused(run, run.stopRequested ? RunReconciler.STOPPED_BEFORE : STOPPING));
            return;
        }
        try {
            RunStarter.Attempt attempt = starter.start(run, command, logFile, shared, own);
            if (attempt instanceof RunStarter.Attempt.Started started) {
                follow(run, started.process());
            } else if (attempt instanceof RunStarter.Attempt.Refused refused) {
                threads.execute(() -> reconciler.refused(run, refused.exit()));
            } else {
                threads.execute(() -> recover(run));
            }
        } catch (IOException e) {
            String reason = RunExit.notStarted(e).message();
            threads.execute(() -> reconciler.notStarted(run, reason));
        } catch (RuntimeException | Error e) {
            // Without threads or memory the command may run although its child process is unknown.
            threads.execute(() -> recover(run));
            throw e;
        }
    }

    private void follow(DetachedRun run, Process child) {
        if (warden != null) {
            warden.watch(child.pid());
        }
        threads.execute(() -> {
            reconciler.launched(run, child);
            if (run.suspendRequested) {
                signals.update(run);
            }
            checks.plan();
        });
        CompletableFuture<Void> unused = child.onExit().thenRun(() -> threads.execute(() -> leaderExited(run)));
    }

    /**
     * Returns why no task can start on this machine at present, or null if tasks can start. Writes files and starts a
     * process as runs do.
     */
    public @Nullable String probe() {
        return starter.probe();
    }

    private void leaderExited(DetachedRun run) {
        reconciler.leaderExited(run);
        polls.plan();
    }

    /** Called when nothing of a reported run is alive. */
    private void gone(DetachedRun run) {
        if (run.isForgotten) {
            directories.remove(run.folder);
        }
        limits.gone(run);
        gpus.release(run.folder.name());
        if (owners != null) {
            owners.gone(run.folder.name());
        }
    }

    /** Called when no session is being terminated. */
    private void sessionsGone() {
        reports.signalProgress();
        polls.plan();
    }

    /** Removes the scratch folder of a forgotten run, which its remaining processes may have created again. */
    private void removeScratchAgain(DetachedRun run) {
        if (!runs.containsKey(run.key)) {
            directories.removeScratch(run.folder.name());
        }
    }

    private void recover(DetachedRun run) {
        if (run.stage != Stage.REPORTED) {
            gpus.restore(run.folder.name(), run.folder.gpus());
            reconciler.recover(run);
            polls.plan();
            checks.plan();
        }
    }

    /**
     * Stops a run: sends SIGTERM to all its processes, and SIGKILL to those still alive after the grace period. A run
     * that has not started never starts, even if its start is requested later. Does nothing if the run has ended or is
     * already being stopped.
     *
     * @throws IllegalStateException before {@link #recover} or after {@link #close}
     */
    public void stop(RunKey key) {
        requireRecovered();
        DetachedRun run = runs.computeIfAbsent(
                key, absent -> new DetachedRun(key, directories.folder(key), RunRequest.NONE, Stage.NEVER_STARTS));
        run.stopRequested = true;
        giveUpIfStopped(run);
        threads.execute(() -> reconciler.stop(run));
    }

    /** Returns what suspends, resumes and signals runs. */
    public RunSignals signals() {
        return signals;
    }

    /**
     * Deletes the records of a run, including one that was stopped and never started; those of a run with GPUs once
     * nothing of it is alive. Call it once the report of its end or loss is durable. The key must not be used again.
     *
     * @throws IllegalStateException if the run has not been reported
     */
    public void forget(RunKey key) {
        requireRecovered();
        DetachedRun run = runs.get(key);
        if (run != null && run.stage != Stage.REPORTED && run.stage != Stage.NEVER_STARTS) {
            throw new IllegalStateException("run has not been reported yet: " + key);
        }
        runs.remove(key);
        threads.execute(() -> {
            if (run != null && gpus.isHolder(run.folder.name())) {
                run.isForgotten = true; // its folder shows which GPUs its remaining processes may use
            } else {
                directories.remove(directories.folder(key));
            }
        });
    }

    /**
     * Removes a folder that runs have shared, if it exists. Returns immediately; removal happens in the background.
     */
    public void remove(Path folder) {
        directories.removeShared(folder);
    }

    /**
     * Returns the running processes on this machine that a runner with this mark has started, as far as visible to this
     * user.
     */
    public static List<Long> pidsWithMark(String mark) {
        return RunSessions.pidsWithMark(ProcessTable.ofThisSystem(), mark);
    }

    /** Returns the GPUs that a run holds, by index. */
    public List<Integer> gpus(RunKey key) {
        return gpus.of(directories.folder(key).name());
    }

    /**
     * Returns what a run has used: of a running one about a second ago, of an ended one in total, from its report until
     * it is forgotten.
     */
    public MeasuredUse measured(RunKey key) {
        DetachedRun run = runs.get(key);
        return run == null ? MeasuredUse.NONE : run.measured;
    }

    /** Returns the number of runs whose final report has not been delivered to the listener. */
    public int unfinishedCount() {
        return reports.unfinishedCount();
    }

    /**
     * Stops every run and rejects new ones. Returns true when all processes have ended and the listener has received
     * every report; false if some process could not be ended, or the thread was interrupted. The listener must not call
     * this.
     */
    public boolean stopAll() {
        requireRecovered();
        if (reports.isListenerThread()) {
            throw new IllegalStateException("must not be called by the listener");
        }
        phase = Phase.STOPPING;
        Set.copyOf(runs.keySet()).forEach(this::stop);
        boolean quiet = reports.awaitAll(
                closer::isIdle, System.nanoTime() + grace.plus(MARGIN).toNanos());
        return (warden == null || warden.close()) && quiet;
    }

    /**
     * Releases all resources. Leaves the tasks running if they are detached, otherwise ends them. The listener is not
     * called afterwards. Starts that were still queued never happen; the next runner reports those runs as lost.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (phase == Phase.CLOSED) {
                return;
            }
            phase = Phase.CLOSED;
        }
        threads.close(!reports.isListenerThread(), MARGIN);
        if (warden != null) {
            boolean unused = warden.close();
        }
        directories.close();
        limits.close();
    }
}
