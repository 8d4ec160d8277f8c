package dev.sluice.server.routes;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.server.route.Problem;
import java.util.List;

/** Tells of what was found in what was sent. */
final class ProblemLocations {

    private ProblemLocations() {}

    /** What looks wrong but does not stand in the way. */
    static List<Problem.Location> ofWarnings(ParseResult<?> reading) {
        return reading.warnings().stream()
                .map(warning ->
                        new Problem.Location(warning.line(), warning.column(), warning.path(), warning.message()))
                .toList();
    }
}
