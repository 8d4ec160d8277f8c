package dev.sluice.simulator.figures;

/**
 * The figures of one user.
 *
 * @param name the user; {@link #OTHERS} for all users that are not listed
 * @param tasks the figures of the user's tasks
 */
public record UserFigures(String name, TaskFigures tasks) {

    /** The name for all users that are not listed. */
    public static final String OTHERS = "(others)";
}
