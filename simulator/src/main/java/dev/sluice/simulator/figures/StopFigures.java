package dev.sluice.simulator.figures;

/**
 * The figures of the runs that were stopped for one reason.
 *
 * @param stops the number of runs
 * @param lostSeconds the time that those runs took that start again from the beginning, in slot-seconds
 */
public record StopFigures(long stops, double lostSeconds) {}
