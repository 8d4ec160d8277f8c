package dev.sluice.cli.simulate;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file of {@code --report}. */
public final class ReportFile {

    private ReportFile() {}

    /** Returns why this file cannot be written, or null. */
    public static @Nullable String writeError(Path report) {
        Path folder = report.toAbsolutePath().getParent();
        if (Files.isDirectory(report)) {
            return "is a directory: give a file";
        } else if (Files.exists(report)) {
            return Files.isWritable(report) ? null : "permission denied";
        } else if (folder == null || !Files.isDirectory(folder)) {
            return folder == null || Files.notExists(folder)
                    ? "directory " + folder + " not found: create it first"
                    : Files.exists(folder) ? folder + " is not a directory" : "permission denied: " + folder;
        }
        return Files.isWritable(folder) ? null : "permission denied: " + folder;
    }
}
