package dev.sluice.core.application;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a task does when it runs as a process.
 *
 * @param words the program and its arguments; of a shell command, the one text that the shell reads
 * @param shell whether the shell reads it
 * @param environment variables that are set for it, besides those that are inherited
 * @param directory where it runs, or null for the current directory
 */
public record TaskCommand(
        List<String> words,
        boolean shell,
        SortedMap<String, String> environment,
        @Nullable String directory) {

    /** Copies the collections; throws {@link IllegalArgumentException} without words, or with several for the shell. */
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

    /** Of all components, as that of {@link TaskKind}. */
    @Override
    public int hashCode() {
        int hash = 31 * words.hashCode() + (shell ? 1 : 0);
        hash = 31 * hash + (environment.isEmpty() ? 0 : environment.hashCode());
        return 31 * hash + (directory == null ? 0 : directory.hashCode());
    }

    /** A text for the shell, with nothing but what is inherited. */
    public static TaskCommand shell(String script) {
        return new TaskCommand(List.of(script), true, Collections.emptySortedMap(), null);
    }

    /** Whether a variable may have this name. */
    public static boolean isVariable(String name) {
        return !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0;
    }
}
