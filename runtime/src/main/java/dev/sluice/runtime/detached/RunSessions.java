package dev.sluice.runtime.detached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.process.ProcessTable;
import dev.sluice.runtime.process.ProcessUser;
import dev.sluice.runtime.process.SessionLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the processes of each run: those that carry the mark of the run in their environment, and all processes in the
 * same sessions. (A new session contains only descendants of the process that created it.) In sessions that others may
 * have created, only those of the run's user. Not thread-safe.
 */
final class RunSessions {

    private static final Path PROC = Path.of("/proc");

    private static final long ROOT = 0;

    private final ProcessTable table;
    private final String boot;
    private final String mark;
    private final @Nullable Path directory;
    private final @Nullable RunOwners owners;
    private final long own = ProcessUser.ofThisProgram();

    /** The current prefix of marks and the one of a former version, which used the directory as mark. */
    private final List<String> prefixes;

    /**
     * Finds the runs of a runner.
     *
     * @param boot the id of this boot of the machine; {@link ProcessClock#NO_BOOT} if there is no {@code /proc} with the
     *     environment of processes
     * @param directory the directory of the runs' folders, or null
     * @param mark the prefix of the runs' marks
     * @param owners the users of the runs; null if all runs have that of this program
     */
    RunSessions(ProcessTable table, String boot, @Nullable Path directory, String mark, @Nullable RunOwners owners) {
        this.owners = owners;
        this.directory = directory;
        this.table = table;
        this.boot = boot;
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
        return !boot.equals(ProcessClock.NO_BOOT);
    }

    /** Returns the sessions that contain live processes, by name of the run's folder. */
    Map<String, SortedSet<RunSession>> byFolder() {
        Map<String, SortedSet<RunSession>> sessions = new LinkedHashMap<>();
        Map<String, Long> started = new HashMap<>();
        forEachMarked((row, folder) -> {
            RunSession session = sessionOf(row, folder, started);
            if (session != null) {
                sessions.computeIfAbsent(folder, name -> new TreeSet<>()).add(session);
            }
        });
        return sessions;
    }

    /**
     * Returns the sessions with processes of runs of other users whose folders were removed, as far as their users can
     * be told. A process can claim to belong to any such run, so it says something about its own user alone.
     *
     * @param known the names of the folders of all other runs
     */
    SortedSet<RunSession> strays(Set<String> known) {
        SortedSet<RunSession> sessions = new TreeSet<>();
        if (owners != null) {
            forEachMarked((row, folder) -> {
                long user = ProcessUser.of(row.pid());
                if (!known.contains(folder) && user != ProcessUser.UNKNOWN && user != ROOT) {
                    sessions.add(new RunSession(row.session(), user));
                }
            });
        }
        return sessions;
    }

    private void forEachMarked(BiConsumer<ProcessTable.Row, String> action) {
        if (canReadMarks()) {
            for (ProcessTable.Row row : table.read()) {
                String folder = folderOf(row.pid());
                if (folder != null) {
                    action.accept(row, folder);
                }
            }
        }
    }

    /**
     * Returns the session of a process, if it belongs to the run whose mark it has: everybody can set the mark, and
     * start programs that then run as root. So processes of root count only in the session in which the run was
     * started, and in all others only the processes of its user.
     *
     * @param started the sessions found so far, by name of the folder
     */
    private @Nullable RunSession sessionOf(ProcessTable.Row row, String folder, Map<String, Long> started) {
        long user = ProcessUser.of(row.pid());
        if (owners == null) {
            return user == own && user != ProcessUser.UNKNOWN ? RunSession.whole(row.session()) : null;
        }
        boolean isOwner = user != ROOT && user != ProcessUser.UNKNOWN && user == owners.of(folder);
        if (!isOwner && user != ROOT) {
            return null;
        }
        if (row.session() == started.computeIfAbsent(folder, this::startedSession)) {
            return RunSession.whole(row.session());
        }
        return isOwner ? new RunSession(row.session(), user) : null;
    }

    /** Returns the session that the run has recorded. */
    private long startedSession(String folder) {
        return directory != null
                        && new RunFolder(directory.resolve(folder)).claim() instanceof RunClaim.Claimed claimed
                        && claimed.identity().boot().equals(boot)
                ? claimed.identity().pid()
                : OrphanTerminator.NO_SESSION;
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
        String name = environment.substring(start + prefix.length(), end < 0 ? environment.length() : end);
        return RunKey.isFolderName(name) ? name : null; // everybody can write anything there
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
