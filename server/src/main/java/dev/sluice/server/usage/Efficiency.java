package dev.sluice.server.usage;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.runtime.journal.HistoryRecord.TaskEnd;
import dev.sluice.server.api.EfficiencyView;
import dev.sluice.server.api.RunsEfficiencyView;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Compares what runs used with what they were allocated. */
public final class Efficiency {

    private static final double MILLICORES = 1000;

    private Efficiency() {}

    /** The sums of runs with equal resources. */
    private static final class Sums {
        private int runs;
        private double runSeconds;
        private double cpuSeconds;
        private @Nullable Long memoryPeak;

        void add(Duration ran, Duration cpuTime, @Nullable Long peak) {
            runs++;
            runSeconds += seconds(ran);
            cpuSeconds += seconds(cpuTime);
            memoryPeak = peak == null || (memoryPeak != null && memoryPeak >= peak) ? memoryPeak : peak;
        }

        private static double seconds(Duration duration) {
            return duration.toNanos() / 1e9;
        }

        RunsEfficiencyView view(Map<String, Long> resources) {
            long millicores = resources.getOrDefault(ResourceTypes.VCORE, 0L);
            long memory = resources.getOrDefault(ResourceTypes.MEMORY, 0L);
            Double cores = runSeconds > 0 ? cpuSeconds / runSeconds : null;
            return new RunsEfficiencyView(
                    resources,
                    runs,
                    runSeconds,
                    cpuSeconds,
                    cores,
                    cores == null || millicores == 0 ? null : Double.valueOf(cores * MILLICORES / millicores),
                    memoryPeak,
                    memoryPeak == null || memory == 0 ? null : Double.valueOf((double) memoryPeak / memory));
        }
    }

    /** Returns what those of these runs used whose start and processor time are known, by what they were allocated. */
    public static EfficiencyView of(List<TaskEnd> ends) {
        Map<SortedMap<String, Long>, Sums> sums = new LinkedHashMap<>();
        int runs = 0;
        for (TaskEnd end : ends) {
            runs += end.attempt() == 0 ? 0 : 1;
            Instant from = end.started();
            Duration cpuTime = end.measured().cpuTime();
            SortedMap<String, Long> resources = end.resources();
            if (from != null && cpuTime != null && resources != null) {
                sums.computeIfAbsent(resources, known -> new Sums())
                        .add(
                                Duration.between(from, end.ended()),
                                cpuTime,
                                end.measured().memoryPeak());
            }
        }
        return new EfficiencyView(
                runs,
                sums.entrySet().stream()
                        .map(entry -> entry.getValue().view(entry.getKey()))
                        .toList());
    }
}
