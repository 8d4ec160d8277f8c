package dev.sluice.core.share;

/**
 * A class of work as the load policy counts it: in tasks of one slot each.
 *
 * @param percent its class load %, as configured; 0: never served
 * @param running how many of its tasks hold a place
 * @param waiting how many of its pending tasks could start if a worker was idle
 */
public record LoadClass(int percent, int running, int waiting) {

    /** Throws {@link IllegalArgumentException} for a negative number. */
    public LoadClass {
        if (percent < 0 || running < 0 || waiting < 0) {
            throw new IllegalArgumentException("numbers of a load class must not be negative: " + percent + " %, " + running
                    + " running, " + waiting + " waiting");
        }
    }
}
