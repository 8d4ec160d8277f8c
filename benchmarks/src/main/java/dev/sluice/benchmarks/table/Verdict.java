package dev.sluice.benchmarks.table;

/** What is to be said of a figure. */
enum Verdict {
    /** It is as good as it ought to be one day. */
    AIM("aim met"),
    /** It is as good as it must be. */
    MUST("must met"),
    /** It is worse than it must be. */
    MISSED("MISSED"),
    /** Nothing is asked of it. */
    INFORMATION(""),
    /** It was not measured. */
    SKIPPED("skipped");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    /** How a table says it. */
    String words() {
        return words;
    }
}
