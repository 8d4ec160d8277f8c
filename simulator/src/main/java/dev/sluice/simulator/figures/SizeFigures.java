package dev.sluice.simulator.figures;

/**
 * Tasks of one size. The size of a task is its largest request of one resource relative to the capacity of all nodes;
 * sizes double from class to class.
 *
 * @param resource the resource that the size counts, in its base units
 * @param from the smallest amount in this class
 * @param to the largest amount in this class
 * @param count the number of tasks that started
 * @param waiting seconds until the first start
 * @param slowdown bounded slowdown of the succeeded tasks
 */
public record SizeFigures(
        String resource, long from, long to, long count, DistributionSummary waiting, DistributionSummary slowdown) {}
