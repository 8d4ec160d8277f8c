package dev.sluice.core.share;

/**
 * The numbers of a load class, in tasks of one slot each.
 *
 * @param percent its class load %, as configured; 0: never served
 * @param running the number of its allocated tasks
 * @param waiting the number of its pending tasks that could start on an idle worker
 */
public record LoadClass(int percent, int running, int waiting) {

    /** Throws {@link IllegalArgumentException} if a number is negative. */
    public LoadClass {
        if (percent < 0 || running < 0 || waiting < 0) {
            throw new IllegalArgumentException("numbers of a load class must not be negative: " + percent + " %, "
                    + running + " running, " + waiting + " waiting");
        }
    }
}
