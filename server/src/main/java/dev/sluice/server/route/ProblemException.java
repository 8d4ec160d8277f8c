package dev.sluice.server.route;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.command.Refusal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request is answered with a problem. It carries no trace: it is no bug. */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ProblemKind kind;
    private final transient @Nullable List<Problem.Location> locations;
    private final @Nullable Duration retryAfter;

    private ProblemException(
            ProblemKind kind,
            String detail,
            @Nullable List<Problem.Location> locations,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(detail, cause, false, false);
        this.kind = kind;
        this.locations = locations;
        this.retryAfter = retryAfter;
    }

    /** A problem of this kind. */
    public static ProblemException of(ProblemKind kind, String detail) {
        return new ProblemException(kind, detail, null, null, null);
    }

    /** A problem of this kind, and when it may be worth another try. */
    public static ProblemException retry(ProblemKind kind, String detail, Duration after, @Nullable Throwable cause) {
        return new ProblemException(kind, detail, null, after, cause);
    }

    /** What was sent has problems at these places. */
    public static ProblemException at(ProblemKind kind, String detail, List<Problem.Location> locations) {
        return new ProblemException(kind, detail, List.copyOf(locations), null, null);
    }

    /** What was sent could not be read. */
    public static ProblemException of(ParseResult<?> reading) {
        List<Problem.Location> locations = reading.problems().stream()
                .map(problem ->
                        new Problem.Location(problem.line(), problem.column(), problem.path(), problem.message()))
                .toList();
        return new ProblemException(ProblemKind.INVALID, reading.report(), locations, null, null);
    }

    /** The scheduler refused. */
    public static ProblemException of(Refusal refusal) {
        return of(kindOf(refusal.code()), refusal.message());
    }

    /** Throws if the scheduler refused. */
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

    /** The kind of problem. */
    public ProblemKind kind() {
        return kind;
    }

    /** When it may be worth another try, or null. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** The problem as it is answered. */
    public Problem problem() {
        return problem(kind.status());
    }

    /** The same with a status that is closer to what is wrong than that of the kind. */
    public Problem problem(int status) {
        return new Problem(kind.type(), kind.title(), status, String.valueOf(getMessage()), locations);
    }
}
