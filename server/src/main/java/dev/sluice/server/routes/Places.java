package dev.sluice.server.routes;

import dev.sluice.config.problem.Reading;
import dev.sluice.server.route.Problem;
import java.util.List;

/** Tells of what was found in what was sent. */
final class Places {

    private Places() {}

    /** What looks wrong but does not stand in the way. */
    static List<Problem.Place> ofWarnings(Reading<?> reading) {
        return reading.warnings().stream()
                .map(warning -> new Problem.Place(warning.line(), warning.column(), warning.path(), warning.message()))
                .toList();
    }
}
