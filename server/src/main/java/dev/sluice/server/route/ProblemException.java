package dev.sluice.server.route;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.command.Refusal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Thrown to answer a request with a problem document. It has no stack trace, because it is not a bug. */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ProblemKind kind;
    private final transient @Nullable List<ProblemDetails.Location> locations;
    private final @Nullable Duration retryAfter;

    private ProblemException(
            ProblemKind kind,
            String detail,
            @Nullable List<ProblemDetails.Location> locations,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(detail, cause, false, false);
        this.kind = kind;
        this.locations = locations;
        this.retryAfter = retryAfter;
    }

    /** Returns a problem of this type. */
    public static ProblemException of(ProblemKind kind, String detail) {
        return new ProblemException(kind, detail, null, null, null);
    }

    /** Returns a problem of this type with the header {@code Retry-After}. */
    public static ProblemException retry(ProblemKind kind, String detail, Duration after, @Nullable Throwable cause) {
        return new ProblemException(kind, detail, null, after, cause);
    }

    /** Returns a problem with locations in the request body. */
    public static ProblemException at(ProblemKind kind, String detail, List<ProblemDetails.Location> locations) {
        return new ProblemException(kind, detail, List.copyOf(locations), null, null);
    }

    /** Returns the problem of a request body that could not be parsed. */
    public static ProblemException of(ParseResult<?> reading) {
        List<ProblemDetails.Location> locations = reading.problems().stream()
                .map(problem -> new ProblemDetails.Location(
                        problem.line(), problem.column(), problem.path(), problem.message()))
                .toList();
        return new ProblemException(ProblemKind.INVALID, reading.report(), locations, null, null);
    }

    /** Returns the problem of a refusal by the scheduler. */
    public static ProblemException of(Refusal refusal) {
        return of(kindOf(refusal.code()), refusal.message());
    }

    /** Returns the result, or throws if the scheduler refused the command. */
    public static CommandResult requireAccepted(CommandResult reply) {
        Refusal refusal = reply.refusal();
        if (refusal != null) {
            throw of(refusal);
        }
        return reply;
    }

    private static ProblemKind kindOf(Refusal.Code code) {
        return switch (code) {
            case NOT_FOUND -> ProblemKind.NOT_FOUND;
            case DUPLICATE -> ProblemKind.DUPLICATE;
            case INVALID -> ProblemKind.INVALID;
            case CONFLICT -> ProblemKind.CONFLICT;
            case STALE -> ProblemKind.STALE;
            case TOO_MUCH -> ProblemKind.TOO_MUCH;
        };
    }

    public ProblemKind kind() {
        return kind;
    }

    /** Returns when to retry, or null. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** Returns the problem document. */
    public ProblemDetails problem() {
        return problem(kind.status());
    }

    /** Returns the problem document with a more specific status than that of its type. */
    public ProblemDetails problem(int status) {
        return new ProblemDetails(kind.type(), kind.title(), status, String.valueOf(getMessage()), locations);
    }
}
