package dev.sluice.simulator.workload.csv;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where it comes from what a node's label must say.
 *
 * @param label the label
 * @param value what it must say; nothing: any node will do
 * @param separator what parts alternatives such as {@code V100|T4}; empty if there are none
 * @param several what becomes of a row with several
 */
record LabelSource(String label, TextSource value, String separator, Several several) {

    private static final String WHAT = "a label";

    /** What becomes of a row that would be content with one of several labels, which a task cannot say. */
    enum Several {
        /** Any node will do. */
        UNCONSTRAINED("unconstrained"),
        /** The row is left out. */
        LEAVE_OUT("leaveout");

        static final Map<String, Several> WORDS = words();

        private final String word;

        Several(String word) {
            this.word = word;
        }

        private static Map<String, Several> words() {
            Map<String, Several> words = new LinkedHashMap<>();
            for (Several each : values()) {
                words.put(each.word, each);
            }
            return words;
        }
    }

    /** Whether this row is to be left out for its alternatives. */
    boolean leavesOut(CsvRows row) {
        return several == Several.LEAVE_OUT && hasSeveral(value.read(row, WHAT));
    }

    /** What the label must say for this row; null: any node will do, or after a fault. */
    @Nullable String read(CsvRows row) {
        String text = value.read(row, WHAT);
        return text == null || hasSeveral(text) ? null : text;
    }

    private boolean hasSeveral(@Nullable String text) {
        return text != null && !separator.isEmpty() && text.contains(separator);
    }
}
