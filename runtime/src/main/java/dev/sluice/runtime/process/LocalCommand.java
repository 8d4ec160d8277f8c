package dev.sluice.runtime.process;

import dev.sluice.core.application.TaskCommand;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The command of a task on this machine.
 *
 * @param arguments the program and its arguments; a program without a slash is searched for in {@code PATH}
 * @param environment environment variables, in addition to those inherited from this program, which they override
 * @param directory the working directory, or null for that of this program
 * @param stdin the file that it reads as standard input, relative to the directory; null for {@code /dev/null}
 * @param umask the permissions that its new files do not get, or {@link TaskCommand#UMASK_INHERITED}
 */
public record LocalCommand(
        List<String> arguments,
        SortedMap<String, String> environment,
        @Nullable Path directory,
        @Nullable Path stdin,
        int umask) {

    private static final String SETUP =
            "[ -z \"$1\" ] || umask \"$1\"; [ -z \"$2\" ] || exec <\"$2\" || exit 126; shift 2; exec \"$@\"";

    /** Throws {@link IllegalArgumentException} for values that no process can receive, such as NUL characters. */
    public LocalCommand {
        arguments = List.copyOf(arguments);
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        if (arguments.isEmpty() || arguments.get(0).isEmpty()) {
            throw new IllegalArgumentException("program name must not be empty");
        }
        for (String argument : arguments) {
            requireWithoutNul(argument, "an argument");
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            String name = variable.getKey();
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw new IllegalArgumentException("invalid name of an environment variable: '" + name + "'");
            }
            requireWithoutNul(name, "the name of an environment variable");
            requireWithoutNul(variable.getValue(), "the environment variable " + name);
        }
    }

    /** Names the variables, whose values may be secret. */
    @Override
    public String toString() {
        return "LocalCommand[" + arguments + ", " + environment.keySet() + ", " + directory + "]";
    }

    /** Creates a command without standard input and with the umask of this program. */
    public LocalCommand(List<String> arguments, SortedMap<String, String> environment, @Nullable Path directory) {
        this(arguments, environment, directory, null, TaskCommand.UMASK_INHERITED);
    }

    private static void requireWithoutNul(String text, String what) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " must not contain a NUL character");
        }
    }

    /** Creates a command with the environment and the working directory of this program. */
    public static LocalCommand of(String... arguments) {
        return new LocalCommand(List.of(arguments), Collections.emptySortedMap(), null);
    }

    /** Creates a {@code /bin/sh} command with the environment and the working directory of this program. */
    public static LocalCommand shell(String script) {
        return of("/bin/sh", "-c", script);
    }

    /**
     * Creates the command of a submitted task.
     *
     * @param own the task's own environment, with its secrets
     * @param variables environment variables, which the task's own environment overrides
     */
    public static LocalCommand of(TaskCommand command, Map<String, String> own, Map<String, String> variables) {
        LocalCommand local = command.shell()
                ? shell(command.words().get(0))
                : of(command.words().toArray(String[]::new));
        SortedMap<String, String> environment = new TreeMap<>(variables);
        environment.putAll(own);
        String directory = command.directory();
        String stdin = command.stdin();
        return new LocalCommand(
                local.arguments,
                environment,
                directory == null ? null : Path.of(directory),
                stdin == null ? null : Path.of(stdin),
                command.umask());
    }

    /** Returns this command with another environment. */
    public LocalCommand withEnvironment(Map<String, String> variables) {
        return new LocalCommand(arguments, new TreeMap<>(variables), directory, stdin, umask);
    }

    /**
     * Returns this command with a scratch folder as working directory, which is also in its environment; a relative
     * directory of the command is resolved against it.
     */
    public LocalCommand inScratch(Path scratch) {
        SortedMap<String, String> variables = new TreeMap<>(environment);
        variables.putIfAbsent("SLUICE_SCRATCH", scratch.toString());
        return new LocalCommand(
                arguments, variables, directory == null ? scratch : scratch.resolve(directory), stdin, umask);
    }

    /** Returns this command with a scratch folder in its environment, in the same working directory. */
    public LocalCommand withScratch(Path scratch) {
        return inScratch(scratch).withDirectory(directory);
    }

    /** Returns the file of standard input relative to the directory of this program, or null. */
    public @Nullable Path stdinFile() {
        return stdin == null || directory == null ? stdin : directory.resolve(stdin);
    }

    /**
     * Returns what precedes the program so that it has its standard input and its umask: a shell that executes it, or
     * nothing.
     */
    public List<String> setup() {
        return stdin == null && umask == TaskCommand.UMASK_INHERITED
                ? List.of()
                : List.of(
                        "/bin/sh",
                        "-c",
                        SETUP,
                        "sluice-task",
                        umask == TaskCommand.UMASK_INHERITED ? "" : Integer.toOctalString(umask),
                        stdin == null ? "" : stdin.toString());
    }

    /** Returns this command with another working directory; null for that of this program. */
    public LocalCommand withDirectory(@Nullable Path newDirectory) {
        return new LocalCommand(arguments, environment, newDirectory, stdin, umask);
    }
}
