package dev.sluice.simulator.figures;

/**
 * One user.
 *
 * @param name the user; {@link #OTHERS} for all that are not listed
 * @param tasks what became of the user's tasks
 */
public record UserFigures(String name, TaskFigures tasks) {

    /** All users that are not listed. */
    public static final String OTHERS = "(others)";
}
