package dev.sluice.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.terminal.Style;
import dev.sluice.server.api.BeneficiaryView;
import dev.sluice.server.api.TaskView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TaskTableTest {

    private static final Instant PLACED = Instant.parse("2026-03-01T10:00:00Z");

    private static TaskView measured(@Nullable Double cpuSeconds, @Nullable Long memoryPeak, Map<String, Long> asked) {
        return new TaskView(
                "t-1",
                "succeeded",
                2,
                "n",
                PLACED,
                PLACED,
                PLACED.plusSeconds(10),
                "succeeded",
                0,
                null,
                null,
                null,
                asked,
                cpuSeconds,
                null,
                memoryPeak);
    }

    private static String print(TaskView... tasks) {
        StringWriter out = new StringWriter();
        new TaskTable(Style.PLAIN).print(List.of(tasks), PLACED, new PrintWriter(out, true));
        return out.toString();
    }

    @Test
    void runs_measured_showCoresOnAverageAndPeakOfMemory() {
        assertThat(print(
                        measured(14.0, 1_600_000_000L, Map.of("vcore", 2000L, "memory", 4L << 30)),
                        measured(0.5, 3_000_000L, Map.of("slots", 1L)),
                        measured(null, null, Map.of())))
                .containsPattern("EXIT CODE +CORES +MEMORY +DETAIL")
                .containsPattern(" 0 +1.4 of 2 +1.5Gi of 4Gi")
                .containsPattern(" 0 +0.1 +3Mi\\s")
                .containsPattern(" 0 +- +-\\s");
    }

    @Test
    void runs_notMeasured_haveNoColumnsOfUse() {
        assertThat(print(measured(null, null, Map.of("vcore", 2000L)))).doesNotContain("CORES", "MEMORY");
    }

    @Test
    void run_preempted_saysForWhichTask() {
        TaskView run = new TaskView(
                "t-0",
                "stopped",
                1,
                "n",
                PLACED,
                PLACED,
                PLACED.plusSeconds(5),
                "stopped",
                null,
                "killed",
                "guarantee",
                new BeneficiaryView("root.a", "x", "u"),
                null,
                null,
                null,
                null);
        StringWriter out = new StringWriter();
        new TaskTable(Style.PLAIN).print(List.of(run), PLACED, new PrintWriter(out, true));
        assertThat(out.toString()).contains("preempted by queue root.a for task x/u: killed");
    }
}
