package dev.sluice.simulator.workload.lines;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read, in plain words. */
public final class OpenFailure {

    private OpenFailure() {}

    /** What to say to people. */
    public static String message(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "file not found";
        }
        if (failure instanceof AccessDeniedException) {
            return "no permission to read this file";
        }
        if (failure instanceof EOFException) {
            return "this file is cut off: it begins as a packed one and ends at once";
        }
        return "this file cannot be read: "
                + (failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage());
    }
}
