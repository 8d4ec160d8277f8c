package dev.sluice.simulator.figures;

/**
 * The times of a series: point {@code i} covers the {@code stepSeconds} that begin {@code i × stepSeconds} after the
 * start of the run.
 *
 * @param stepSeconds the length of a point
 * @param points the number of points
 */
public record TimeAxis(double stepSeconds, int points) {}
