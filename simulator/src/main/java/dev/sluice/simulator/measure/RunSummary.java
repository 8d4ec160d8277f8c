package dev.sluice.simulator.measure;

import dev.sluice.simulator.figures.RunFigures;
import java.time.Instant;

/**
 * What a simulation knows of itself.
 *
 * @param name of the configuration or bound
 * @param kind which of both
 * @param begin the first submission
 * @param end when the simulated time ended
 * @param lastEnd when the last run of a task ended, well or not; end if some ran then; begin if none ever did
 * @param events how many events the engine decided
 */
public record RunSummary(
        String name, RunFigures.RunKind kind, Instant begin, Instant end, Instant lastEnd, long events) {}
