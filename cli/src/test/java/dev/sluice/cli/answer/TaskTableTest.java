package dev.sluice.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.terminal.Style;
import dev.sluice.server.api.BeneficiaryView;
import dev.sluice.server.api.TaskView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TaskTableTest {

    private static final Instant PLACED = Instant.parse("2026-03-01T10:00:00Z");

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
                new BeneficiaryView("root.a", "x", "u"));
        StringWriter out = new StringWriter();
        new TaskTable(Style.PLAIN).print(List.of(run), PLACED, new PrintWriter(out, true));
        assertThat(out.toString()).contains("preempted by queue root.a for task x/u: killed");
    }
}
