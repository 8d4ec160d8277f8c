package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskRef;
import dev.sluice.runtime.detached.DetachedRunListener;
import dev.sluice.runtime.detached.DetachedRunner;
import dev.sluice.runtime.detached.RunKey;
import dev.sluice.runtime.executor.Executor;
import dev.sluice.runtime.executor.ExecutorListener;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.executor.RunStart;
import dev.sluice.runtime.executor.TaskSignal;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.secret.SecretCipher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Executes runs as processes of this machine.
 *
 * <p>A {@link DetachedRunner} starts, stops and finds processes; it knows runs by their allocation. This class maps the
 * scheduler's references to allocations, defers the start of a run while an earlier run of its task is alive, names log
 * files and shared folders, and limits the logs.
 */
public final class ProcessExecutor implements Executor {

    /** Below this number of free bytes the logs' disk counts as nearly full. */
    private static final long FREE_MIN = 8 << 20;

    private static final String WITHOUT_COMMAND = "echo 'sluice: the task has no command' >&2; exit 127";

    private static final String CONTAINER =
            "echo 'sluice: the task has an image, but this machine runs no containers' >&2; exit 127";

    private static final String WITHOUT_SECRETS = "echo \"sluice: $1\" >&2; exit 126";

    private final LogFolder logs;
    private final ExecutorListener listener;
    private final BiConsumer<Path, String> notRemoved;
    private final DetachedRunner runner;
    private final SharedFolders shared;
    private final @Nullable LogLimiter limiter;
    private final @Nullable SecretCipher secrets;

    // Guarded by this.
    private final Map<RunRef, TrackedRun> runs = new HashMap<>();
    private final Map<TaskRef, TrackedRun> terminating = new HashMap<>();
    private final Set<RunRef> stoppedBeforeStart = new HashSet<>();
    private boolean closed;
    private volatile boolean stoppingAll;

    /** A run that was started or recovered and has not both ended and been forgotten. */
    private static final class TrackedRun {
        final RunKey key;

        /** Whether its final report was delivered; then it waits to be forgotten. */
        boolean reported;

        boolean suspended;

        /** If it was forgotten while alive: the next run of the task, which starts when this one has ended. */
        @Nullable RunStart next;

        TrackedRun(RunKey key) {
            this.key = key;
        }
    }

    /**
     * Creates an executor.
     *
     * @param notRemoved receives folders of runs that could not be removed and were moved aside, with the reason
     * @throws IllegalStateException if this machine lacks a required tool, or another executor uses the directories
     */
    public ProcessExecutor(ProcessSettings settings, ExecutorListener listener, BiConsumer<Path, String> notRemoved) {
        this.logs = settings.logs();
        this.secrets = settings.secrets();
        this.listener = listener;
        this.notRemoved = notRemoved;
        this.runner = new DetachedRunner(settings.paths(), new Reporter(), settings.grace(), settings.confinement());
        this.shared = SharedFolders.of(settings, runner::remove);
        this.limiter = settings.logMax() == Long.MAX_VALUE
                ? null
                : new LogLimiter(logs.folder(), settings.logMax(), this::free, FREE_MIN);
    }

    /** Returns the free bytes of the logs' disk; the maximum value if unknown. */
    private long free() {
        try {
            return Files.getFileStore(logs.folder()).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public void recover(Collection<RunStart> allocated, Collection<ApplicationRef> active) {
        Map<RunKey, RunRequest> keys = new LinkedHashMap<>();
        synchronized (this) {
            for (RunStart start : allocated) {
                TrackedRun run = new TrackedRun(key(start));
                if (runs.put(start.run(), run) != null) {
                    throw new IllegalArgumentException("duplicate run: " + start.run());
                }
                keys.put(run.key, request(start));
                watchLog(run.key);
            }
        }
        if (limiter != null) {
            limiter.start();
        }
        shared.removeAllBut(active);
        runner.recover(keys);
    }

    private static RunRequest request(RunStart start) {
        return RunRequest.of(start.user(), start.resources());
    }

    private static RunKey key(RunStart start) {
        return new RunKey(start.run(), start.allocation());
    }

    private void watchLog(RunKey key) {
        if (limiter != null) {
            limiter.watch(key, logs.file(key.run().task()));
        }
    }

    @Override
    public synchronized void start(RunStart start) {
        if (stoppingAll || closed) {
            return;
        }
        RunRef ref = start.run();
        TrackedRun run = new TrackedRun(key(start));
        if (runs.putIfAbsent(ref, run) != null) {
            throw new IllegalStateException("run was already started: " + ref);
        }
        if (stoppedBeforeStart.remove(ref)) {
            runner.stop(run.key);
        }
        TrackedRun previous = terminating.get(ref.task());
        if (previous == null) {
            launch(start);
        } else {
            previous.next = start;
        }
    }

    private void launch(RunStart start) {
        TaskRef task = start.run().task();
        Path folder = shared.of(new ApplicationRef(task.partition(), task.application()));
        LocalCommand command = command(start, folder);
        RunKey key = key(start);
        watchLog(key);
        runner.start(key, command, logs.file(task), shared.isManaged() ? folder : null, request(start));
        TrackedRun run = runs.get(start.run());
        if (run != null && run.suspended) {
            runner.signals().suspend(key);
        }
    }

    private LocalCommand command(RunStart start, Path folder) {
        TaskCommand command = start.command();
        if (command == null) {
            return LocalCommand.shell(WITHOUT_COMMAND);
        }
        if (command.container() != null) {
            return LocalCommand.shell(CONTAINER);
        }
        try {
            return LocalCommand.of(command, environment(command), variables(start.run(), folder));
        } catch (IllegalStateException e) {
            return LocalCommand.of("/bin/sh", "-c", WITHOUT_SECRETS, "sluice", String.valueOf(e.getMessage()));
        }
    }

    private Map<String, String> environment(TaskCommand command) {
        if (command.secrets().isEmpty()) {
            return command.environment();
        }
        if (secrets == null) {
            throw new IllegalStateException("cannot decrypt secrets: this program has no key");
        }
        return secrets.environment(command);
    }

    /** Returns the environment variables that identify the run to its process. */
    private static SortedMap<String, String> variables(RunRef run, Path folder) {
        SortedMap<String, String> variables = new TreeMap<>();
        variables.put("SLUICE_APPLICATION", run.task().application());
        variables.put("SLUICE_TASK", run.task().id());
        variables.put("SLUICE_TASK_INDEX", Integer.toString(run.task().position()));
        variables.put("SLUICE_ATTEMPT", Integer.toString(run.attempt()));
        variables.put("SLUICE_RUN_DIRECTORY", folder.toString());
        return variables;
    }

    @Override
    public synchronized void stop(RunRef ref) {
        if (closed) {
            return;
        }
        TrackedRun run = runs.get(ref);
        if (run == null) {
            stoppedBeforeStart.add(ref);
        } else if (!run.reported) {
            runner.stop(run.key);
        }
    }

    @Override
    public synchronized void suspend(RunRef ref) {
        TrackedRun run = runs.get(ref);
        if (run != null && !closed) {
            run.suspended = true;
            runner.signals().suspend(run.key);
        }
    }

    @Override
    public synchronized void resume(RunRef ref) {
        TrackedRun run = runs.get(ref);
        if (run != null && !closed) {
            run.suspended = false;
            runner.signals().resume(run.key);
        }
    }

    @Override
    public synchronized boolean signal(RunRef ref, TaskSignal signal) {
        TrackedRun run = runs.get(ref);
        return run != null && !closed && runner.signals().signal(run.key, signal);
    }

    @Override
    public synchronized void forget(RunRef ref) {
        stoppedBeforeStart.remove(ref);
        TrackedRun run = runs.remove(ref);
        if (run == null || closed) {
            return;
        }
        TrackedRun previous = terminating.get(ref.task());
        if (previous != null) {
            previous.next = null; // it was deferred, so it never started
            runner.forget(run.key);
        } else if (run.reported) {
            runner.forget(run.key);
        } else {
            terminating.put(ref.task(), run);
            runner.stop(run.key);
        }
    }

    @Override
    public void forget(ApplicationRef application) {
        shared.remove(application);
    }

    @Override
    public int unfinishedCount() {
        return runner.unfinishedCount();
    }

    @Override
    public synchronized List<Integer> gpus(RunRef ref) {
        TrackedRun run = runs.get(ref);
        return run == null ? List.of() : runner.gpus(run.key);
    }

    @Override
    public synchronized MeasuredUse measured(RunRef ref) {
        TrackedRun run = runs.get(ref);
        return run == null ? MeasuredUse.NONE : runner.measured(run.key);
    }

    @Override
    public @Nullable String probe() {
        return runner.probe();
    }

    @Override
    public boolean stopAll() {
        stoppingAll = true;
        return runner.stopAll();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        if (limiter != null) {
            limiter.close();
        }
        runner.close();
    }

    /** Passes on the reports of runs that are not forgotten. */
    private final class Reporter implements DetachedRunListener {

        @Override
        public void started(RunKey key, long pid) {
            synchronized (ProcessExecutor.this) {
                TrackedRun run = runs.get(key.run());
                if (run == null || !run.key.equals(key)) {
                    return;
                }
            }
            listener.started(key.run());
        }

        @Override
        public void ended(RunKey key, RunExit exit) {
            if (finish(key)) {
                if (stoppingAll && !exit.isSuccess()) {
                    listener.lost(key.run(), "stopped with all tasks of this machine");
                } else {
                    listener.ended(key.run(), exit);
                }
            }
        }

        @Override
        public void lost(RunKey key, String reason) {
            if (finish(key)) {
                listener.lost(key.run(), reason);
            }
        }

        @Override
        public void notStarted(RunKey key, String reason) {
            if (finish(key)) {
                if (stoppingAll) {
                    listener.lost(key.run(), reason);
                } else {
                    listener.notStarted(key.run(), reason);
                }
            }
        }

        @Override
        public void notRemoved(Path folder, String reason) {
            notRemoved.accept(folder, reason);
        }

        /**
         * Records that nothing of a run is alive; returns whether to report it. Otherwise it was forgotten, and the
         * next run of its task can start.
         */
        private boolean finish(RunKey key) {
            if (limiter != null) {
                limiter.forget(key);
            }
            synchronized (ProcessExecutor.this) {
                TrackedRun run = terminating.get(key.run().task());
                if (run == null || !run.key.equals(key)) {
                    run = runs.get(key.run());
                    if (run == null || !run.key.equals(key)) {
                        throw new IllegalStateException("report of an unknown run: " + key);
                    }
                    run.reported = true;
                    return true;
                }
                terminating.remove(key.run().task());
                if (!closed) {
                    runner.forget(key);
                    if (run.next != null) {
                        launch(run.next);
                    }
                }
                return false;
            }
        }
    }
}
