package dev.sluice.server.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.journal.HistoryRecord.TaskEnd;
import dev.sluice.server.api.EfficiencyView;
import dev.sluice.server.api.RunsEfficiencyView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EfficiencyTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    private static final SortedMap<String, Long> TWO_CORES = new TreeMap<>(Map.of("vcore", 2000L, "memory", 4096L));
    private static final SortedMap<String, Long> SLOTS = new TreeMap<>(Map.of("slots", 1L));

    /** A run of 100 s. */
    private static TaskEnd end(int attempt, @Nullable Instant started) {
        return new TaskEnd(
                attempt,
                "default",
                "a",
                START,
                "t",
                attempt,
                "n",
                START,
                started,
                START.plusSeconds(100),
                TaskOutcome.SUCCEEDED,
                null,
                "",
                false,
                null,
                null);
    }

    private static TaskEnd run(SortedMap<String, Long> resources, long cpuSeconds, @Nullable Long memoryPeak) {
        return end(1, START).withUse(resources, new MeasuredUse(Duration.ofSeconds(cpuSeconds), null, memoryPeak));
    }

    @Test
    void runs_withEqualResources_addUpAndKeepHighestPeak() {
        EfficiencyView view = Efficiency.of(List.of(
                run(TWO_CORES, 100, 1024L),
                run(SLOTS, 50, null),
                run(TWO_CORES, 180, 3072L),
                run(TWO_CORES, 140, null)));
        assertThat(view.runs()).isEqualTo(4);
        assertThat(view.items())
                .containsExactly(
                        new RunsEfficiencyView(TWO_CORES, 3, 300.0, 420.0, 1.4, 0.7, 3072L, 0.75),
                        new RunsEfficiencyView(SLOTS, 1, 100.0, 50.0, 0.5, null, null, null));
    }

    @Test
    void runs_notMeasuredOrNotStarted_areNotCompared() {
        MeasuredUse used = new MeasuredUse(Duration.ofSeconds(1), null, 1L);
        EfficiencyView view = Efficiency.of(List.of(
                end(1, START),
                end(1, START).withUse(TWO_CORES, MeasuredUse.NONE),
                end(1, null).withUse(TWO_CORES, used),
                end(0, null)));
        assertThat(view).isEqualTo(new EfficiencyView(3, List.of()));
    }
}
