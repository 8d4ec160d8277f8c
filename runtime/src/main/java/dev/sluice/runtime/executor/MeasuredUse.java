package dev.sluice.runtime.executor;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a run has used so far, as measured; its resources are what it was allocated. Each figure is null if unknown.
 *
 * @param cpuTime the processor time of its processes, user and system
 * @param memory the memory of its processes in bytes at the latest measurement; null once the run has ended
 * @param memoryPeak the maximum of that memory in bytes
 */
public record MeasuredUse(
        @Nullable Duration cpuTime,
        @Nullable Long memory,
        @Nullable Long memoryPeak) {

    /** Nothing is known. */
    public static final MeasuredUse NONE = new MeasuredUse(null, null, null);

    /** Returns this use after a later measurement: its memory, and the maxima of both. */
    public MeasuredUse with(MeasuredUse later) {
        return new MeasuredUse(max(cpuTime, later.cpuTime), later.memory, max(memoryPeak, later.memoryPeak));
    }

    private static <T extends Comparable<T>> @Nullable T max(@Nullable T one, @Nullable T other) {
        return one == null || (other != null && other.compareTo(one) > 0) ? other : one;
    }
}
