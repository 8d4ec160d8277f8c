package dev.sluice.cli.run;

import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.local.RunJournal;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Default log folder of a run. */
public final class LogDirectory {

    private static final Path ALL_RUNS = Path.of(".sluice", "logs");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd_HH-mm-ss");

    private LogDirectory() {}

    /** Creates a directory below the current one, named after the time and the job. */
    public static Path create(String job, LocalDateTime now) throws IOException {
        restrict(PrivateFiles.createFolders(ALL_RUNS));
        String name = TIME.format(now) + "-" + job.replaceAll("[^A-Za-z0-9._-]", "_");
        Path directory = ALL_RUNS.resolve(name);
        for (int number = 2; Files.exists(directory); number++) {
            directory = ALL_RUNS.resolve(name + "-" + number);
        }
        return PrivateFiles.createFolder(directory);
    }

    /** Returns the directory of the latest run below the current one that has a journal, or null. */
    public static @Nullable Path latest() throws IOException {
        if (!Files.isDirectory(ALL_RUNS)) {
            return null;
        }
        try (Stream<Path> runs = Files.list(ALL_RUNS)) {
            return runs.filter(run -> Files.isRegularFile(run.resolve(RunJournal.NAME)))
                    .max(Comparator.naturalOrder())
                    .orElse(null);
        }
    }

    /** Makes logs of earlier versions private. In a folder of another user, only the new directory is private. */
    private static void restrict(Path folder) throws IOException {
        try {
            PrivateFiles.restrict(folder);
        } catch (FileSystemException e) {
            if (!Files.isWritable(folder)) {
                throw e;
            }
        }
    }
}
