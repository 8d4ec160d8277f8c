package dev.sluice.core.share;

import dev.sluice.core.resource.Resources;

/**
 * What the usage policy worked out for a queue when the last cycle began.
 *
 * @param usage what it had, in cores
 * @param usagePriority its decayed usage, in cores
 * @param effectivePriority that, at least 0.5, times its factor; a lower one goes first
 * @param fraction which part of everything it was due; 0 if nothing of it could be placed
 * @param slice how much of what was free it was due; nothing if nothing of it could be placed. Slots only where they are counted
 */
public record UsageFigures(
        double usage, double usagePriority, double effectivePriority, double fraction, Resources slice) {

    /** The same with another usage priority, such as that of a later instant, of a queue with this factor. */
    public UsageFigures withPriority(double newUsagePriority, double factor) {
        return new UsageFigures(
                usage, newUsagePriority, UsageDivision.effectivePriority(newUsagePriority, factor), fraction, slice);
    }
}
