package dev.sluice.core.application;

/** What must have happened to a task before another one may start. */
public enum TaskCondition {
    /** It was reported as started, at least once. */
    STARTED("started"),
    /** It ended well. */
    SUCCEEDED("succeeded");

    private final String word;

    TaskCondition(String word) {
        this.word = word;
    }

    /** The word that stands for it in a file. */
    public String word() {
        return word;
    }
}
