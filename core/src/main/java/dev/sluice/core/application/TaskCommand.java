package dev.sluice.core.application;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The command that a task runs as a process.
 *
 * @param words the program and its arguments; for a shell command, the script as the only element
 * @param shell whether the shell runs it
 * @param environment environment variables, in addition to the inherited ones
 * @param directory the working directory, or null for the current one
 */
public record TaskCommand(
        List<String> words,
        boolean shell,
        SortedMap<String, String> environment,
        @Nullable String directory) {

    /**
     * Copies the collections; throws {@link IllegalArgumentException} without words, or with several for the shell.
     */
    public TaskCommand {
        if (words.isEmpty() || words.get(0).isEmpty() || (shell && words.size() > 1)) {
            throw new IllegalArgumentException(
                    "command must be a program with arguments, or a single shell script: " + words);
        }
        for (String name : environment.keySet()) {
            if (!isVariable(name)) {
                throw new IllegalArgumentException(
                        "names of environment variables must not be empty or contain '=': " + environment);
            }
        }
        words = List.copyOf(words);
        environment = environment.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    }

    /** Covers all components, see {@link TaskKind#hashCode}. */
    @Override
    public int hashCode() {
        int hash = 31 * words.hashCode() + (shell ? 1 : 0);
        hash = 31 * hash + (environment.isEmpty() ? 0 : environment.hashCode());
        return 31 * hash + (directory == null ? 0 : directory.hashCode());
    }

    /** Returns a shell command with the inherited environment and directory. */
    public static TaskCommand shell(String script) {
        return new TaskCommand(List.of(script), true, Collections.emptySortedMap(), null);
    }

    /** Whether this is a valid name of an environment variable. */
    public static boolean isVariable(String name) {
        return !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0;
    }
}
