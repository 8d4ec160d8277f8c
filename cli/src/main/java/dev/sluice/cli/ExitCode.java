package dev.sluice.cli;

/** What the program answers with. */
public final class ExitCode {

    /** All is well. */
    public static final int OK = 0;

    /** The input was good, and something that ran failed, was rejected or could not go on. */
    public static final int FAILED = 1;

    /** The command line or a file is wrong; nothing was started. */
    public static final int BAD_INPUT = 2;

    /** No server answers, or not now. */
    public static final int UNAVAILABLE = 3;

    /** The program has a bug (EX_SOFTWARE of sysexits.h). */
    public static final int BUG = 70;

    /** Ctrl-C stopped it: 128 plus the number of SIGINT, as shells have it. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
