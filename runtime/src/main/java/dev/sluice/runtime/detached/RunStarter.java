package dev.sluice.runtime.detached;

import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.file.UserFolders;
import dev.sluice.runtime.machine.Accounts;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.machine.TaskUser;
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
    private final Accounts accounts;
    private final @Nullable UserSwitch users;
    private final @Nullable RunOwners owners;
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
     * @param accounts as which users runs are started
     * @param owners receives the users of runs, or null
     * @throws IllegalStateException if this machine lacks a tool to start runs as other users
     */
    RunStarter(
            TaskLauncher launcher,
            RunDirectories directories,
            @Nullable Path logs,
            RunSessions sessions,
            String boot,
            GpuClaims gpus,
            RunLimits limits,
            Accounts accounts,
            @Nullable RunOwners owners) {
        this.owners = owners;
        this.launcher = launcher;
        this.directories = directories;
        this.logs = logs;
        this.sessions = sessions;
        this.boot = boot;
        this.gpus = gpus;
        this.limits = limits;
        this.accounts = accounts;
        this.users = accounts.changeUser() ? UserSwitch.find() : null;
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
        LogFiles.prepare(logs, logFile);
        TaskUser user = accounts.of(run.request.submitter());
        if (user instanceof TaskUser.Refused refused) {
            return refused(logFile, RunExit.notStarted(RunExit.NOT_EXECUTABLE, refused.reason()));
        }
        String lacking = users == null || user instanceof TaskUser.Unchanged ? null : users.obstacle(command);
        if (lacking != null) {
            return refused(logFile, RunExit.notStarted(RunExit.NOT_EXECUTABLE, lacking));
        }
        Path scratch = directories.createScratch(folder);
        LocalCommand local = withGpus(inScratch(command, scratch), gpus);
        createShared(shared);
        // Whether a user may use a file is not checked with the rights of this program.
        RunExit obstacle = user instanceof TaskUser.Account ? null : CommandSearch.obstacle(local);
        if (obstacle != null) {
            return refused(logFile, obstacle);
        }
        try {
            String mark = sessions.mark(folder);
            List<String> prefix = limits.prefix(folder, run.request);
            if (users != null && user instanceof TaskUser.Account account) {
                if (owners != null) {
                    owners.starting(folder.name(), account.uid());
                }
                give(account, scratch, shared, logFile);
                return new Attempt.Started(
                        launcher.startAs(account, users, folder, mark, boot, prefix, local, logFile));
            }
            return new Attempt.Started(
                    directories.hasRecords()
                            ? launcher.start(folder, mark, boot, prefix, local, logFile)
                            : launcher.startAttached(mark, prefix, local, logFile));
        } catch (IOException e) {
            return refused(logFile, obstacleOf(e, user instanceof TaskUser.Account ? null : local));
        }
    }

    private static Attempt refused(Path logFile, RunExit obstacle) {
        LogFiles.appendIfPossible(logFile, obstacle);
        return new Attempt.Refused(obstacle);
    }

    private static void createShared(@Nullable Path shared) throws IOException {
        if (shared != null) {
            Path parent = shared.toAbsolutePath().getParent();
            if (parent != null) {
                PrivateFiles.ensureFolder(parent);
            }
            PrivateFiles.ensureFolder(shared);
        }
    }

    /**
     * Gives a user the folders and the log of its run, which are in folders that nobody else can change. The log is in
     * a private folder: its owner can open it again by its file descriptor, as {@code /dev/stderr}, but not by its path.
     */
    private static void give(TaskUser.Account account, @Nullable Path scratch, @Nullable Path shared, Path logFile)
            throws IOException {
        if (scratch != null) {
            giveFolder(account, scratch);
        }
        if (shared != null) {
            Path parent = shared.toAbsolutePath().getParent();
            if (parent != null) {
                UserFolders.open(parent);
            }
            giveFolder(account, shared);
        }
        if (!UserFolders.mayGive(logFile, account.uid())) {
            PrivateFiles.setAside(logFile); // somebody else may have it open
            LogFiles.prepare(logFile);
        }
        UserFolders.give(logFile, account.uid(), account.gid());
    }

    /**
     * Gives a folder to a user; replaces that of an application of somebody else, whose id is used again. Tasks that
     * start at the same time may share the folder, which only one of them may replace.
     */
    private static synchronized void giveFolder(TaskUser.Account account, Path folder) throws IOException {
        if (!UserFolders.mayGive(folder, account.uid())) {
            PrivateFiles.setAside(folder);
            PrivateFiles.ensureFolder(folder);
        }
        UserFolders.give(folder, account.uid(), account.gid());
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
    private static RunExit obstacleOf(IOException problem, @Nullable LocalCommand command) throws IOException {
        RunExit obstacle = command == null ? null : CommandSearch.obstacle(command);
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
