package dev.sluice.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.benchmarks.rounds.Machine;
import dev.sluice.benchmarks.rounds.Quantiles;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class TableTest {

    private static final Machine MACHINE =
            new Machine("2026-01-01", "a processor", 2, "a JVM 17", List.of("-Xmx1g"), 0.5);

    private static final Line MISSED =
            Line.bounded("a | b", Line.RATIO, new Quantiles(0.7, 0.6, 0.95), Bound.atLeast(0.8, 0.9));

    private static RowResult row(String name, Line... lines) {
        return new RowResult(name, "Title", "What " + name + " is.", MACHINE, List.of(lines));
    }

    @Test
    void verdict_ofLine_usesMedian() {
        assertThat(MISSED.verdict()).isEqualTo(Verdict.MISSED);
        assertThat(Line.info("x", "B", new Quantiles(1, 1, 1)).verdict()).isEqualTo(Verdict.INFORMATION);
        assertThat(Line.skipped("x", "B", Bound.below(2, 1), "no").verdict()).isEqualTo(Verdict.SKIPPED);
    }

    @Test
    void row_withMissedLine_misses() {
        Line good = Line.bounded("x", "ms", new Quantiles(1, 1, 1), Bound.below(2, 2));
        Line skipped = Line.skipped("x", "B", Bound.below(2, 1), "no");

        assertThat(row("r", good, skipped).misses()).isFalse();
        assertThat(row("r", good, skipped, MISSED).misses()).isTrue();
    }

    @Test
    void markdown_ofTable_hasValuesBoundsVerdictAndMachine() {
        String markdown = new Table(List.of(row("speed", MISSED))).markdown();

        assertThat(markdown)
                .contains("2026-01-01, a processor, 2 cores, a JVM 17 -Xmx1g.")
                .contains("| speed | a \\| b | 0.7 (0.6 to 0.95) × | ≥ 0.8 | ≥ 0.9 | MISSED |\n")
                .contains("- `speed`: Title. What speed is. Load average before: 0.5.\n");
    }

    @Test
    void text_ofSkippedLine_hasReasonAndBounds() {
        Line skipped = Line.skipped("x", "B", Bound.below(2, 1), "trace not found");

        assertThat(new Table(List.of(row("speed", skipped))).text())
                .contains("speed  x       trace not found")
                .contains("< 2       < 1     skipped");
    }

    @Test
    void with_sameRowName_replacesOnlyThatRow() {
        Table table = new Table(List.of(row("a"), row("b", MISSED)));

        Table merged = table.with(List.of(row("c"), row("b"))).inOrderOf(List.of("c", "b", "a", "unknown"));

        assertThat(merged.rows()).containsExactly(row("c"), row("b"), row("a"));
    }

    @Test
    void table_writtenAndRead_isEqual() {
        Table table = new Table(List.of(
                row("a", MISSED, Line.info("x", "B", new Quantiles(1, 1, 1))),
                row("b", Line.skipped("x", "B", Bound.below(2, 1), "no"))));

        String json = JsonMapper.shared().writeValueAsString(table);

        assertThat(json).contains("\"verdict\":\"MISSED\"");
        assertThat(JsonMapper.shared().readValue(json, Table.class)).isEqualTo(table);
    }
}
