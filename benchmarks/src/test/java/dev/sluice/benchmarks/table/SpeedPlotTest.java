package dev.sluice.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.benchmarks.rounds.Machine;
import dev.sluice.benchmarks.rounds.Quantiles;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpeedPlotTest {

    @Test
    void svg_ofTable_showsOnlyRates() {
        Machine machine = new Machine("2026-01-01", "a processor", 2, "a JVM", List.of(), 0.5);
        Quantiles value = new Quantiles(2_000_000, 1_000_000, 3_000_000);
        Table table = new Table(List.of(
                new RowResult(
                        "fast",
                        "How fast it is",
                        "",
                        machine,
                        List.of(
                                Line.info("1,000 nodes", Line.PLACEMENTS, value),
                                Line.info("a ratio", Line.RATIO, value),
                                Line.skipped("nothing", Line.PLACEMENTS, Bound.atLeast(1, 2), "no"))),
                new RowResult("heap", "Heap", "", machine, List.of(Line.info("a task", "B", value)))));

        assertThat(SpeedPlot.svg(table))
                .contains(">How fast it is<", ">1,000 nodes<", ">2,000,000<", "2026-01-01, a processor")
                .doesNotContain("a ratio", "nothing", "Heap", "a task");
    }
}
