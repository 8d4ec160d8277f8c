package dev.sluice.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Files that commands write. */
final class OutputFile {

    private OutputFile() {}

    /**
     * Throws {@link UserException} if a file cannot be written; does nothing if it is null.
     *
     * @param what what is written, such as {@code the report}
     */
    static void requireWritable(String what, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        String writeError = null;
        if (Files.isDirectory(file)) {
            writeError = "is a directory: give a file";
        } else if (Files.exists(file)) {
            writeError = Files.isWritable(file) ? null : "permission denied";
        } else if (folder == null || !Files.isDirectory(folder)) {
            writeError = folder == null || Files.notExists(folder)
                    ? "folder " + folder + " not found: create it first"
                    : Files.exists(folder) ? folder + " is not a directory" : "permission denied: " + folder;
        } else if (!Files.isWritable(folder)) {
            writeError = "permission denied: " + folder;
        }
        if (writeError != null) {
            throw new UserException("cannot write " + what + " " + file + ": " + writeError);
        }
    }
}
