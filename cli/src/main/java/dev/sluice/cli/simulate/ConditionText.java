package dev.sluice.cli.simulate;

import dev.sluice.config.field.DurationText;
import dev.sluice.simulator.figures.Measure;
import dev.sluice.simulator.simulation.Condition;
import dev.sluice.simulator.simulation.Condition.Relation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The option {@code --enough} of a simulation: a condition such as {@code p90 wait <= 1h}. */
public final class ConditionText {

    private static final Pattern CONDITION = Pattern.compile("\\s*([^<>=]+?)\\s*(<=|>=|<|>)\\s*([^<>=]+?)\\s*");
    private static final double PERCENT = 100;

    private ConditionText() {}

    /**
     * Parses a condition.
     *
     * @param types the resources of the nodes, whose utilisations are measures
     * @throws IllegalArgumentException with a cure if it is invalid
     */
    public static Condition parse(String text, Collection<String> types) {
        Matcher matcher = CONDITION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "not a condition: give a measure, <=, <, >= or >, and a limit, such as 'p90 wait <= 1h'");
        }
        List<Measure> measures = new ArrayList<>(Measure.of(List.of()));
        types.forEach(type -> measures.add(Measure.utilisation(type)));
        String name = matcher.group(1).replaceAll("\\s+", " ");
        Measure measure = measures.stream()
                .filter(known -> known.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown measure \"" + name + "\": give one of "
                        + measures.stream().map(Measure::name).collect(Collectors.joining(", "))));
        Relation relation = Arrays.stream(Relation.values())
                .filter(known -> known.symbol().equals(matcher.group(2)))
                .findFirst()
                .orElseThrow();
        String limit = matcher.group(3);
        return new Condition(
                measure, relation, limit(measure, limit), measure.name() + " " + relation.symbol() + " " + limit);
    }

    private static double limit(Measure measure, String text) {
        try {
            return switch (measure.unit()) {
                case DURATION, SLOT_TIME -> seconds(DurationText.parse(text));
                case SHARE ->
                    text.endsWith("%") ? number(text.substring(0, text.length() - 1)) / PERCENT : number(text);
                case RATIO, INDEX, COUNT -> number(text);
            };
        } catch (IllegalArgumentException | ArithmeticException e) {
            String cure = switch (measure.unit()) {
                case DURATION -> "a duration such as 90m or 1h";
                case SLOT_TIME -> "a duration such as 8h, the time of one slot";
                case SHARE -> "a share such as 90%";
                case RATIO, INDEX, COUNT -> "a number";
            };
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "\"%s\" is no limit of %s: give %s", text, measure.name(), cure), e);
        }
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    private static double number(String text) {
        double number = Double.parseDouble(text.strip());
        if (!Double.isFinite(number) || number < 0) {
            throw new IllegalArgumentException("not a number of 0 or more");
        }
        return number;
    }
}
