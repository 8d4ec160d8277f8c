package dev.sluice.runtime.detached;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.machine.TaskUser;
import dev.sluice.runtime.process.CommandSearch;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.SessionLauncher;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Starts commands with {@code task.sh}.
 *
 * @param sessions makes the script a session leader
 * @param script the text of {@code task.sh} without its comments, to keep process listings short
 * @param tools the paths of {@code sleep}, {@code ps} and {@code env}, since the command's {@code PATH} may
 *     differ
 */
record TaskLauncher(SessionLauncher sessions, String script, Map<String, String> tools) {

    private static final File NULL_DEVICE = new File("/dev/null");

    private static final File ROOT = new File("/");

    private static final Set<String> INHERITED = Set.of("PATH", "HOME", "USER", "LANG");

    /** The names that are valid shell variables; a shell drops others from the environment. */
    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /**
     * Creates a launcher with the tools of this machine.
     *
     * @throws IllegalStateException if a tool is missing
     */
    static TaskLauncher find() {
        return with(SessionLauncher.find());
    }

    /** Same as {@link #find}, but with this helper. */
    static TaskLauncher with(SessionLauncher sessions) {
        Map<String, String> tools = new TreeMap<>();
        for (String tool : List.of("sleep", "ps", "env")) {
            String program = CommandSearch.find(tool, System.getenv("PATH"), null);
            tools.put(tool, program == null && tool.equals("ps") ? tool : CommandSearch.required(tool));
        }
        return new TaskLauncher(sessions, readScript(), tools);
    }

    private static String readScript() {
        try (InputStream in = TaskLauncher.class.getResourceAsStream("task.sh")) {
            if (in == null) {
                throw new IllegalStateException("incomplete installation: resource task.sh not found");
            }
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new IllegalStateException("incomplete installation: cannot read resource task.sh", e);
        }
    }

    String tool(String name) {
        String tool = tools.get(name);
        if (tool == null) {
            throw new IllegalArgumentException("unknown tool: " + name);
        }
        return tool;
    }

    /**
     * Starts the script. Only the claim shows whether the command runs.
     *
     * @param mark the mark of all processes of the run
     * @param prefix the words that precede the command
     */
    Process start(RunFolder folder, String mark, String boot, List<String> prefix, LocalCommand command, Path logFile)
            throws IOException {
        return start(folder, mark, boot, inShell(prefix, command), command.environment(), directory(command), logFile);
    }

    /** Same as {@link #start}, but only the script runs as this program, the command as this user. */
    Process startAs(
            TaskUser.Account account,
            UserSwitch users,
            RunFolder folder,
            String mark,
            String boot,
            List<String> prefix,
            LocalCommand command,
            Path logFile)
            throws IOException {
        Map<String, String> carried = new TreeMap<>();
        SortedMap<String, String> own = new TreeMap<>(command.environment());
        own.remove(SessionLauncher.MARK_VARIABLE);
        List<String> arguments = new ArrayList<>(prefix);
        arguments.addAll(users.arguments(command.withEnvironment(own), account, carried));
        return start(folder, mark, boot, arguments, carried, ROOT, logFile);
    }

    private Process start(
            RunFolder folder,
            String mark,
            String boot,
            List<String> arguments,
            Map<String, String> environment,
            @Nullable File directory,
            Path logFile)
            throws IOException {
        return prepare(folder, mark, boot, arguments, environment, directory, logFile)
                .redirectErrorStream(false)
                .redirectInput(NULL_DEVICE)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /**
     * Starts the command itself as leader of its session, without the script.
     *
     * @param mark the mark of all processes of the run
     * @param prefix the words that precede the command
     */
    Process startAttached(String mark, List<String> prefix, LocalCommand command, Path logFile) throws IOException {
        Map<String, String> environment = new TreeMap<>(command.environment());
        environment.put(SessionLauncher.MARK_VARIABLE, mark);
        List<String> arguments =
                prefix.isEmpty() && command.setup().isEmpty() ? command.arguments() : inShell(prefix, command);
        return sessions.prepare(arguments, environment, directory(command))
                .redirectInput(NULL_DEVICE)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()))
                .start();
    }

    private static @Nullable File directory(LocalCommand command) {
        Path directory = command.directory();
        return directory == null ? null : directory.toFile();
    }

    private ProcessBuilder prepare(
            RunFolder folder,
            String mark,
            String boot,
            List<String> command,
            Map<String, String> variables,
            @Nullable File directory,
            Path logFile) {
        List<String> arguments = new ArrayList<>(List.of("/bin/sh", "-c", script, "sluice-task"));
        arguments.addAll(List.of(folder.path().toString(), boot, tool("sleep"), tool("ps"), logFile.toString()));
        Map<String, String> environment = new TreeMap<>(variables);
        environment.put(SessionLauncher.MARK_VARIABLE, mark);
        arguments.addAll(command);
        ProcessBuilder builder = sessions.prepare(arguments, environment, directory);
        builder.environment().keySet().removeIf(name -> !environment.containsKey(name) && !isInherited(name));
        return builder;
    }

    /** Returns the arguments after those of a shell, which drops some variables from the environment. */
    private List<String> inShell(List<String> prefix, LocalCommand command) {
        List<String> arguments = new ArrayList<>(prefix);
        arguments.addAll(command.setup());
        List<String> others = new ArrayList<>();
        for (Map.Entry<String, String> variable : command.environment().entrySet()) {
            if (!SHELL_NAME.matcher(variable.getKey()).matches()) {
                others.add(variable.getKey() + "=" + variable.getValue());
            }
        }
        if (!others.isEmpty()) {
            arguments.add(tool("env"));
            arguments.addAll(others);
        }
        arguments.addAll(command.arguments());
        return arguments;
    }

    /** Returns whether detached tasks inherit this variable of the program; others may contain secrets. */
    private static boolean isInherited(String variable) {
        return INHERITED.contains(variable) || variable.startsWith("LC_");
    }
}
