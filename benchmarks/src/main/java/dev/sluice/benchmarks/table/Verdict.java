package dev.sluice.benchmarks.table;

/** The comparison of a figure with its limits. */
enum Verdict {
    /** Meets the target. */
    AIM("target met"),
    /** Meets the required limit, but not the target. */
    MUST("requirement met"),
    /** Misses the required limit. */
    MISSED("MISSED"),
    /** Has no limits. */
    INFORMATION(""),
    /** Was not measured. */
    SKIPPED("skipped");

    private final String label;

    Verdict(String label) {
        this.label = label;
    }

    /** Returns the text for tables. */
    String label() {
        return label;
    }
}
