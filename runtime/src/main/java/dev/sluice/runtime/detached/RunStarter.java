package dev.sluice.runtime.detached;

import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.process.CommandSearch;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.LogFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Creates the folders and the log of a run, and starts its process. Thread-safe. */
final class RunStarter {

    /** The part of the JDK's message that stands for E2BIG: the command line is too long for the system. */
    private static final String COMMAND_TOO_LONG = "error=7,";

    private static final int PROBE_BYTES = 4096;

    /** The variable from which CUDA programs take the GPUs to use. */
    private static final String VISIBLE_GPUS = "CUDA_VISIBLE_DEVICES";

    private final TaskLauncher launcher;
    private final RunDirectories directories;
    private final @Nullable Path logs;
    private final RunSessions sessions;
    private final String boot;
    private final GpuClaims gpus;
    private final RunLimits limits;
    private final AtomicLong probes = new AtomicLong();

    /** The result of an attempt to start a run. */
    sealed interface Attempt {

        /** The process was started. */
        record Started(Process process) implements Attempt {}

        /** The command cannot be started. */
        record Refused(RunExit exit) implements Attempt {}

        /** The run has a folder, so it was started before. */
        record Existing() implements Attempt {}
    }

    /**
     * Creates a starter.
     *
     * @param logs the directory of all logs, or null
     * @param boot the id of this boot of the machine
     * @param gpus the GPUs of this machine
     * @param limits the limits of runs
     */
    RunStarter(
            TaskLauncher launcher,
            RunDirectories directories,
            @Nullable Path logs,
            RunSessions sessions,
            String boot,
            GpuClaims gpus,
            RunLimits limits) {
        this.launcher = launcher;
        this.directories = directories;
        this.logs = logs;
        this.sessions = sessions;
        this.boot = boot;
        this.gpus = gpus;
        this.limits = limits;
    }

    /**
     * Starts a run.
     *
     * @param shared a folder to create before, or null
     * @param gpus the GPUs of the run
     * @throws IOException if something of the runner fails, nothing that belongs to the command
     */
    Attempt start(DetachedRun run, LocalCommand command, Path logFile, @Nullable Path shared, List<Integer> gpus)
            throws IOException {
        RunFolder folder = run.folder;
        if (!directories.create(folder)) {
            return new Attempt.Existing();
        }
        if (directories.hasRecords()) {
            folder.writeGpus(gpus);
        }
        Path scratch = directories.createScratch(folder);
        LocalCommand local = withGpus(inScratch(command, scratch), gpus);
        if (shared != null) {
            Path parent = shared.toAbsolutePath().getParent();
            if (parent != null) {
                PrivateFiles.ensureFolder(parent);
            }
            PrivateFiles.ensureFolder(shared);
        }
        LogFiles.prepare(logs, logFile);
        RunExit obstacle = CommandSearch.obstacle(local);
        if (obstacle == null) {
            try {
                String mark = sessions.mark(folder);
                List<String> prefix = limits.prefix(folder, run.request);
                return new Attempt.Started(
                        directories.hasRecords()
                                ? launcher.start(folder, mark, boot, prefix, local, logFile)
                                : launcher.startAttached(mark, prefix, local, logFile));
            } catch (IOException e) {
                obstacle = obstacleOf(e, local);
            }
        }
        LogFiles.appendIfPossible(logFile, obstacle);
        return new Attempt.Refused(obstacle);
    }

    /** A lasting run works in its scratch folder; an attached one stays where the program was started. */
    private LocalCommand inScratch(LocalCommand command, @Nullable Path scratch) {
        if (scratch == null) {
            return command;
        }
        return directories.hasRecords() ? command.inScratch(scratch) : command.withScratch(scratch);
    }

    /**
     * Returns the command with its GPUs. Without any, a detached command sees none; an attached one sees those of this
     * program, whose environment it inherits.
     */
    private LocalCommand withGpus(LocalCommand command, List<Integer> indices) {
        SortedMap<String, String> variables = new TreeMap<>(command.environment());
        if (!indices.isEmpty()) {
            variables.put(VISIBLE_GPUS, Gpus.text(indices));
            variables.put("SLUICE_GPUS", Gpus.text(indices));
        } else if (gpus.areManaged() && directories.hasRecords()) {
            variables.putIfAbsent(VISIBLE_GPUS, "");
        }
        return command.withEnvironment(variables);
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

    /** Returns why no run can start at present, or null. Writes files and starts a process as runs do. */
    @Nullable String probe() {
        Path name = Path.of(FolderRemover.REMOVED_PREFIX + "probe-" + probes.incrementAndGet());
        Path records = directories.recordDirectory();
        RunFolder folder = new RunFolder(records == null ? name : records.resolve(name));
        try {
            boolean unused = records != null && folder.create() && folder.withdraw();
            Path scratch = directories.createScratch(folder);
            if (scratch != null) {
                Files.write(scratch.resolve("probe"), new byte[PROBE_BYTES]);
            }
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
            directories.remove(folder);
        }
    }
}
