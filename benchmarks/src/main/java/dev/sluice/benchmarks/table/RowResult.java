package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Machine;
import java.util.List;

/**
 * A row, measured.
 *
 * @param row its name
 * @param title what it is about
 * @param about what was measured, and how
 * @param machine where and when; its load is that of the minute before
 * @param lines the figures
 */
record RowResult(String row, String title, String about, Machine machine, List<Line> lines) {

    /** Measures this row here and now. */
    static RowResult of(Row row) {
        Machine machine = Machine.here();
        return new RowResult(row.name(), row.title(), row.about(), machine, row.measure());
    }

    /** Whether some figure is worse than it must be. */
    boolean misses() {
        return lines.stream().anyMatch(line -> line.verdict() == Verdict.MISSED);
    }
}
