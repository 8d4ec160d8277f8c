package dev.sluice.runtime.process;

import dev.sluice.runtime.executor.RunExit;
import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Checks before a command is started whether it can be, so that the error message does not come from a helper process.
 *
 * <p>A command that passes may still fail to start: its interpreter may be missing, or it may be removed in between.
 */
public final class CommandSearch {

    /** The search path if {@code PATH} is not set. */
    private static final String PATH_DEFAULT = "/bin:/usr/bin";

    private CommandSearch() {}

    /** Returns why this command cannot be started, or null if no obstacle is found. */
    public static @Nullable RunExit obstacle(LocalCommand command) {
        Path directory = command.directory();
        File where = directory == null ? null : directory.toFile();
        String problem = directory == null ? null : problemWith(directory);
        if (problem != null) {
            return RunExit.notStarted(RunExit.NOT_EXECUTABLE, problem);
        }
        Path stdin = command.stdinFile();
        if (stdin != null && !Files.isReadable(stdin)) {
            return RunExit.notStarted(
                    RunExit.NOT_EXECUTABLE,
                    (Files.exists(stdin) ? "permission denied: " : "no such file for standard input: ") + stdin);
        }
        String program = command.arguments().get(0);
        if (program.indexOf('/') >= 0) {
            return obstacleOfFile(program, inDirectory(program, where));
        }
        String given = command.environment().get("PATH");
        String path = given == null ? System.getenv("PATH") : given;
        if (find(program, path, where) != null) {
            return null;
        }
        return RunExit.notStarted(RunExit.NOT_FOUND, "command not found: " + program);
    }

    /** Returns why no command can be started in this directory, or null. */
    private static @Nullable String problemWith(Path directory) {
        try {
            if (!Files.readAttributes(directory, BasicFileAttributes.class).isDirectory()) {
                return "not a directory: " + directory;
            }
            return Files.isExecutable(directory) ? null : "permission denied: " + directory;
        } catch (IOException e) {
            return problemWith(directory, e);
        }
    }

    /** Returns the message for a directory that cannot be accessed. */
    static String problemWith(Path directory, IOException reason) {
        if (reason instanceof NoSuchFileException) {
            return "no such directory: " + directory;
        }
        if (reason instanceof AccessDeniedException) {
            return "permission denied: " + directory;
        }
        String message = reason.getMessage();
        return message != null && message.contains("Not a directory")
                ? "not a directory: " + directory
                : "cannot read directory: " + (message == null ? directory : message);
    }

    private static @Nullable RunExit obstacleOfFile(String program, File file) {
        if (!file.exists()) {
            return RunExit.notStarted(RunExit.NOT_FOUND, "no such file: " + program);
        }
        if (file.isDirectory()) {
            return RunExit.notStarted(RunExit.NOT_EXECUTABLE, "is a directory: " + program);
        }
        if (!file.canExecute()) {
            return RunExit.notStarted(RunExit.NOT_EXECUTABLE, "not executable: " + program);
        }
        return null;
    }

    /** Returns the first executable file of this name in the directories of a {@code PATH}, or null. */
    public static @Nullable String find(String program, @Nullable String path, @Nullable File directory) {
        for (String folder : (path == null ? PATH_DEFAULT : path).split(":", -1)) {
            File file = inDirectory(folder.isEmpty() ? program : folder + "/" + program, directory);
            if (file.isFile() && file.canExecute()) {
                return file.getPath();
            }
        }
        return null;
    }

    /**
     * Returns the path of a tool of this system.
     *
     * @throws IllegalStateException if it is missing
     */
    public static String required(String tool) {
        String program = find(tool, System.getenv("PATH"), null);
        if (program == null) {
            throw new IllegalStateException("cannot run tasks: " + tool + " not found in PATH");
        }
        return program;
    }

    private static File inDirectory(String file, @Nullable File directory) {
        return directory == null || file.startsWith("/") ? new File(file) : new File(directory, file);
    }
}
