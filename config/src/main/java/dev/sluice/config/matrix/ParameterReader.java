package dev.sluice.config.matrix;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.Section;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of a matrix: lists of values, or ranges of numbers. */
public final class ParameterReader {

    /** The keys of a range. */
    public static final Keys RANGE = Keys.of(
            "range",
            ReferencePage.JOB_FILE,
            Key.of("from", KeyType.NUMBER, "The first value.").isRequired().eg("1"),
            Key.of("to", KeyType.NUMBER, "The last value, if the steps reach it.")
                    .isRequired()
                    .eg("10"),
            Key.of("step", KeyType.NUMBER, "The difference of two values; less than 0 to count down.")
                    .or("1")
                    .eg("0.5"));

    private ParameterReader() {}

    /** Returns the parameters of a matrix; null after a problem. Values of ranges count for the limit. */
    static @Nullable List<Parameter> read(Field matrix, ExpansionLimit limit) {
        int before = matrix.problemCount();
        List<Parameter> parameters = new ArrayList<>();
        if (matrix.isMap() || !matrix.isNull()) {
            matrix.asMap("parameters").forEach((name, field) -> {
                if (!Parameter.isName(name)) {
                    field.keyProblem(() -> Field.quoted(name)
                            + " is not a valid name of a parameter: use up to 64 letters, digits and _");
                    return;
                }
                List<String> values = field.isMap() ? range(field, limit) : values(field);
                if (values.isEmpty() && field.problemCount() == before) {
                    field.problem("parameter " + name + " has no values: write a list or {from: 1, to: 10}");
                }
                parameters.add(new Parameter(name, values, field));
            });
        }
        if (parameters.isEmpty() && matrix.problemCount() == before) {
            matrix.problem("this matrix has no parameters: write {seed: [1, 2]}, or remove it");
        }
        return matrix.problemCount() == before ? parameters : null;
    }

    private static List<String> values(Field field) {
        List<String> values = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Field each : field.asList("values, or a range such as {from: 1, to: 10}")) {
            String text = each.asValueText();
            if (text == null) {
                continue;
            }
            if (text.indexOf('\0') >= 0) {
                each.problem("a value must not contain the character U+0000");
            } else if (!seen.add(Parameter.canonical(text))) {
                each.problem("duplicate value " + Field.quoted(text) + ": remove it");
            } else {
                values.add(text);
            }
        }
        return values;
    }

    private static List<String> range(Field field, ExpansionLimit limit) {
        Section section = field.asSection("a range", RANGE);
        if (section == null) {
            return List.of();
        }
        int before = field.problemCount();
        BigDecimal from = number(section, "from");
        BigDecimal to = number(section, "to");
        BigDecimal step = section.has("step") ? number(section, "step") : BigDecimal.ONE;
        if (from == null || to == null || step == null || field.problemCount() > before) {
            return List.of();
        }
        if (step.signum() == 0) {
            section.self().problem("step must not be 0");
            return List.of();
        }
        BigDecimal steps = to.subtract(from).divideToIntegralValue(step);
        if (to.compareTo(from) != 0 && to.subtract(from).signum() != step.signum()) {
            section.self().problem("this range is empty: step leads away from to");
            return List.of();
        }
        if (steps.compareTo(BigDecimal.valueOf(ExpansionLimit.TASKS_MAX)) >= 0) {
            section.self().problem("this range has too many values: the maximum is " + ExpansionLimit.TASKS_MAX);
            return List.of();
        }
        boolean isFirst = !limit.isExceeded();
        if (!limit.addValues(steps.longValueExact() + 1)) {
            if (isFirst) {
                TaskMatrix.reportTooLarge(field);
            }
            return List.of();
        }
        List<String> values = new ArrayList<>();
        for (int i = 0; i <= steps.intValueExact(); i++) {
            values.add(from.add(step.multiply(BigDecimal.valueOf(i))).toPlainString());
        }
        return values;
    }

    private static @Nullable BigDecimal number(Section section, String key) {
        Field field = section.require(key, "a range needs from and to: add " + key);
        String text = field == null ? null : field.asValueText();
        if (field == null || text == null) {
            return null;
        }
        if (!Parameter.isNumber(text)) {
            field.problem(Field.quoted(text) + " is not a decimal number of up to 18 digits");
            return null;
        }
        return new BigDecimal(text);
    }
}
