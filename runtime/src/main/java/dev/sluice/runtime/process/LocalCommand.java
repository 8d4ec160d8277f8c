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
 * What a task runs on this machine.
 *
 * @param arguments the program and its arguments; a program without a slash is looked for in {@code PATH}
 * @param environment what is added to what is inherited from this program, or replaces a part of it
 * @param directory where it runs, or null for the directory this program was started in
 */
public record LocalCommand(
        List<String> arguments,
        SortedMap<String, String> environment,
        @Nullable Path directory) {

    /** Copies the collections; throws {@link IllegalArgumentException} for what no process can be given. */
    public LocalCommand {
        arguments = List.copyOf(arguments);
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        if (arguments.isEmpty() || arguments.get(0).isEmpty()) {
            throw new IllegalArgumentException("a command names a program");
        }
        for (String argument : arguments) {
            requireWithoutNul(argument, "an argument");
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            String name = variable.getKey();
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw new IllegalArgumentException("not a name of an environment variable: '" + name + "'");
            }
            requireWithoutNul(name, "the name of an environment variable");
            requireWithoutNul(variable.getValue(), "the environment variable " + name);
        }
    }

    private static void requireWithoutNul(String text, String what) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " cannot hold a NUL character");
        }
    }

    /** A program and its arguments, with the environment and in the directory of this program. */
    public static LocalCommand of(String... arguments) {
        return new LocalCommand(List.of(arguments), Collections.emptySortedMap(), null);
    }

    /** A text for {@code /bin/sh}, with the environment and in the directory of this program. */
    public static LocalCommand shell(String script) {
        return of("/bin/sh", "-c", script);
    }

    /**
     * What a task was submitted to do.
     *
     * @param variables are set for it, unless its own environment sets them to something else
     */
    public static LocalCommand of(TaskCommand command, Map<String, String> variables) {
        LocalCommand local = command.shell()
                ? shell(command.words().get(0))
                : of(command.words().toArray(String[]::new));
        SortedMap<String, String> environment = new TreeMap<>(variables);
        environment.putAll(command.environment());
        String directory = command.directory();
        return local.withEnvironment(environment).withDirectory(directory == null ? null : Path.of(directory));
    }

    /** The same with another environment. */
    public LocalCommand withEnvironment(Map<String, String> variables) {
        return new LocalCommand(arguments, new TreeMap<>(variables), directory);
    }

    /** The same with a scratch folder, which it is told of and where it runs; a relative directory of its own is below that. */
    public LocalCommand inScratch(Path scratch) {
        SortedMap<String, String> variables = new TreeMap<>(environment);
        variables.putIfAbsent("SLUICE_SCRATCH", scratch.toString());
        return new LocalCommand(arguments, variables, directory == null ? scratch : scratch.resolve(directory));
    }

    /** The same in another directory; null for the directory of this program. */
    public LocalCommand withDirectory(@Nullable Path newDirectory) {
        return new LocalCommand(arguments, environment, newDirectory);
    }
}
