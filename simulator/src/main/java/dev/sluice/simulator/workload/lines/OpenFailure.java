package dev.sluice.simulator.workload.lines;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Error messages for files that cannot be opened. */
public final class OpenFailure {

    private OpenFailure() {}

    /** Returns the message for this failure. */
    public static String message(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "file not found";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof EOFException) {
            return "truncated file: incomplete gzip header";
        }
        return "cannot read the file: "
                + (failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage());
    }
}
