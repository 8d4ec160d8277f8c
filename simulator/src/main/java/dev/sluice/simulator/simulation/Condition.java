package dev.sluice.simulator.simulation;

import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.figures.MeasureSpread;
import dev.sluice.simulator.figures.RunFigures;

/**
 * A condition on a measure, which holds if it holds in every repetition.
 *
 * @param measure the measure
 * @param relation how its values compare with the limit
 * @param limit the limit, in the unit of the measure
 * @param text the condition for people, such as {@code p90 wait <= 1h}
 */
public record Condition(Measure measure, Relation relation, double limit, String text) {

    /** How a value compares with a limit. */
    public enum Relation {
        AT_MOST("<="),
        LESS("<"),
        AT_LEAST(">="),
        MORE(">");

        private final String symbol;

        Relation(String symbol) {
            this.symbol = symbol;
        }

        public String symbol() {
            return symbol;
        }
    }

    /** Whether the condition holds in every repetition of a run; not if the run has no value. */
    public boolean holds(RunFigures run) {
        MeasureSpread spread = measure.spread(run);
        return switch (relation) {
            case AT_MOST -> spread.max() <= limit;
            case LESS -> spread.max() < limit;
            case AT_LEAST -> spread.min() >= limit;
            case MORE -> spread.min() > limit;
        };
    }

    /** Returns the condition that this measure, a count, is 0. */
    static Condition none(Measure measure) {
        return new Condition(measure, Relation.AT_MOST, 0, measure.name() + " <= 0");
    }
}
