package dev.sluice.runtime.journal;

/**
 * Why events happened: the action and its actor, recorded in the journal.
 *
 * @param action the action, such as {@code SubmitApplication} or {@code cycle}
 * @param actor who triggered it, as far as known; empty for internal actions of the scheduler
 */
public record Cause(String action, String actor) {

    /** The cause of the events of a scheduling cycle. */
    public static final Cause CYCLE = new Cause("cycle", "");

    /** Returns the cause of an internal action of the scheduler. */
    public static Cause internal(String action) {
        return new Cause(action, "");
    }
}
