package dev.sluice.simulator.workload.csv;

import java.util.List;

/**
 * A rule that excludes rows.
 *
 * @param column the column to compare, from 0
 * @param texts the texts to compare it with; the empty text matches an empty column
 * @param when whether matching or non-matching rows are excluded
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
