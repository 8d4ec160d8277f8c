package dev.sluice.runtime.detached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.process.ProcessTable;
import dev.sluice.runtime.process.SessionLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the processes of each run: those that carry the mark of the run in their environment, and all processes in the
 * same sessions. (A new session contains only descendants of the process that created it.) Not thread-safe.
 */
final class RunSessions {

    private static final Path PROC = Path.of("/proc");

    private final ProcessTable table;
    private final boolean canReadMarks;
    private final String mark;

    /** The current prefix of marks and the one of a former version, which used the directory as mark. */
    private final List<String> prefixes;

    /**
     * Finds the runs of a runner.
     *
     * @param canReadMarks whether there is a {@code /proc} with the environment of processes
     * @param directory the directory of the runs' folders, or null
     * @param mark the prefix of the runs' marks
     */
    RunSessions(ProcessTable table, boolean canReadMarks, @Nullable Path directory, String mark) {
        this.table = table;
        this.canReadMarks = canReadMarks;
        this.mark = mark;
        this.prefixes = Stream.of(mark, directory == null ? mark : directory.toString())
                .distinct()
                .map(RunSessions::prefix)
                .toList();
    }

    private static String prefix(String mark) {
        // Decoded byte by byte, because {@code /proc} does not define an encoding.
        return new String((SessionLauncher.MARK_VARIABLE + "=" + mark + "/").getBytes(UTF_8), ISO_8859_1);
    }

    /** Returns the mark that the processes of a run carry. */
    String mark(RunFolder folder) {
        return mark + "/" + folder.name();
    }

    /** Returns the processes that a runner with this mark has started, as far as visible to this user. */
    static List<Long> pidsWithMark(ProcessTable table, String mark) {
        return table.read().stream()
                .map(ProcessTable.Row::pid)
                .filter(pid -> folderOf(pid, prefix(mark)) != null)
                .toList();
    }

    /** Returns whether marks are readable on this system. */
    boolean canReadMarks() {
        return canReadMarks;
    }

    /** Returns the sessions that contain live processes, by name of the run's folder. */
    Map<String, SortedSet<Long>> byFolder() {
        Map<String, SortedSet<Long>> sessions = new LinkedHashMap<>();
        if (canReadMarks) {
            for (ProcessTable.Row row : table.read()) {
                String folder = folderOf(row.pid());
                if (folder != null) {
                    sessions.computeIfAbsent(folder, name -> new TreeSet<>()).add(row.session());
                }
            }
        }
        return sessions;
    }

    private @Nullable String folderOf(long pid) {
        return prefixes.stream()
                .map(prefix -> folderOf(pid, prefix))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String folderOf(long pid, String prefix) {
        String environment;
        try {
            environment = new String(Files.readAllBytes(PROC.resolve(pid + "/environ")), ISO_8859_1);
        } catch (IOException goneOrSomebodyElses) {
            return null;
        }
        int start = environment.startsWith(prefix) ? 0 : environment.indexOf("\0" + prefix) + 1;
        if (start == 0 && !environment.startsWith(prefix)) {
            return null;
        }
        int end = environment.indexOf('\0', start);
        return environment.substring(start + prefix.length(), end < 0 ? environment.length() : end);
    }

    /**
     * Returns whether this session, whose leader has ended, contains live processes; false if another process has its
     * id now.
     */
    boolean hasProcesses(long session) {
        List<ProcessTable.Row> members = new ArrayList<>(table.read());
        members.removeIf(row -> row.session() != session);
        return !members.isEmpty() && members.stream().noneMatch(row -> row.pid() == session);
    }
}
