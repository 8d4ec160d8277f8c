package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.RunFigures;
import org.jspecify.annotations.Nullable;

/** What is said first about a run in which no application found a queue: its other figures mean nothing. */
public final class Rejections {

    private Rejections() {}

    /** The sentence about this run; or null if it is a bound, or if some application was accepted. */
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
