package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import java.util.List;

/** Reads weights, which are relative to the other items of the same list. */
final class WeightReader {

    private WeightReader() {}

    /** Returns the weight under {@code weight}; 1 if it is missing or invalid. */
    static double read(Section section) {
        Field field = section.get("weight");
        Double weight = field == null ? null : field.asDouble();
        if (field == null || weight == null) {
            return 1;
        }
        if (!(weight >= 0 && weight <= Weights.WEIGHT_MAX)) {
            field.problem("weight must be from 0 to " + (long) Weights.WEIGHT_MAX + ", not " + weight);
            return 1;
        }
        return weight;
    }

    /** Whether an item can be drawn with these weights; reports a problem if not. */
    static boolean check(Field list, List<Double> weights, String what) {
        if (weights.isEmpty()) {
            list.problem("empty list: write at least one " + what);
            return false;
        }
        if (weights.stream().allMatch(weight -> weight == 0)) {
            list.problem("every " + what + " has weight 0: at least one weight must be greater than 0");
            return false;
        }
        return true;
    }
}
