package dev.sluice.server.backup;

import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.journal.JournalCheck;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.store.FolderReader;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a data folder, which changes nothing in it.
 *
 * @param folder the folder
 * @param isInUse whether a server was using it
 * @param journal the range of the journal; null if it is damaged, or if the next start migrates it first
 * @param runningProcesses the number of processes of its tasks on this machine
 * @param logFiles the number of log files of tasks
 * @param logBytes their size
 * @param problems what prevents a start or loses data, with remedies
 * @param warnings other findings, with remedies
 */
public record FolderCheck(
        Path folder,
        boolean isInUse,
        @Nullable JournalCheck journal,
        int runningProcesses,
        long logFiles,
        long logBytes,
        List<String> problems,
        List<String> warnings) {

    private static final int FILES_NAMED_MAX = 10;

    public FolderCheck {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /**
     * Verifies a folder.
     *
     * @throws StoreException if it is not a data folder with a journal in SQLite, or a newer program wrote it
     * @throws IOException if it cannot be read
     */
    public static FolderCheck of(Path path) throws IOException, StoreException {
        Path folder = path.toRealPath();
        List<String> problems = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        boolean isInUse = false;
        int running = 0;
        @Nullable JournalCheck journal = null;
        try (FolderReader reader = FolderReader.open(folder)) {
            isInUse = reader.isInUse();
            running = reader.runningProcesses().size();
            problems.addAll(reader.problems());
            if (reader.isCurrent()) {
                journal = problems.isEmpty() ? checked(reader, warnings) : null;
            } else {
                warnings.add("the tables are of an earlier version of Sluice: the next start migrates them. Make a"
                        + " backup before, and check the folder again afterwards");
            }
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.DAMAGED) {
                throw e;
            }
            problems.add(String.valueOf(e.getMessage()));
        }
        if (PrivateFiles.isShared(folder)) {
            warnings.add("others can access " + folder + " (" + PrivateFiles.text(folder)
                    + "), which may contain passwords. Run: chmod 700 " + folder);
        }
        LogFiles logs = new LogFiles();
        Files.walkFileTree(folder.resolve("logs"), logs);
        warnings.addAll(logs.unexpected);
        return new FolderCheck(folder, isInUse, journal, running, logs.count, logs.bytes, problems, warnings);
    }

    /** Verifies the journal; again if a running server has discarded old events meanwhile. */
    private static JournalCheck checked(FolderReader reader, List<String> warnings) throws StoreException {
        while (true) {
            long first = reader.firstSequence();
            List<String> found = new ArrayList<>();
            try {
                JournalCheck check = JournalCheck.of(reader, found::add);
                warnings.addAll(found);
                return check;
            } catch (StoreException e) {
                if (reader.firstSequence() == first) {
                    throw e;
                }
            }
        }
    }

    /** Counts log files and finds what is not one. */
    private static final class LogFiles extends SimpleFileVisitor<Path> {
        private final List<String> unexpected = new ArrayList<>();
        private long count;
        private long bytes;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && Files.isReadable(file)) {
                count++;
                bytes += attributes.size();
            } else if (unexpected.size() < FILES_NAMED_MAX) {
                unexpected.add(file
                        + (attributes.isRegularFile()
                                ? " cannot be read. Restore its permissions"
                                : " is not a regular file, so it is not shown as a log. Remove it"));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            if (!(failure instanceof NoSuchFileException) && unexpected.size() < FILES_NAMED_MAX) {
                unexpected.add(file + " cannot be read. Restore its permissions");
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
