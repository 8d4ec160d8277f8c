package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.RunFigures;
import org.jspecify.annotations.Nullable;

/** The message about a run that rejected every application, which makes its other figures meaningless. */
public final class Rejections {

    private Rejections() {}

    /** Returns the message about this run; null if it is a bound, or if any application was accepted. */
    public static @Nullable String sentence(RunFigures run) {
        long rejected = run.total().rejected();
        if (run.kind() != RunFigures.RunKind.CONFIGURATION
                || rejected == 0
                || rejected < run.total().applications()) {
            return null;
        }
        return run.name() + ": every application was rejected, so nothing ran"
                + (run.reasons().isEmpty() ? "" : ": " + run.reasons().get(0).text());
    }
}
