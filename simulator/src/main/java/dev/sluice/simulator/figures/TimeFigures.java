package dev.sluice.simulator.figures;

/**
 * The number of waiting and running tasks over time.
 *
 * @param waiting tasks without an allocation
 * @param running tasks with an allocation
 */
public record TimeFigures(Series waiting, Series running) {}
