package dev.sluice.core.application;

/**
 * What must happen before an application starts tasks.
 *
 * @param hold whether it is held: it starts nothing until it is released
 */
public record StartConditions(boolean hold) {

    /** The application may start at once. */
    public static final StartConditions NONE = new StartConditions(false);

    public StartConditions withHold(boolean newHold) {
        return new StartConditions(newHold);
    }
}
