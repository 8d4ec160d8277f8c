package dev.sluice.cli.client;

import dev.sluice.cli.ExitCode;
import dev.sluice.server.route.ProblemDetails;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A failed request or an error reported by the server; the message gives the reason and a fix. */
public final class ClientException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String UNKNOWN_PATH = "path /";

    private final int exitCode;
    private final transient @Nullable ProblemDetails problem;

    private ClientException(String message, int exitCode, @Nullable ProblemDetails problem) {
        super(message, null, false, false);
        this.exitCode = exitCode;
        this.problem = problem;
    }

    /** Returns an error with exit code {@link ExitCode#BAD_INPUT}. */
    public static ClientException badInput(String message) {
        return new ClientException(message, ExitCode.BAD_INPUT, null);
    }

    /** Returns an error with exit code {@link ExitCode#FAILED}. */
    public static ClientException failed(String message) {
        return new ClientException(message, ExitCode.FAILED, null);
    }

    /** Returns an error with exit code {@link ExitCode#UNAVAILABLE}. */
    public static ClientException unavailable(String message) {
        return new ClientException(message, ExitCode.UNAVAILABLE, null);
    }

    /** Returns the error for a problem document of the server. */
    public static ClientException of(ProblemDetails problem) {
        String message = problem.detail();
        if (message.startsWith(UNKNOWN_PATH)) {
            message += " on this server; it may be older than this program";
        } else if (problem.status() == 401) {
            message += ": use the server's socket (--server unix:PATH), or an access token of sluice token create"
                    + " (--token-file)";
        }
        return new ClientException(message, exitCode(problem), problem);
    }

    private static int exitCode(ProblemDetails problem) {
        String word = problem.type().startsWith(ProblemDetails.TYPE_PREFIX)
                ? problem.type().substring(ProblemDetails.TYPE_PREFIX.length())
                : "";
        return switch (word) {
            case "malformed", "invalid", "too-much", "too-large", "media-type", "key-reused" -> ExitCode.BAD_INPUT;
            case "busy", "unavailable" -> ExitCode.UNAVAILABLE;
            default -> ExitCode.FAILED;
        };
    }

    public int exitCode() {
        return exitCode;
    }

    /** Returns the problem document, or null if the server did not respond. */
    public @Nullable ProblemDetails problem() {
        return problem;
    }

    /** Returns the locations of errors in the request body; empty if unknown. */
    public List<ProblemDetails.Location> locations() {
        List<ProblemDetails.Location> locations = problem == null ? null : problem.locations();
        return locations == null ? List.of() : locations;
    }

    /** Whether the server responded with status 404. */
    public boolean isNotFound() {
        return problem != null && problem.status() == 404;
    }
}
