package dev.sluice.cli.source;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * Messages for files and directories that cannot be used; exceptions of the JDK give only a path, or a path and a
 * reason.
 */
public final class FileProblem {

    private FileProblem() {}

    /** Returns path and error, such as {@code /srv/logs: permission denied}. */
    public static String text(IOException e) {
        if (!(e instanceof FileSystemException problem) || problem.getFile() == null) {
            return String.valueOf(e.getMessage());
        }
        return problem.getFile() + ": " + reason(problem);
    }

    private static String reason(FileSystemException problem) {
        if (problem instanceof FileAlreadyExistsException) {
            return "not a directory";
        }
        if (problem instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (problem instanceof AccessDeniedException) {
            return "permission denied";
        }
        String reason = problem.getReason();
        return reason == null ? "cannot be used" : Character.toLowerCase(reason.charAt(0)) + reason.substring(1);
    }
}
