package dev.sluice.runtime.detached;

import dev.sluice.runtime.detached.DetachedRun.Stage;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.process.CommandSearch;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.LogFiles;
import dev.sluice.runtime.process.ProcessTable;
import dev.sluice.runtime.process.SessionCloser;
import dev.sluice.runtime.process.ShellSignals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks as processes of this machine that survive the end of this program, even a crash, and finds them again when
 * a new runner is created on the same directory. No run is executed twice, and none is reported lost while one of its
 * processes is alive.
 *
 * <p>Call {@link #recover} first, then {@link #start} and {@link #stop}, and {@link #forget} once the report of a run
 * is durable. All of them except {@link #recover} return immediately and work in the background. Thread-safe.
 */
public final class DetachedRunner implements AutoCloseable {

    /** The interval between polls of processes that are not children of this program. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    /** Polling pauses for this many times the duration of the last poll. */
    private static final int REST_FACTOR = 20;

    /** The number of commands started concurrently; most of that time is spent in the operating system. */
    private static final int STARTERS = 4;

    /** How much longer than the grace period {@link #stopAll} waits, and how long {@link #close} waits. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    /** The part of the JDK's message that stands for E2BIG: the command line is too long for the system. */
    private static final String COMMAND_TOO_LONG = "error=7,";

    private static final int PROBE_BYTES = 4096;

    private static final RunExit STOPPING =
            RunExit.notStarted(RunExit.TERMINATED, "not started: all tasks are being stopped");

    private final Duration grace;
    private final @Nullable Path logs;
    private final FolderRemover remover;
    private final RunFolders folders;
    private final ScratchFolders scratch;
    private final TaskLauncher launcher;
    private final ProcessClock clock;
    private final RunSessions sessions;
    private final SessionCloser closer;
    private final RunReconciler reconciler;
    private final ExecutorService events = Executors.newSingleThreadExecutor(daemon("detached-events"));
    private final ExecutorService starters = Executors.newFixedThreadPool(STARTERS, daemon("detached-start"));
    private final ScheduledThreadPoolExecutor work = new ScheduledThreadPoolExecutor(1, daemon("detached-work"));
    private final Map<RunKey, DetachedRun> runs = new ConcurrentHashMap<>();
    private final OrphanedRuns orphanedRuns = new OrphanedRuns();

    private final RunReports reports;
    private final AtomicLong probes = new AtomicLong();
    private volatile Phase phase = Phase.NEW;
    private boolean pollScheduled;

    private enum Phase {
        NEW,
        OPEN,
        STOPPING,
        CLOSED
    }

    /**
     * Creates a runner that keeps the records of its runs in this directory, which is created if missing.
     *
     * @param grace the time between SIGTERM and SIGKILL
     * @throws IllegalStateException if this machine lacks a required tool, or another runner uses the directory
     */
    public DetachedRunner(Path directory, DetachedRunListener listener, Duration grace) {
        this(RunnerPaths.withSiblingFolders(directory), listener, grace);
    }

    /**
     * Creates a runner with these paths, which are created if missing.
     *
     * @param grace the time between SIGTERM and SIGKILL
     * @throws IllegalStateException if this machine lacks a required tool, or another runner uses the directories
     */
    public DetachedRunner(RunnerPaths paths, DetachedRunListener listener, Duration grace) {
        this(paths, listener, grace, null, ProcessTable.ofThisSystem());
    }

    DetachedRunner(
            RunnerPaths paths,
            DetachedRunListener listener,
            Duration grace,
            @Nullable ProcessClock otherClock,
            ProcessTable table) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace period must not be negative: " + grace);
        }
        this.reports = new RunReports(listener, events);
        this.grace = grace;
        this.launcher = TaskLauncher.find();
        this.clock = otherClock == null ? ProcessClock.ofThisSystem(launcher.tool("ps")) : otherClock;
        this.logs = paths.logs();
        this.remover = new FolderRemover(reports::notRemoved);
        this.folders = new RunFolders(paths.records(), remover);
        this.scratch = new ScratchFolders(paths.scratch(), remover);
        this.sessions =
                new RunSessions(table, !clock.boot().equals(ProcessClock.NO_BOOT), folders.directory(), paths.mark());
        this.closer = new SessionCloser(work, table, new ShellSignals(), grace, reports::signalProgress);
        this.reconciler = new RunReconciler(clock, sessions, closer, reports, this::removeScratchAgain);
        work.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    private static ThreadFactory daemon(String name) {
        return step -> {
            Thread thread = new Thread(step, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Recovers the runs of an earlier program. Every expected run is reported: its end, if an exit code is recorded;
     * its start and later its end, if it is running; otherwise its loss. Runs that are not expected are stopped.
     *
     * @param expected the runs whose start was decided and whose end is not known
     * @throws UncheckedIOException if the directory cannot be read
     */
    public void recover(Collection<RunKey> expected) {
        synchronized (this) {
            if (phase != Phase.NEW) {
                throw new IllegalStateException("recover must be called first, and only once");
            }
            phase = Phase.OPEN;
        }
        reports.expect(expected.size());
        try {
            CompletableFuture.runAsync(() -> doRecover(expected), work).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private void doRecover(Collection<RunKey> expected) {
        Map<String, RunFolder> unexpected = new LinkedHashMap<>();
        try {
            folders.all().forEach(folder -> unexpected.put(folder.name(), folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // No process that the scan of processes would miss starts after this.
        unexpected.values().forEach(folder -> {
            boolean unused = RunReconciler.ensureClaimed(folder);
        });
        Map<String, SortedSet<Long>> live = sessions.byFolder();
        Set<String> known = new TreeSet<>();
        Set<String> keep = new TreeSet<>();
        for (RunKey key : expected) {
            DetachedRun run = new DetachedRun(key, folders.folder(key), Stage.STARTING);
            if (runs.put(key, run) != null) {
                throw new IllegalArgumentException("duplicate run: " + key);
            }
            known.add(run.folder.name());
            unexpected.remove(run.folder.name());
            reconciler.recover(run, live);
        }
        for (RunFolder folder : unexpected.values()) {
            SortedSet<Long> remaining = live.getOrDefault(folder.name(), Collections.emptySortedSet());
            orphanedRuns.add(folder.name());
            keep.add(folder.name());
            reconciler.terminateOrphan(folder, remaining, () -> {
                folders.delete(folder);
                scratch.remove(folder.name());
                orphanedRuns.terminated(folder.name());
            });
        }
        live.forEach((name, remaining) -> {
            if (!known.contains(name) && !unexpected.containsKey(name)) {
                orphanedRuns.add(name);
                keep.add(name);
                reconciler.terminateSessions(remaining, null, () -> {
                    scratch.remove(name);
                    orphanedRuns.terminated(name);
                });
            }
        });
        keep.addAll(known);
        try {
            scratch.removeAllBut(keep);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        schedulePoll(POLL_INTERVAL.toNanos());
    }

    /**
     * Starts a command as this run, unless the run was stopped before. Appends the output to the log file. Failures are
     * reported to the listener, and written to the log file if possible. If the directory already contains the run,
     * nothing is started and its outcome is reported. If {@link #recover} found processes of an earlier run of the same
     * task, this run starts after they have ended.
     *
     * @throws IllegalStateException before {@link #recover}, after {@link #close}, or if the run was started before
     */
    public void start(RunKey key, LocalCommand command, Path logFile) {
        start(key, command, logFile, null);
    }

    /**
     * Same as {@link #start(RunKey, LocalCommand, Path)}, but creates a folder before the command starts.
     *
     * @param shared the folder, which several runs may share; or null
     */
    public void start(RunKey key, LocalCommand command, Path logFile, @Nullable Path shared) {
        requireRecovered();
        DetachedRun run = new DetachedRun(key, folders.folder(key), Stage.STARTING);
        DetachedRun earlier = runs.putIfAbsent(key, run);
        if (earlier != null && earlier.stage != Stage.NEVER_STARTS) {
            throw new IllegalStateException("run was already started: " + key);
        }
        reports.expect(1);
        if (earlier != null) {
            execute(() -> reconciler.refused(earlier, RunReconciler.STOPPED_BEFORE));
        } else {
            orphanedRuns.onTerminated(key, () -> launchSoon(run, command, logFile, shared));
        }
    }

    private void launchSoon(DetachedRun run, LocalCommand command, Path logFile, @Nullable Path shared) {
        try {
            starters.execute(() -> launch(run, command, logFile, shared));
        } catch (RejectedExecutionException closed) {
            // The next runner on this directory finds that the run was not started.
            return;
        }
    }

    private void requireRecovered() {
        if (phase == Phase.NEW || phase == Phase.CLOSED) {
            throw new IllegalStateException("the runner has not recovered yet or is closed");
        }
    }

    private void launch(DetachedRun run, LocalCommand command, Path logFile, @Nullable Path shared) {
        if (phase == Phase.CLOSED) {
            return;
        }
        if (run.stopRequested || phase == Phase.STOPPING) {
            execute(() -> reconciler.refused(run, run.stopRequested ? RunReconciler.STOPPED_BEFORE : STOPPING));
            return;
        }
        try {
            if (run.folder.create()) {
                Path folder = scratch.create(run.folder);
                if (shared != null) {
                    Path parent = shared.toAbsolutePath().getParent();
                    if (parent != null) {
                        PrivateFiles.ensureFolder(parent);
                    }
                    PrivateFiles.ensureFolder(shared);
                }
                launchIn(folder, run, command, logFile);
            } else {
                execute(() -> recover(run));
            }
        } catch (IOException e) {
            // Only folders, files and helpers of the runner can fail here, nothing that belongs to the command.
            String reason = RunExit.notStarted(e).message();
            execute(() -> reconciler.notStarted(run, reason));
        } catch (RuntimeException | Error e) {
            // Without threads or memory the command may run although its child process is unknown.
            execute(() -> recover(run));
            throw e;
        }
    }

    private void launchIn(Path folder, DetachedRun run, LocalCommand given, Path logFile) throws IOException {
        LogFiles.prepare(logs, logFile);
        LocalCommand command = given.inScratch(folder);
        RunExit obstacle = CommandSearch.obstacle(command);
        if (obstacle == null) {
            try {
                Process child = launcher.start(run.folder, sessions.mark(run.folder), clock.boot(), command, logFile);
                execute(() -> reconciler.launched(run, child));
                CompletableFuture<Void> unused = child.onExit().thenRun(() -> execute(() -> leaderExited(run)));
                return;
            } catch (IOException e) {
                obstacle = obstacleOf(e, command);
            }
        }
        RunExit exit = obstacle;
        LogFiles.appendIfPossible(logFile, exit);
        execute(() -> reconciler.refused(run, exit));
    }

    /** Returns why the command itself could not be started; rethrows problems of the machine. */
    private static RunExit obstacleOf(IOException problem, LocalCommand command) throws IOException {
        RunExit obstacle = CommandSearch.obstacle(command);
        if (obstacle != null) {
            return obstacle;
        }
        if (String.valueOf(problem.getMessage()).contains(COMMAND_TOO_LONG)) {
            return RunExit.notStarted(problem);
        }
        throw problem;
    }

    /**
     * Returns why no task can start on this machine at present, or null if tasks can start. Writes files and starts a
     * process as runs do.
     */
    public @Nullable String probe() {
        RunFolder folder = new RunFolder(
                folders.directory().resolve(FolderRemover.REMOVED_PREFIX + "probe-" + probes.incrementAndGet()));
        Path scratchFolder = null;
        try {
            boolean unused = folder.create() && folder.withdraw();
            scratchFolder = scratch.create(folder);
            Files.write(scratchFolder.resolve("probe"), new byte[PROBE_BYTES]);
            if (logs != null) {
                Path log = logs.resolve(FolderRemover.REMOVED_PREFIX + "probe");
                LogFiles.prepare(logs, log);
                Files.write(log, new byte[PROBE_BYTES]);
                Files.delete(log);
            }
            Process process = new ProcessBuilder("/bin/sh", "-c", "(:)").start();
            return process.waitFor() == 0 ? null : "cannot start a process";
        } catch (IOException e) {
            return RunExit.notStarted(e).message();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } finally {
            folders.delete(folder);
            if (scratchFolder != null) {
                scratch.remove(folder.name());
            }
        }
    }

    private void leaderExited(DetachedRun run) {
        reconciler.leaderExited(run);
        schedulePoll(POLL_INTERVAL.toNanos());
    }

    /** Removes the scratch folder of a forgotten run, which its remaining processes may have created again. */
    private void removeScratchAgain(DetachedRun run) {
        if (!runs.containsKey(run.key)) {
            scratch.remove(run.folder.name());
        }
    }

    private void recover(DetachedRun run) {
        if (run.stage != Stage.REPORTED) {
            reconciler.recover(run);
            schedulePoll(POLL_INTERVAL.toNanos());
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
        DetachedRun run =
                runs.computeIfAbsent(key, absent -> new DetachedRun(key, folders.folder(key), Stage.NEVER_STARTS));
        run.stopRequested = true;
        execute(() -> reconciler.stop(run));
    }

    /**
     * Deletes the records of a run, including one that was stopped and never started. Call it once the report of its
     * end or loss is durable. The key must not be used again.
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
        execute(() -> {
            folders.delete(folders.folder(key));
            scratch.remove(key.folderName());
        });
    }

    /**
     * Removes a folder that runs have shared, if it exists. Returns immediately; removal happens in the background.
     */
    public void remove(Path folder) {
        remover.remove(folder);
    }

    /**
     * Returns the running processes on this machine that a runner with this mark has started, as far as visible to this
     * user.
     */
    public static List<Long> pidsWithMark(String mark) {
        return RunSessions.pidsWithMark(ProcessTable.ofThisSystem(), mark);
    }

    /**
     * Executes a step on the work thread, unless the runner is closed. Exceptions go to the thread's uncaught exception
     * handler.
     */
    private void execute(Runnable step) {
        try {
            work.execute(() -> {
                try {
                    step.run();
                } catch (RuntimeException | Error e) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            });
        } catch (RejectedExecutionException closed) {
            return;
        }
    }

    private void schedulePoll(long delayNanos) {
        if (!pollScheduled && reconciler.hasRunsToPoll()) {
            pollScheduled = true;
            try {
                var unused = work.schedule(() -> execute(this::poll), delayNanos, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                // The next runner on this directory terminates the remaining processes.
                return;
            }
        }
    }

    private void poll() {
        long start = System.nanoTime();
        pollScheduled = false;
        try {
            reconciler.poll();
        } finally {
            schedulePoll(Math.max(POLL_INTERVAL.toNanos(), REST_FACTOR * (System.nanoTime() - start)));
        }
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
        return reports.awaitAll(
                closer::isIdle, System.nanoTime() + grace.plus(MARGIN).toNanos());
    }

    /**
     * Releases all resources and leaves the tasks running. The listener is not called afterwards. Starts that were
     * still queued never happen; the next runner reports those runs as lost.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (phase == Phase.CLOSED) {
                return;
            }
            phase = Phase.CLOSED;
        }
        close(starters);
        close(work);
        if (!reports.isListenerThread()) {
            close(events);
        }
        remover.close();
        folders.close();
    }

    private static void close(ExecutorService executor) {
        executor.shutdown();
        try {
            boolean unused = executor.awaitTermination(MARGIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
