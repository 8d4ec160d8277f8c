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
record LabelSource(String label, TextSource value, String separator, MultiValuePolicy several) {

    private static final String WHAT = "a label";

    /** What becomes of a row that would be content with one of several labels, which a task cannot say. */
    enum MultiValuePolicy {
        /** Any node will do. */
        UNCONSTRAINED("unconstrained"),
        /** The row is left out. */
        EXCLUDE("exclude");

        static final Map<String, MultiValuePolicy> WORDS = words();

        private final String word;

        MultiValuePolicy(String word) {
            this.word = word;
        }

        private static Map<String, MultiValuePolicy> words() {
            Map<String, MultiValuePolicy> words = new LinkedHashMap<>();
            for (MultiValuePolicy each : values()) {
                words.put(each.word, each);
            }
            return words;
        }
    }

    /** Whether this row is to be left out for its alternatives. */
    boolean excludes(CsvRows row) {
        return several == MultiValuePolicy.EXCLUDE && hasSeveral(value.read(row, WHAT));
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
