package dev.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.terminal.LiveLines;
import dev.sluice.cli.terminal.Style;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SimulationProgressTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final StringWriter lines = new StringWriter();
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private long seconds;

    private SimulationProgress progress(@Nullable LiveLines terminal) {
        SimulationProgress progress = new SimulationProgress(
                new PrintWriter(lines), terminal, Style.PLAIN, 200, () -> seconds * 1_000_000_000L);
        progress.planned(0, "fifo");
        progress.planned(1, "longer");
        return progress;
    }

    private String screen() {
        return screen.toString(UTF_8);
    }

    @Test
    void line_ofEndedRun_showsEventsAndRate() {
        SimulationProgress progress = progress(null);
        progress.advanced(0, NOON, 0, 0);
        seconds = 2;
        progress.advanced(0, NOON, 3_000, 200);
        progress.ended(0);

        assertThat(lines).hasToString("fifo    3,000 events in 2.0 s, 1,500 events/s\n");
    }

    @Test
    void line_ofInstantRun_hasNoRate() {
        SimulationProgress progress = progress(null);
        progress.advanced(1, NOON, 7, 200);
        progress.ended(1);

        assertThat(lines).hasToString("longer  7 events in 0 s\n");
    }

    @Test
    void lines_offATerminal_comeEveryTenSeconds() {
        SimulationProgress progress = progress(null);
        progress.advanced(0, NOON, 0, 0);
        seconds = 9;
        progress.advanced(0, NOON, 900, 40);
        assertThat(lines.toString()).isEmpty();

        seconds = 10;
        progress.advanced(0, NOON, 1_000, 50);

        assertThat(lines)
                .hasToString("fifo    ━━━━━───────────────  25 %  2026-01-05 12:00  100 events/s, 30 s left\n");
    }

    @Test
    void lines_onATerminal_areRemovedAtTheEnd() throws IOException {
        SimulationProgress progress = progress(new LiveLines(screen));
        progress.advanced(0, NOON, 0, 0);
        seconds = 1;
        progress.advanced(0, NOON, 500, 100);
        assertThat(screen()).contains("fifo", "50 %", "500 events/s, 1.0 s left");

        progress.advanced(0, NOON, 1_000, 200);
        progress.ended(0);
        assertThat(screen()).contains("fifo    1,000 events in 1.0 s");

        progress.close();
        int before = screen.size();
        progress.advanced(1, NOON, 0, 0);
        assertThat(screen.size()).isEqualTo(before);
        assertThat(lines.toString()).isEmpty();
    }
}
