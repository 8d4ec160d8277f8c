package dev.sluice.core.application;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The command that a task runs, as a process or in a container.
 *
 * @param words the program and its arguments; for a shell command, the script as the only element; empty for what the
 *     image of the container runs
 * @param shell whether the shell runs it
 * @param environment environment variables, in addition to the inherited ones
 * @param directory the working directory, or null for the current one
 * @param stdin the file that it reads as standard input, relative to the directory, or null for none
 * @param umask the permissions that its new files do not get, from 0 to 0777; {@link #UMASK_INHERITED} for those of the
 *     executor
 * @param secrets further environment variables, with their encrypted values
 * @param container the container, or null for a process
 */
public record TaskCommand(
        List<String> words,
        boolean shell,
        SortedMap<String, String> environment,
        @Nullable String directory,
        @Nullable String stdin,
        int umask,
        SortedMap<String, String> secrets,
        @Nullable TaskContainer container) {

    /** Variables that some shells set themselves. */
    private static final Set<String> OF_SHELLS = Set.of("UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS");

    /** The umask of a command that has none of its own. */
    public static final int UMASK_INHERITED = -1;

    /** The maximum umask. */
    public static final int UMASK_MAX = 0777;

    /**
     * Copies the collections; throws {@link IllegalArgumentException} without words for a process, or with several for
     * the shell.
     */
    public TaskCommand {
        boolean ofImage = container != null && words.isEmpty() && !shell;
        if (!ofImage && (words.isEmpty() || words.get(0).isEmpty() || (shell && words.size() > 1))) {
            throw new IllegalArgumentException(
                    "command must be a program with arguments, or a single shell script: " + words);
        }
        if (umask < UMASK_INHERITED || umask > UMASK_MAX) {
            throw new IllegalArgumentException("umask must be between 0 and 0777: " + Integer.toOctalString(umask));
        }
        for (String name : environment.keySet()) {
            if (!isVariable(name)) {
                throw new IllegalArgumentException(
                        "names of environment variables must not be empty or contain '=': " + environment);
            }
        }
        for (String name : secrets.keySet()) {
            if (!isShellVariable(name)) {
                throw new IllegalArgumentException("not a name of a secret: " + name);
            }
        }
        words = List.copyOf(words);
        environment = TextMap.copyOf(environment);
        secrets = TextMap.copyOf(secrets);
    }

    /** Covers all components, see {@link TaskKind#hashCode}. */
    @Override
    public int hashCode() {
        int hash = 31 * words.hashCode() + (shell ? 1 : 0);
        hash = 31 * hash + (environment.isEmpty() ? 0 : environment.hashCode());
        hash = 31 * hash + (directory == null ? 0 : directory.hashCode());
        hash = 31 * hash + (stdin == null ? 0 : stdin.hashCode());
        hash = 31 * hash + (secrets.isEmpty() ? 0 : secrets.hashCode());
        hash = 31 * hash + (container == null ? 0 : container.hashCode());
        return 31 * hash + umask;
    }

    /** Creates a command of a process. */
    public TaskCommand(
            List<String> words,
            boolean shell,
            SortedMap<String, String> environment,
            @Nullable String directory,
            @Nullable String stdin,
            int umask,
            SortedMap<String, String> secrets) {
        this(words, shell, environment, directory, stdin, umask, secrets, null);
    }

    /** Creates a command of a process without secrets. */
    public TaskCommand(
            List<String> words,
            boolean shell,
            SortedMap<String, String> environment,
            @Nullable String directory,
            @Nullable String stdin,
            int umask) {
        this(words, shell, environment, directory, stdin, umask, TextMap.EMPTY);
    }

    /** Creates a command without standard input, with the inherited umask. */
    public TaskCommand(
            List<String> words, boolean shell, SortedMap<String, String> environment, @Nullable String directory) {
        this(words, shell, environment, directory, null, UMASK_INHERITED);
    }

    /** Returns a shell command with the inherited environment and directory. */
    public static TaskCommand shell(String script) {
        return new TaskCommand(List.of(script), true, TextMap.EMPTY, null);
    }

    /** Whether every shell passes on a variable of this name, so that no command line needs to contain its value. */
    public static boolean isShellVariable(String name) {
        return !name.isEmpty()
                && !Character.isDigit(name.charAt(0))
                && name.chars()
                        .allMatch(c ->
                                c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
                && !OF_SHELLS.contains(name);
    }

    /** Whether this is a valid name of an environment variable. */
    public static boolean isVariable(String name) {
        return !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0;
    }
}
