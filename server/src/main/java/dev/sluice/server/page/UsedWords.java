package dev.sluice.server.page;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.RunsEfficiencyView;
import dev.sluice.server.api.TaskView;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What runs used of what they were allocated, in words such as {@code 1.4 of 2 cores (70 %)}. */
public final class UsedWords {

    private UsedWords() {}

    /** Returns the cores that a run has used on average; a dash if unknown. */
    public static String cores(TaskView task, Instant now) {
        return cores(task.resources(), task.cores(now));
    }

    /** Returns the cores that runs used on average; a dash if unknown. */
    public static String cores(RunsEfficiencyView runs) {
        return cores(runs.resources(), runs.cores());
    }

    private static String cores(@Nullable Map<String, Long> resources, @Nullable Double cores) {
        return of(ResourceTypes.VCORE, resources, cores == null ? null : Double.valueOf(cores * 1000));
    }

    /** Returns the peak of the memory of a run; a dash if unknown. */
    public static String memory(TaskView task) {
        return memory(task.resources(), task.memoryPeak());
    }

    /** Returns the highest peak of the memory of runs; a dash if unknown. */
    public static String memory(RunsEfficiencyView runs) {
        return memory(runs.resources(), runs.memoryPeak());
    }

    private static String memory(@Nullable Map<String, Long> resources, @Nullable Long peak) {
        return of(ResourceTypes.MEMORY, resources, peak == null ? null : Double.valueOf(peak));
    }

    private static String of(String type, @Nullable Map<String, Long> resources, @Nullable Double used) {
        if (used == null) {
            return "–";
        }
        long part = Math.round(used);
        long allocated = resources == null ? 0 : resources.getOrDefault(type, 0L);
        return allocated == 0
                ? Figures.amount(type, part)
                : Figures.part(type, Map.of(type, part), Map.of(type, allocated)) + " ("
                        + Figures.percent(used / allocated) + ")";
    }
}
