package dev.sluice.simulator.figures;

/**
 * Tasks of one size, which is the largest part of one resource of all nodes that a task asks for: sizes double from class to class.
 *
 * @param resource the resource that the size counts, in its base units
 * @param from the smallest amount in this class
 * @param to the largest amount in this class
 * @param count how many tasks started
 * @param waiting seconds until the first start
 * @param slowdown bounded slowdown of those that succeeded
 */
public record SizeFigures(
        String resource, long from, long to, long count, DistributionSummary waiting, DistributionSummary slowdown) {}
