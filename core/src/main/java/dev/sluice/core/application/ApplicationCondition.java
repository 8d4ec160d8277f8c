package dev.sluice.core.application;

/** How an application must have ended before one that depends on it may start. */
public enum ApplicationCondition {
    /** All its tasks ended successfully. */
    SUCCEEDED("succeeded"),
    /** It failed, was cancelled or was rejected. */
    FAILED("failed"),
    /** It ended in any way. */
    ENDED("ended");

    private final String wireName;

    ApplicationCondition(String wireName) {
        this.wireName = wireName;
    }

    /** Whether an application that ended in this state meets the condition. */
    public boolean isMetBy(ApplicationState ended) {
        return switch (this) {
            case SUCCEEDED -> ended == ApplicationState.COMPLETED;
            case FAILED -> ended == ApplicationState.FAILED || ended == ApplicationState.REJECTED;
            case ENDED -> true;
        };
    }

    /** The name in files and in the API. */
    public String wireName() {
        return wireName;
    }
}
