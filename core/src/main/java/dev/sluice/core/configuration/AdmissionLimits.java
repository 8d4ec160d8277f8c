package dev.sluice.core.configuration;

/**
 * How much a partition takes in at once. Only submissions are refused beyond it; what is there stays.
 *
 * @param maxUsers the most users with applications that have not ended; 0: no limit
 * @param maxApplicationsPerUser the most applications of one user that have not ended; 0: no limit
 */
public record AdmissionLimits(long maxUsers, long maxApplicationsPerUser) {

    /** No limits. */
    public static final AdmissionLimits NONE = new AdmissionLimits(0, 0);

    /** Throws {@link IllegalArgumentException} for a negative limit. */
    public AdmissionLimits {
        if (maxUsers < 0 || maxApplicationsPerUser < 0) {
            throw new IllegalArgumentException("limits must be 0 or greater: " + maxUsers + ", " + maxApplicationsPerUser);
        }
    }
}
