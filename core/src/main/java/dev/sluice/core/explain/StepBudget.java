package dev.sluice.core.explain;

/**
 * Limits how much of the state one step of a query examines. Each application, task, task group, queue or node costs
 * one unit.
 */
public final class StepBudget {

    /** The smallest budget with which every query makes progress: queries are nested. */
    public static final int MIN = 4;

    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final int max;
    private int taken;

    /** Creates a budget; throws {@link IllegalArgumentException} if it is less than {@link #MIN}. */
    public StepBudget(int max) {
        if (max < MIN) {
            throw new IllegalArgumentException("step budget must be at least " + MIN + ", not " + max);
        }
        this.max = max;
    }

    public static StepBudget unlimited() {
        return new StepBudget(UNLIMITED);
    }

    /** Takes one unit; returns false if none is left. */
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

    /** Takes this many units, or all that are left. */
    public void takeUpTo(int units) {
        if (max != UNLIMITED) {
            taken += Math.min(units, max - taken);
        }
    }

    /** Returns the number of units taken; not counted if unlimited. */
    public int taken() {
        return taken;
    }
}
