package dev.sluice.runtime.executor;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Map;

/**
 * How a run ended.
 *
 * @param code the exit code; 128 plus the signal number if a signal ended it, as in shells
 * @param started whether the command ran
 * @param message a human-readable message on one line
 */
public record RunExit(int code, boolean started, String message) {

    /** The exit code of a command that was not found. */
    public static final int NOT_FOUND = 127;

    /** The exit code of a command that exists but cannot be executed. */
    public static final int NOT_EXECUTABLE = 126;

    /** The exit code after SIGKILL. */
    public static final int KILLED = 128 + 9;

    /** The exit code after SIGTERM. */
    public static final int TERMINATED = 128 + 15;

    /** The signals with the same number on all systems. */
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(5, "SIGTRAP"),
            Map.entry(6, "SIGABRT"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"));

    /** Returns the exit of a command that ran and ended with this code. */
    public static RunExit ended(int code) {
        String signal = SIGNALS.get(code - 128);
        return new RunExit(code, true, "exit code " + code + (signal == null ? "" : " (" + signal + ")"));
    }

    /** Returns the exit of a command that was not started. */
    public static RunExit notStarted(int code, String message) {
        return new RunExit(code, false, message);
    }

    /** Returns the exit of a command that could not be started because of this exception. */
    public static RunExit notStarted(IOException problem) {
        return notStarted(NOT_EXECUTABLE, "cannot start: " + reason(problem));
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied: " + e.getMessage();
        }
        // The JDK's own message repeats the command line, which begins with our helper.
        Throwable cause = e.getCause();
        String message = cause == null ? e.getMessage() : cause.getMessage();
        return message == null ? e.toString() : message;
    }

    /** Returns whether the exit code is 0. */
    public boolean isSuccess() {
        return started && code == 0;
    }
}
