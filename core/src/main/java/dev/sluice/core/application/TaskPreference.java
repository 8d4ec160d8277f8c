package dev.sluice.core.application;

/**
 * A preference for, or against, domains with certain tasks.
 *
 * @param weight how much it counts, from {@value NodePreference#WEIGHT_MIN} to {@value NodePreference#WEIGHT_MAX}
 * @param term which tasks, in which domain
 */
public record TaskPreference(int weight, TaskTerm term) {

    /** Throws {@link IllegalArgumentException} if the weight is out of range. */
    public TaskPreference {
        if (weight < NodePreference.WEIGHT_MIN || weight > NodePreference.WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "weight must be between " + NodePreference.WEIGHT_MIN + " and " + NodePreference.WEIGHT_MAX);
        }
    }
}
