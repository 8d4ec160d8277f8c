package dev.sluice.core.application;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one label of a node, or on its name; what Kubernetes calls a node selector requirement.
 *
 * @param key the key of the label; {@link #NAME_FIELD} in a condition on the name
 * @param operator how the label is compared with the values
 * @param values the values without duplicates: at least one for {@code In} and {@code NotIn}, one integer for
 *     {@code Gt} and {@code Lt}, none for the others
 */
public record NodeSelectorRequirement(String key, Operator operator, List<String> values) {

    /** The only field of a node that a condition may name. */
    public static final String NAME_FIELD = "metadata.name";

    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,30}");

    /** How a label is compared with values. */
    public enum Operator {
        /** The label has one of the values. */
        IN("In"),
        /** The label is missing or has none of the values. */
        NOT_IN("NotIn"),
        /** The label is there. */
        EXISTS("Exists"),
        /** The label is missing. */
        DOES_NOT_EXIST("DoesNotExist"),
        /** The label is an integer greater than the value. */
        GT("Gt"),
        /** The label is an integer less than the value. */
        LT("Lt");

        private final String wireName;

        Operator(String wireName) {
            this.wireName = wireName;
        }

        /** The name in files and in the API, which is Kubernetes'. */
        public String wireName() {
            return wireName;
        }
    }

    /** Removes duplicate values; throws {@link IllegalArgumentException} if the values do not suit the operator. */
    public NodeSelectorRequirement {
        values = List.copyOf(new LinkedHashSet<>(values));
        String problem = problem(operator, values);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** Returns the requirement that a label has this value. */
    public static NodeSelectorRequirement label(String key, String value) {
        return new NodeSelectorRequirement(key, Operator.IN, List.of(value));
    }

    /** Returns what is wrong with these values for this operator, or null. */
    public static @Nullable String problem(Operator operator, List<String> values) {
        return switch (operator) {
            case IN, NOT_IN ->
                values.isEmpty() ? "operator " + operator.wireName() + " needs at least one value" : null;
            case EXISTS, DOES_NOT_EXIST ->
                values.isEmpty() ? null : "operator " + operator.wireName() + " takes no values";
            case GT, LT ->
                values.size() == 1 && integer(values.get(0)) != null
                        ? null
                        : "operator " + operator.wireName() + " needs one value, an integer such as \"4\"";
        };
    }

    /** Returns whether these labels meet the condition. */
    public boolean matches(SortedMap<String, String> labels) {
        return matches(labels.get(key));
    }

    /** Returns whether this value of the label, or null if it is missing, meets the condition. */
    public boolean matches(@Nullable String value) {
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GT -> value != null && isOrdered(values.get(0), value);
            case LT -> value != null && isOrdered(value, values.get(0));
        };
    }

    private static boolean isOrdered(String less, String greater) {
        Long first = integer(less);
        Long second = integer(greater);
        return first != null && second != null && first < second;
    }

    /** Returns the integer of 64 bits that this text is, or null. */
    private static @Nullable Long integer(String text) {
        if (!INTEGER.matcher(text).matches()) {
            return null;
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null; // exceeds 64 bits
        }
    }

    @Override
    public String toString() {
        return switch (operator) {
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "!" + key;
            case IN, NOT_IN ->
                key + " " + operator.wireName().toLowerCase(Locale.ROOT) + " (" + String.join(", ", values) + ")";
            case GT -> key + " > " + values.get(0);
            case LT -> key + " < " + values.get(0);
        };
    }
}
