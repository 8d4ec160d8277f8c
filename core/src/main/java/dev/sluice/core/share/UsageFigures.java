package dev.sluice.core.share;

import dev.sluice.core.resource.Resources;

/**
 * What the usage policy computed for a queue at the start of the last cycle, with its priority at the time of the
 * query.
 *
 * @param usage its usage, in cores
 * @param usagePriority its decayed usage, in cores
 * @param factor its configured factor
 * @param effectivePriority {@code max(usagePriority, 0.5) × factor}; lower ones go first
 * @param fraction the fraction of everything that it should have; 0 if none of its tasks is eligible
 * @param due this fraction of the free capacity and what the queues with eligible tasks use, where the free capacity is
 *     at most what the maxima of the parent and the queues above leave, and at most its own maximum; empty if none of
 *     its tasks is eligible
 * @param slice its slice of the free capacity; empty if none of its tasks is eligible. Includes slots only if nodes
 *     declare them
 */
public record UsageFigures(
        double usage,
        double usagePriority,
        double factor,
        double effectivePriority,
        double fraction,
        Resources due,
        Resources slice)
        implements ShareFigures {}
