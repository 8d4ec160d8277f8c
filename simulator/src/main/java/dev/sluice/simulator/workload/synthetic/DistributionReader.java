package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads distributions: a plain value, which is a constant, or a map from the name of a distribution to its parameters.
 */
final class DistributionReader {

    private static final double SHAPE_MAX = 100;

    private final ValueKind kind;

    private DistributionReader(ValueKind kind) {
        this.kind = kind;
    }

    /** Returns the distribution of values of this kind; null after a problem. */
    static @Nullable Distribution read(Field field, ValueKind kind) {
        return new DistributionReader(kind).read(field);
    }

    private @Nullable Distribution read(Field field) {
        if (!field.isMap()) {
            Long value = kind.read(field);
            return value == null ? null : new Distribution.Constant(value);
        }
        Section section = field.asSection("a distribution", SyntheticKeys.DISTRIBUTIONS);
        if (section == null) {
            return null;
        }
        List<String> named = SyntheticKeys.DISTRIBUTIONS.names().stream()
                .filter(section::has)
                .toList();
        if (named.size() != 1) {
            field.problem(
                    named.isEmpty()
                            ? "missing distribution: write a value, or a map such as {exponential: {mean: …}}"
                            : "more than one distribution: remove all but one");
            return null;
        }
        String name = named.get(0);
        Field parameters = section.require(name, "missing parameters of " + name);
        if (parameters == null) {
            return null;
        }
        return switch (name) {
            case "uniform" -> uniform(parameters);
            case "exponential" -> exponential(parameters);
            case "lognormal" -> logNormal(parameters);
            case "pareto" -> pareto(parameters);
            case "powersoftwo" -> powersOfTwo(parameters);
            default -> choice(parameters);
        };
    }

    private @Nullable Distribution uniform(Field field) {
        Section section = field.asSection("a uniform distribution", SyntheticKeys.RANGE);
        Long from = section == null ? null : value(section, "from", "the minimum");
        Long to = section == null ? null : value(section, "to", "the maximum");
        return section == null || from == null || to == null || !isRange(section, from, to)
                ? null
                : new Distribution.Uniform(from, to);
    }

    private @Nullable Distribution powersOfTwo(Field field) {
        Section section = field.asSection("a distribution over powers of two", SyntheticKeys.RANGE);
        Long from = section == null ? null : positive(section, "from", "the minimum");
        Long to = section == null ? null : value(section, "to", "the maximum");
        return section == null || from == null || to == null || !isRange(section, from, to)
                ? null
                : new Distribution.PowersOfTwo(from, to);
    }

    private boolean isRange(Section section, long from, long to) {
        Field field = section.get("to");
        if (to < from && field != null) {
            field.problem("to must be at least from, which is " + kind.written(from));
        }
        return to >= from;
    }

    private @Nullable Distribution exponential(Field field) {
        Section section = field.asSection("an exponential distribution", SyntheticKeys.EXPONENTIAL);
        Long mean = section == null ? null : positive(section, "mean", "the mean");
        ValueRange bounds = section == null || mean == null ? null : bounds(section, mean, "the mean");
        return mean == null || bounds == null ? null : new Distribution.Exponential(mean, bounds.min, bounds.max);
    }

    private @Nullable Distribution logNormal(Field field) {
        Section section = field.asSection("a lognormal distribution", SyntheticKeys.LOGNORMAL);
        if (section == null) {
            return null;
        }
        boolean byMean = section.get("mean") != null;
        Field median = section.get("median");
        if (byMean && median != null) {
            median.problem("mean and median are mutually exclusive: remove one");
            return null;
        }
        Long middle = positive(section, byMean ? "mean" : "median", byMean ? "the mean" : "the median, or the mean");
        Double sigma = shape(section, "sigma", "the standard deviation of the logarithm");
        ValueRange bounds = middle == null ? null : bounds(section, middle, byMean ? "the mean" : "the median");
        if (middle == null || sigma == null || bounds == null) {
            return null;
        }
        double logMedian = StrictMath.log(middle) - (byMean ? sigma * sigma / 2 : 0);
        return new Distribution.LogNormal(logMedian, sigma, bounds.min, bounds.max);
    }

    private @Nullable Distribution pareto(Field field) {
        Section section = field.asSection("a pareto distribution", SyntheticKeys.PARETO);
        if (section == null) {
            return null;
        }
        Long from = positive(section, "from", "the minimum");
        Double alpha = shape(section, "alpha", "the tail exponent");
        ValueRange bounds = from == null ? null : bounds(section, from, "from");
        return from == null || alpha == null || bounds == null
                ? null
                : new Distribution.Pareto(from, alpha, bounds.max);
    }

    private @Nullable Distribution choice(Field field) {
        List<Long> values = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        List<Field> items = field.asList("values");
        for (Field item : items) {
            Section section = item.isMap() ? item.asSection("a choice", SyntheticKeys.CHOICE) : null;
            Long value =
                    item.isMap() ? section == null ? null : value(section, "value", "what is chosen") : kind.read(item);
            double weight = section == null ? 1 : WeightReader.read(section);
            if (value != null) {
                values.add(value);
                weights.add(weight);
            }
        }
        if (!field.isList() || values.size() < items.size()) {
            return null;
        }
        if (!WeightReader.check(field, weights, "value")) {
            return null;
        }
        return new Distribution.Choice(values, Weights.of(weights));
    }

    private record ValueRange(long min, long max) {}

    /** Returns the bounds of a distribution, which must contain its mean, median or minimum. */
    private @Nullable ValueRange bounds(Section section, long middle, String what) {
        Field minField = section.get("min");
        Field maxField = section.get("max");
        Long min = minField == null ? (Long) Math.max(kind.min(), Math.min(1, middle)) : kind.read(minField);
        Long max = maxField == null ? (Long) kind.maxDefault() : kind.read(maxField);
        if (min == null || max == null) {
            return null;
        }
        if (maxField == null && max == 0) {
            section.self().problem("unbounded distribution: write max:, the maximum that a task may request");
            return null;
        }
        if (minField != null && min > middle) {
            minField.problem("min must be at most " + what + ", which is " + kind.written(middle));
            return null;
        }
        if (max < middle) {
            (maxField == null ? section.self() : maxField)
                    .problem(what + " is " + kind.written(middle) + ", above the maximum of " + kind.written(max)
                            + ": write a larger max");
            return null;
        }
        return new ValueRange(min, max);
    }

    private @Nullable Long value(Section section, String key, String meaning) {
        Field field = section.require(key, "missing " + key + ": " + meaning);
        return field == null ? null : kind.read(field);
    }

    private @Nullable Long positive(Section section, String key, String meaning) {
        Long value = value(section, key, meaning);
        Field field = section.get(key);
        if (value != null && value < 1 && field != null) {
            field.problem(key + " must be greater than 0");
            return null;
        }
        return value;
    }

    private static @Nullable Double shape(Section section, String key, String meaning) {
        Field field = section.require(key, "missing " + key + ": " + meaning);
        Double number = field == null ? null : field.asDouble();
        if (field != null && number != null && !(number > 0 && number <= SHAPE_MAX)) {
            field.problem(key + " must be greater than 0 and at most " + (long) SHAPE_MAX + ", not " + number);
            return null;
        }
        return number;
    }
}
