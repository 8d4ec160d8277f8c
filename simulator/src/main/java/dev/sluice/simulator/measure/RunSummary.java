package dev.sluice.simulator.measure;

import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.RunVariant;
import java.time.Instant;

/**
 * The properties of a simulation that are not measured.
 *
 * @param variant the configuration or bound, and the nodes
 * @param kind whether it is a configuration or a bound
 * @param begin the first submission
 * @param end the end of the simulated time
 * @param lastEnd the last end of a run, successful or not; equals {@code end} if a task was running then, and
 *     {@code begin} if none ever ran
 * @param events the number of events that the engine decided
 */
public record RunSummary(
        RunVariant variant, RunFigures.RunKind kind, Instant begin, Instant end, Instant lastEnd, long events) {}
