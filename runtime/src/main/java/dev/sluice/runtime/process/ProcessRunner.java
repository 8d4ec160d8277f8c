package dev.sluice.runtime.process;

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
 * Runs tasks as processes of this machine, and lets none of them outlive it.
 *
 * <p>Every task leads a session of its own, so it is stopped together with all that it started. A task is over when its leader
 * ends, which is reported at once; what it leaves running in its session is ended afterwards, as if it were stopped.
 *
 * <p>Standard output and error go to one file in the order written, standard input is empty. For any thread.
 *
 * @param <K> what tasks are known by
 */
public final class ProcessRunner<K> implements AutoCloseable {

    /** The time between SIGTERM and SIGKILL where none is given. */
    public static final Duration GRACE_DEFAULT = Duration.ofSeconds(5);

    /** How much longer than the grace period {@link #stopAll} waits for what was killed to be gone. */
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

    /** How many calls of {@link #start} the listener still has to hear of. */
    private final AtomicInteger unfinished = new AtomicInteger();

    private final Set<TaskProcess> live = ConcurrentHashMap.newKeySet();

    private final Object progress = new Object();
    private volatile boolean stopping;
    private volatile @Nullable Thread eventThread;

    /** A runner with the default grace period. */
    public ProcessRunner(ProcessListener<K> listener) {
        this(listener, GRACE_DEFAULT);
    }

    /** A runner with its own grace period; throws {@link IllegalStateException} when this machine lacks what it needs. */
    public ProcessRunner(ProcessListener<K> listener, Duration grace) {
        this(listener, grace, SessionLauncher.find(), ProcessTable.ofThisSystem());
    }

    ProcessRunner(ProcessListener<K> listener, Duration grace, SessionLauncher launcher, ProcessTable table) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("a grace period is never negative: " + grace);
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
     * Starts a command and returns when it runs or is known not to, some milliseconds later. Whatever goes wrong is reported to
     * the listener, and written to the log file if that is possible; a log file that exists is continued.
     */
    public TaskProcess start(K task, LocalCommand command, Path logFile) {
        warden.start();
        unfinished.incrementAndGet();
        ProcessExit obstacle = stopping
                ? ProcessExit.notStarted(ProcessExit.TERMINATED, "not started: everything is being stopped")
                : CommandSearch.obstacle(command);
        try {
            LogFiles.prepare(logFile);
            if (obstacle == null) {
                return launch(task, command, logFile);
            }
            LogFiles.append(logFile, "sluice: " + obstacle.message());
        } catch (IOException e) {
            if (obstacle == null) {
                obstacle = ProcessExit.notStarted(e);
                LogFiles.appendIfPossible(logFile, obstacle);
            }
        }
        ProcessExit exit = obstacle;
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
            events.execute(() -> report(task, ProcessExit.ended(leader.exitValue())));
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

    private void report(K task, ProcessExit exit) {
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

    /** How many tasks run, or ended without the listener having been told yet. */
    public int unfinishedCount() {
        return unfinished.get();
    }

    /**
     * Stops everything for good: what runs is asked to end and after the grace period ended by force, whatever it started
     * included, and nothing is started any more. Returns when all of it is gone and the listener knows; false if something
     * could not be ended, or the thread was interrupted. Made to be called from a shutdown hook too, by any number of threads,
     * but never from the listener.
     */
    public boolean stopAll() {
        if (Thread.currentThread() == eventThread) {
            throw new IllegalStateException("the listener cannot wait for itself");
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

    /** Stops everything, as {@link #stopAll} does, and ends the threads of this runner. */
    @Override
    public void close() {
        stopAll();
        events.shutdown();
        closing.shutdown();
    }
}
