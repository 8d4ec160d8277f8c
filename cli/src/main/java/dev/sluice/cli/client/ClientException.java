package dev.sluice.cli.client;

import dev.sluice.cli.ExitCode;
import dev.sluice.server.route.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server cannot be asked, or says that something is wrong; the message tells what, and what would help. */
public final class ClientException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String UNKNOWN_PATH = "path /";

    private final int exitCode;
    private final transient @Nullable Problem problem;

    private ClientException(String message, int exitCode, @Nullable Problem problem) {
        super(message, null, false, false);
        this.exitCode = exitCode;
        this.problem = problem;
    }

    /** What was asked for makes no sense. */
    public static ClientException badInput(String message) {
        return new ClientException(message, ExitCode.BAD_INPUT, null);
    }

    /** What was asked for was not to be had. */
    public static ClientException failed(String message) {
        return new ClientException(message, ExitCode.FAILED, null);
    }

    /** No server answers, or not now. */
    public static ClientException unavailable(String message) {
        return new ClientException(message, ExitCode.UNAVAILABLE, null);
    }

    /** This is what the server answered. */
    public static ClientException of(Problem problem) {
        String message = problem.detail().startsWith(UNKNOWN_PATH)
                ? problem.detail() + " on this server; it may be older than this program"
                : problem.detail();
        return new ClientException(message, exitCode(problem), problem);
    }

    private static int exitCode(Problem problem) {
        String word = problem.type().startsWith(Problem.TYPE_PREFIX)
                ? problem.type().substring(Problem.TYPE_PREFIX.length())
                : "";
        return switch (word) {
            case "malformed", "invalid", "too-much", "too-large", "media-type", "key-reused" -> ExitCode.BAD_INPUT;
            case "busy", "unavailable" -> ExitCode.UNAVAILABLE;
            default -> ExitCode.FAILED;
        };
    }

    /** What the program answers. */
    public int exitCode() {
        return exitCode;
    }

    /** What the server answered, or null if it did not. */
    public @Nullable Problem problem() {
        return problem;
    }

    /** Where in what was sent something is wrong; empty if that is not known. */
    public List<Problem.Location> locations() {
        List<Problem.Location> locations = problem == null ? null : problem.locations();
        return locations == null ? List.of() : locations;
    }

    /** Whether the server says that there is no such thing. */
    public boolean isNotFound() {
        return problem != null && problem.status() == 404;
    }
}
