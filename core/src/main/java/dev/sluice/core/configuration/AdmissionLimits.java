package dev.sluice.core.configuration;

/**
 * Limits on what a partition accepts at once. They only refuse submissions; existing applications are unaffected.
 *
 * @param maxUsers the maximum number of users with live applications; 0: unlimited
 * @param maxApplicationsPerUser the maximum number of live applications per user; 0: unlimited
 */
public record AdmissionLimits(long maxUsers, long maxApplicationsPerUser) {

    public static final AdmissionLimits NONE = new AdmissionLimits(0, 0);

    /** Throws {@link IllegalArgumentException} if a limit is negative. */
    public AdmissionLimits {
        if (maxUsers < 0 || maxApplicationsPerUser < 0) {
            throw new IllegalArgumentException(
                    "limits must be 0 or greater: " + maxUsers + ", " + maxApplicationsPerUser);
        }
    }
}
