package dev.sluice.cli;

/** The exit codes of the program. */
public final class ExitCode {

    /** Success. */
    public static final int OK = 0;

    /** The input was valid, but something failed, was rejected, was not found or could not finish. */
    public static final int FAILED = 1;

    /** The command line or a file is invalid; nothing was started. */
    public static final int BAD_INPUT = 2;

    /** No server answers, or the server is temporarily unavailable. */
    public static final int UNAVAILABLE = 3;

    /** Internal error (EX_SOFTWARE of sysexits.h). */
    public static final int BUG = 70;

    /** Interrupted by Ctrl-C: 128 plus the number of SIGINT, as shells report it. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
