package dev.sluice.simulator.figures;

/**
 * The times of a series: point {@code i} stands for the {@code stepSeconds} that begin {@code i × stepSeconds} after the run began.
 *
 * @param stepSeconds how long a point lasts
 * @param points how many points there are
 */
public record TimeAxis(double stepSeconds, int points) {}
