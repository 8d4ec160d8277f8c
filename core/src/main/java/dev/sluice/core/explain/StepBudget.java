package dev.sluice.core.explain;

/**
 * How much of the state may be looked at before a question has to wait for its next piece. Each application, task, group of tasks, queue
 * or node that is looked at takes one look.
 */
public final class StepBudget {

    /** The fewest looks with which every question makes progress, since things are looked at within others. */
    public static final int MIN = 4;

    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final int max;
    private int taken;

    /** So many looks. */
    public StepBudget(int max) {
        if (max < MIN) {
            throw new IllegalArgumentException("step budget must be at least " + MIN + ", not " + max);
        }
        this.max = max;
    }

    /** As many looks as it takes. */
    public static StepBudget unlimited() {
        return new StepBudget(UNLIMITED);
    }

    /** Takes one look; returns false if none is left. */
    public boolean take() {
        if (max == UNLIMITED) {
            return true;
        }
        if (taken >= max) {
            return false;
        }
        taken++;
        return true;
    }

    /** How many were taken; not counted where they are unlimited. */
    public int taken() {
        return taken;
    }
}
