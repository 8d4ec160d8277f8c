package dev.sluice.runtime.journal;

/**
 * Who did what, so that the journal tells it afterwards.
 *
 * @param action what was done, as a word of the program, such as {@code SubmitApplication} or {@code cycle}
 * @param actor who did it, as far as that is known; empty for what the scheduler does by itself
 */
public record Cause(String action, String actor) {

    /** A pass of the scheduler over a partition. */
    public static final Cause CYCLE = new Cause("cycle", "");

    /** Something that the scheduler does by itself. */
    public static Cause internal(String action) {
        return new Cause(action, "");
    }
}
