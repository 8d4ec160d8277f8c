package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Machine;
import java.util.List;

/**
 * The result of a row.
 *
 * @param row the name of the row
 * @param title the title
 * @param about what was measured, and how
 * @param machine where and when; the load is that of the minute before
 * @param lines the figures
 */
record RowResult(String row, String title, String about, Machine machine, List<Line> lines) {

    /** Measures a row on this machine. */
    static RowResult of(Row row) {
        Machine machine = Machine.here();
        return new RowResult(row.name(), row.title(), row.about(), machine, row.measure());
    }

    /** Returns whether a figure misses its required limit. */
    boolean misses() {
        return lines.stream().anyMatch(line -> line.verdict() == Verdict.MISSED);
    }
}
