package dev.sluice.server.access;

/**
 * How many requests each caller may send. A caller that was quiet may send {@link #BURST_SECONDS} seconds' worth at
 * once.
 *
 * @param perSecond requests per second of one caller, at least 1
 * @param everybody whether it also applies to root and the user of the server on the Unix socket, and to callers whom
 *     nothing verifies
 */
public record RateLimit(int perSecond, boolean everybody) {

    /** How many seconds' worth of requests a caller may send at once. */
    public static final int BURST_SECONDS = 30;

    /** Maximum of {@code perSecond}. */
    public static final int PER_SECOND_MAX = 1_000_000;

    /**
     * The limit unless settings say otherwise: more than a program sends that waits for each answer, a fraction of what
     * a server answers.
     */
    public static final RateLimit DEFAULT = new RateLimit(2000, false);

    /** Throws {@link IllegalArgumentException} if the rate is out of bounds. */
    public RateLimit {
        if (perSecond < 1 || perSecond > PER_SECOND_MAX) {
            throw new IllegalArgumentException(
                    "the rate limit must be between 1 and " + PER_SECOND_MAX + ", not " + perSecond);
        }
    }
}
