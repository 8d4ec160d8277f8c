package dev.sluice.runtime.detached;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Starts commands through {@code task.sh}.
 *
 * @param sessions makes it the leader of a session
 * @param script the text of {@code task.sh} without its comments, which whoever lists processes need not read
 * @param tools where {@code ln}, {@code sleep}, {@code ps} and {@code env} are; the environment of the command may lead elsewhere
 */
record TaskLauncher(SessionLauncher sessions, String script, Map<String, String> tools) {

    private static final File NULL_DEVICE = new File("/dev/null");

    private static final Set<String> INHERITED = Set.of("PATH", "HOME", "USER", "LANG");

    /** What a shell can hold as a variable; others it drops from the environment. */
    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** With what this machine has; throws {@link IllegalStateException} when something is missing. */
    static TaskLauncher find() {
        Map<String, String> tools = new TreeMap<>();
        for (String tool : List.of("ln", "sleep", "ps", "env")) {
            String program = CommandSearch.find(tool, System.getenv("PATH"), null);
            if (program == null && !tool.equals("ps")) {
                throw new IllegalStateException("tasks cannot be run: " + tool + " is not in PATH");
            }
            tools.put(tool, program == null ? tool : program);
        }
        return new TaskLauncher(SessionLauncher.find(), readScript(), tools);
    }

    private static String readScript() {
        try (InputStream in = TaskLauncher.class.getResourceAsStream("task.sh")) {
            if (in == null) {
                throw new IllegalStateException("the program is incomplete: task.sh is missing");
            }
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new IllegalStateException("the program is incomplete: task.sh cannot be read", e);
        }
    }

    String tool(String name) {
        String tool = tools.get(name);
        if (tool == null) {
            throw new IllegalArgumentException("not a tool: " + name);
        }
        return tool;
    }

    /**
     * Starts it; whether the command runs is told by the claim alone.
     *
     * @param mark marks everything that belongs to the run
     */
    Process start(RunFolder folder, String mark, String boot, LocalCommand command, Path logFile) throws IOException {
        return prepare(folder, mark, boot, command, logFile)
                .redirectErrorStream(false)
                .redirectInput(NULL_DEVICE)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private ProcessBuilder prepare(RunFolder folder, String mark, String boot, LocalCommand command, Path logFile) {
        List<String> arguments = new ArrayList<>(List.of("/bin/sh", "-c", script, "sluice-task"));
        arguments.addAll(
                List.of(folder.path().toString(), boot, tool("ln"), tool("sleep"), tool("ps"), logFile.toString()));
        Map<String, String> environment = new TreeMap<>(command.environment());
        environment.put(SessionLauncher.MARK_VARIABLE, mark);
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
        Path directory = command.directory();
        ProcessBuilder builder =
                sessions.prepare(arguments, environment, directory == null ? null : directory.toFile());
        builder.environment().keySet().removeIf(name -> !environment.containsKey(name) && !isInherited(name));
        return builder;
    }

    /** Whether tasks see this variable of the program; others may hold its secrets. */
    private static boolean isInherited(String variable) {
        return INHERITED.contains(variable) || variable.startsWith("LC_");
    }
}
