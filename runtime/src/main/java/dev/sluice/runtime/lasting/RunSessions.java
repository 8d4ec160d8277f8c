package dev.sluice.runtime.lasting;

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
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds what runs for which run: everything that carries the mark of the run in its environment, and all that shares a session
 * with it. (Whoever makes a session shares it with none but its own descendants.) For one thread at a time.
 */
final class RunSessions {

    private static final Path PROC = Path.of("/proc");

    private final ProcessTable table;
    private final boolean seesMarks;
    private final String prefix;

    /**
     * Looks for the runs whose folders are in this directory.
     *
     * @param seesMarks whether there is a {@code /proc} with the environment of processes
     */
    RunSessions(ProcessTable table, boolean seesMarks, Path directory) {
        this.table = table;
        this.seesMarks = seesMarks;
        // Read back byte by byte, whatever the characters are.
        this.prefix = new String((SessionLauncher.MARK_VARIABLE + "=" + directory + "/").getBytes(UTF_8), ISO_8859_1);
    }

    /** What marks everything that belongs to a run. */
    static String mark(RunFolder folder) {
        return folder.path().toString();
    }

    /** Whether marks can be seen at all. */
    boolean seesMarks() {
        return seesMarks;
    }

    /** The sessions in which something runs now, by the name of the folder of its run. */
    Map<String, SortedSet<Long>> byFolder() {
        Map<String, SortedSet<Long>> sessions = new LinkedHashMap<>();
        if (seesMarks) {
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
