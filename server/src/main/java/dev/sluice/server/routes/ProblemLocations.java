package dev.sluice.server.routes;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.server.route.ProblemDetails;
import java.util.List;

/** Converts parse results to locations of problems. */
final class ProblemLocations {

    private ProblemLocations() {}

    /** Returns the locations of all warnings. */
    static List<ProblemDetails.Location> ofWarnings(ParseResult<?> reading) {
        return reading.warnings().stream()
                .map(warning -> new ProblemDetails.Location(
                        warning.line(), warning.column(), warning.path(), warning.message()))
                .toList();
    }
}
