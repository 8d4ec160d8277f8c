package dev.sluice.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TableBenchmarkTest {

    private static final List<String> ALL = List.of("a", "b", "c");

    @Test
    void chosen_withoutOptions_isEverything() {
        assertThat(TableBenchmark.chosen(List.of(), ALL)).isEqualTo(ALL);
    }

    @Test
    void chosen_withOnly_isWhatIsNamed() {
        assertThat(TableBenchmark.chosen(List.of("--only", "c", "a"), ALL)).containsExactly("c", "a");
    }

    @Test
    void chosen_withWhatIsNotThere_isNothing() {
        assertThat(TableBenchmark.chosen(List.of("--only"), ALL)).isNull();
        assertThat(TableBenchmark.chosen(List.of("--only", "d"), ALL)).isNull();
        assertThat(TableBenchmark.chosen(List.of("--all", "a"), ALL)).isNull();
    }

    @Test
    void rows_ofTheTable_haveNamesOfTheirOwn() {
        assertThat(Rows.all(null).stream().map(Row::name))
                .doesNotHaveDuplicates()
                .contains("placements", "heap");
    }
}
