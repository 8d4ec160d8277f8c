package dev.sluice.simulator.workload.csv;

import java.util.List;

/**
 * Rows that are not wanted.
 *
 * @param column the column that tells them, from 0
 * @param texts some texts; the empty one is that of an empty column
 * @param when which rows go: those that have one of the texts there, or those that have none of them
 */
record ExclusionRule(int column, List<String> texts, When when) {

    enum When {
        IS,
        IS_NOT
    }

    ExclusionRule {
        texts = List.copyOf(texts);
    }

    boolean excludes(CsvRows row) {
        return texts.contains(row.text(column)) == (when == When.IS);
    }
}
