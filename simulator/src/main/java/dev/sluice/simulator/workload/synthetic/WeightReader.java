package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import java.util.List;

/** Reads weights: how likely something is beside the others of its list. */
final class WeightReader {

    private WeightReader() {}

    /** The weight under {@code weight}, which is 1 where it is left out or wrong. */
    static double read(Section section) {
        Field field = section.get("weight");
        Double weight = field == null ? null : field.asDouble();
        if (field == null || weight == null) {
            return 1;
        }
        if (!(weight >= 0 && weight <= Weights.WEIGHT_MAX)) {
            field.problem("a weight is from 0 to " + (long) Weights.WEIGHT_MAX + ", not " + weight);
            return 1;
        }
        return weight;
    }

    /** Whether something can be drawn from a list with these weights; if not, that is a problem. */
    static boolean check(Field list, List<Double> weights, String what) {
        if (weights.isEmpty()) {
            list.problem("this list is empty: write at least one " + what);
            return false;
        }
        if (weights.stream().allMatch(weight -> weight == 0)) {
            list.problem("every " + what + " here has the weight 0, so none can be drawn: write a weight above 0");
            return false;
        }
        return true;
    }
}
