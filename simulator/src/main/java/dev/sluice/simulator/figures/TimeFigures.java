package dev.sluice.simulator.figures;

/**
 * How many tasks waited and ran over time.
 *
 * @param waiting tasks that waited for a place
 * @param running tasks that held a place
 */
public record TimeFigures(Series waiting, Series running) {}
