package dev.sluice.runtime.process;

import dev.sluice.runtime.executor.RunExit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks as processes of this machine, none of which outlives this program.
 *
 * <p>Every task leads a separate session, so it is stopped together with all processes that it started. A task has
 * ended when its leader has ended, which is reported immediately; the remaining processes of its session are then
 * terminated as if the task were stopped.
 *
 * <p>Standard output and error are written to one file in order; standard input is empty. Thread-safe.
 *
 * @param <K> the type that identifies tasks
 */
public final class ProcessRunner<K> implements AutoCloseable {

    /** The default time between SIGTERM and SIGKILL. */
    public static final Duration GRACE_DEFAULT = Duration.ofSeconds(5);

    /** How much longer than the grace period {@link #stopAll} waits for killed processes to disappear. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(10);

    private static final File NULL_DEVICE = new File("/dev/null");

    private final ProcessListener<K> listener;
    private final Duration grace;
    private final SessionLauncher launcher;
    private final String mark;
    private final Warden warden;
    private final SessionCloser closer;
    private final ExecutorService events = Executors.newSingleThreadExecutor(daemon("process-events"));
    private final ScheduledExecutorService closing =
            Executors.newSingleThreadScheduledExecutor(daemon("process-closer"));

    /** The number of {@link #start} calls whose end has not been delivered to the listener. */
    private final AtomicInteger unfinished = new AtomicInteger();

    private final Set<TaskProcess> live = ConcurrentHashMap.newKeySet();

    private final Object progress = new Object();
    private volatile boolean stopping;
    private volatile @Nullable Thread eventThread;

    /** Creates a runner with the default grace period. */
    public ProcessRunner(ProcessListener<K> listener) {
        this(listener, GRACE_DEFAULT);
    }

    /**
     * Creates a runner.
     *
     * @param grace the time between SIGTERM and SIGKILL
     * @throws IllegalStateException if this machine lacks a required tool
     */
    public ProcessRunner(ProcessListener<K> listener, Duration grace) {
        this(listener, grace, SessionLauncher.find(), ProcessTable.ofThisSystem());
    }

    ProcessRunner(ProcessListener<K> listener, Duration grace, SessionLauncher launcher, ProcessTable table) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace period must not be negative: " + grace);
        }
        this.listener = listener;
        this.grace = grace;
        this.launcher = launcher;
        this.mark = ProcessHandle.current().pid() + "-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        this.warden = new Warden(launcher, grace, mark);
        this.closer = new SessionCloser(closing, table, warden, grace, this::signalProgress);
    }

    private static ThreadFactory daemon(String name) {
        return step -> {
            Thread thread = new Thread(step, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Starts a command and returns, some milliseconds later, when it runs or has failed to start. Failures are reported
     * to the listener, and written to the log file if possible. Appends to an existing log file.
     */
    public TaskProcess start(K task, LocalCommand command, Path logFile) {
        warden.start();
        unfinished.incrementAndGet();
        RunExit obstacle = stopping
                ? RunExit.notStarted(RunExit.TERMINATED, "not started: all tasks are being stopped")
                : CommandSearch.obstacle(command);
        try {
            LogFiles.prepare(logFile);
            if (obstacle == null) {
                return launch(task, command, logFile);
            }
            LogFiles.append(logFile, "sluice: " + obstacle.message());
        } catch (IOException e) {
            if (obstacle == null) {
                obstacle = RunExit.notStarted(e);
                LogFiles.appendIfPossible(logFile, obstacle);
            }
        }
        RunExit exit = obstacle;
        events.execute(() -> report(task, exit));
        return new TaskProcess(null, this::stop);
    }

    private TaskProcess launch(K task, LocalCommand command, Path logFile) throws IOException {
        Map<String, String> environment = new TreeMap<>(command.environment());
        environment.put(SessionLauncher.MARK_VARIABLE, mark);
        Path directory = command.directory();
        Process leader = launcher.prepare(
                        command.arguments(), environment, directory == null ? null : directory.toFile())
                .redirectInput(NULL_DEVICE)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()))
                .start();
        warden.watch(leader.pid());
        SessionLeader session = SessionLeader.of(leader);
        TaskProcess process = new TaskProcess(session, this::stop);
        live.add(process);
        CompletableFuture<Void> unused = leader.onExit().thenRun(() -> {
            live.remove(process);
            closer.leaderEnded(session);
            events.execute(() -> report(task, RunExit.ended(leader.exitValue())));
        });
        if (stopping) {
            process.stop();
        }
        return process;
    }

    private void stop(TaskProcess process) {
        SessionLeader leader = process.leader();
        if (leader != null) {
            closer.stop(leader);
        }
    }

    private void report(K task, RunExit exit) {
        eventThread = Thread.currentThread();
        try {
            listener.ended(task, exit);
        } finally {
            unfinished.decrementAndGet();
            signalProgress();
        }
    }

    private void signalProgress() {
        synchronized (progress) {
            progress.notifyAll();
        }
    }

    /** Returns the number of tasks whose end has not been delivered to the listener. */
    public int unfinishedCount() {
        return unfinished.get();
    }

    /**
     * Stops all tasks and rejects new ones: sends SIGTERM to all their processes, and SIGKILL after the grace period.
     * Returns true when all processes have ended and the listener has received every end; false if some process could
     * not be ended, or the thread was interrupted. May be called from shutdown hooks and by several threads, but not by
     * the listener.
     */
    public boolean stopAll() {
        if (Thread.currentThread() == eventThread) {
            throw new IllegalStateException("must not be called by the listener");
        }
        stopping = true;
        live.forEach(this::stop);
        closer.pollNow();
        boolean quiet = awaitQuiet(System.nanoTime() + grace.plus(STOP_MARGIN).toNanos());
        return warden.close() && quiet;
    }

    private boolean awaitQuiet(long deadlineNanos) {
        synchronized (progress) {
            while (unfinished.get() > 0 || !closer.isIdle()) {
                long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
                if (millis <= 0) {
                    return false;
                }
                try {
                    progress.wait(millis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
        }
        return true;
    }

    /** Stops all tasks as {@link #stopAll} does, and ends the threads of this runner. */
    @Override
    public void close() {
        stopAll();
        events.shutdown();
        closing.shutdown();
    }
}
