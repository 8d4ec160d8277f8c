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
 * Finds what runs for which run: everything that carries the mark of the run in its environment, and all that shares a session
 * with it. (Whoever makes a session shares it with none but its own descendants.) For one thread at a time.
 */
final class RunSessions {

    private static final Path PROC = Path.of("/proc");

    private final ProcessTable table;
    private final boolean canReadMarks;
    private final String mark;

    /** Of what is marked now, and of what a former version marked with the directory. */
    private final List<String> prefixes;

    /**
     * Looks for the runs whose folders are in this directory.
     *
     * @param canReadMarks whether there is a {@code /proc} with the environment of processes
     * @param mark what their marks begin with
     */
    RunSessions(ProcessTable table, boolean canReadMarks, Path directory, String mark) {
        this.table = table;
        this.canReadMarks = canReadMarks;
        this.mark = mark;
        this.prefixes = Stream.of(mark, directory.toString())
                .distinct()
                .map(RunSessions::prefix)
                .toList();
    }

    private static String prefix(String mark) {
        // Read back byte by byte, whatever the characters are.
        return new String((SessionLauncher.MARK_VARIABLE + "=" + mark + "/").getBytes(UTF_8), ISO_8859_1);
    }

    /** What marks everything that belongs to a run. */
    String mark(RunFolder folder) {
        return mark + "/" + folder.name();
    }

    /** The processes of this machine that a runner with this mark has started, as far as this user may see them. */
    static List<Long> pidsWithMark(ProcessTable table, String mark) {
        return table.read().stream()
                .map(ProcessTable.Row::pid)
                .filter(pid -> folderOf(pid, prefix(mark)) != null)
                .toList();
    }

    /** Whether marks can be seen at all. */
    boolean canReadMarks() {
        return canReadMarks;
    }

    /** The sessions in which something runs now, by the name of the folder of its run. */
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

    /** Whether anything belongs to this session whose leader is gone; false where its id is that of another process by now. */
    boolean isLeft(long session) {
        List<ProcessTable.Row> members = new ArrayList<>(table.read());
        members.removeIf(row -> row.session() != session);
        return !members.isEmpty() && members.stream().noneMatch(row -> row.pid() == session);
    }
}
