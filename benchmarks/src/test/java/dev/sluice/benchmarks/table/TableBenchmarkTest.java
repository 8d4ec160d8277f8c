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
    void chosen_withOnly_isNamedRows() {
        assertThat(TableBenchmark.chosen(List.of("--only", "c", "a"), ALL)).containsExactly("c", "a");
    }

    @Test
    void chosen_unknownRow_isNothing() {
        assertThat(TableBenchmark.chosen(List.of("--only"), ALL)).isNull();
        assertThat(TableBenchmark.chosen(List.of("--only", "d"), ALL)).isNull();
        assertThat(TableBenchmark.chosen(List.of("--all", "a"), ALL)).isNull();
    }

    @Test
    void rows_ofTable_haveUniqueNames() {
        assertThat(Rows.all(null).stream().map(Row::name))
                .doesNotHaveDuplicates()
                .contains("placements", "heap");
    }
}
