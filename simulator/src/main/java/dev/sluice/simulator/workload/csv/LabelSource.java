package dev.sluice.simulator.workload.csv;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The source of a required node label.
 *
 * @param label the label
 * @param value the required value; none: any node
 * @param separator the separator of alternatives such as {@code V100|T4}; empty if there are none
 * @param several the policy for a row with several alternatives
 */
record LabelSource(String label, TextSource value, String separator, MultiValuePolicy several) {

    private static final String WHAT = "a label";

    /** The policy for a row that accepts several values of a label, which a task cannot express. */
    enum MultiValuePolicy {
        /** The task may run on any node. */
        UNCONSTRAINED("unconstrained"),
        /** The row is excluded. */
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

    /** Whether this row is excluded because of its alternatives. */
    boolean excludes(CsvRows row) {
        return several == MultiValuePolicy.EXCLUDE && hasSeveral(value.read(row, WHAT));
    }

    /** Returns the required value for this row; null if any node is allowed, or after a fault. */
    @Nullable String read(CsvRows row) {
        String text = value.read(row, WHAT);
        return text == null || hasSeveral(text) ? null : text;
    }

    private boolean hasSeveral(@Nullable String text) {
        return text != null && !separator.isEmpty() && text.contains(separator);
    }
}
