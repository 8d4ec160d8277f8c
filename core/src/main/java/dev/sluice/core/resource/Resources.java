package dev.sluice.core.resource;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Amounts of several resource types, sorted by type name: a request, a capacity or a limit. Immutable.
 *
 * <p>A type that is not named is 0 in a request or capacity ({@link #amount}) and unlimited in a limit
 * ({@link #limit}); a type that is named with 0 is 0 in both.
 */
public final class Resources {

    public static final Resources NONE = new Resources(Collections.emptySortedMap());

    private final SortedMap<String, Amount> amounts;
    private int hash; // 0 until computed

    private Resources(SortedMap<String, Amount> amounts) {
        this.amounts = amounts;
    }

    public static Resources of(Map<String, Amount> amounts) {
        if (amounts.isEmpty()) {
            return NONE;
        }
        for (String type : amounts.keySet()) {
            if (type.isEmpty()) {
                throw new IllegalArgumentException("resource type must have a name");
            }
        }
        return new Resources(Collections.unmodifiableSortedMap(new TreeMap<>(amounts)));
    }

    /** Returns one amount in base units. */
    public static Resources of(String type, long value) {
        return of(Map.of(type, new Amount(value)));
    }

    /**
     * Parses amounts: {@code Resources.parse("vcore", "500m", "memory", "1Gi")}; {@code cpu} means {@code vcore}.
     *
     * @throws QuantityException if one of them is not a quantity, or both {@code cpu} and {@code vcore} are given
     */
    public static Resources parse(String... typesAndQuantities) {
        if (typesAndQuantities.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "every resource type needs a quantity: " + Arrays.toString(typesAndQuantities));
        }
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (int i = 0; i < typesAndQuantities.length; i += 2) {
            String type = ResourceTypes.canonicalName(typesAndQuantities[i]);
            Amount former = amounts.put(type, Quantity.parse(type, typesAndQuantities[i + 1]));
            if (former != null && type.equals(ResourceTypes.VCORE)) {
                throw new QuantityException("duplicate resource type " + ResourceTypes.VCORE + ": " + ResourceTypes.CPU
                        + " is an alias of it; write only one of them");
            }
        }
        return of(amounts);
    }

    /** Returns the amounts by type, sorted by name; unmodifiable. */
    public SortedMap<String, Amount> amounts() {
        return amounts;
    }

    /** Returns the amount of this type, or zero if it is not named. */
    public Amount amount(String type) {
        return amounts.getOrDefault(type, Amount.ZERO);
    }

    /** Returns the limit of this type, or unlimited if it is not named. */
    public Amount limit(String type) {
        return amounts.getOrDefault(type, Amount.UNLIMITED);
    }

    /** Whether this type is named, even with 0. */
    public boolean names(String type) {
        return amounts.containsKey(type);
    }

    /** Whether no type is named. */
    public boolean isEmpty() {
        return amounts.isEmpty();
    }

    /** Whether every amount is 0, or none is named. */
    public boolean isZero() {
        return amounts.values().stream().allMatch(Amount.ZERO::equals);
    }

    /** Returns the sum per type. */
    public Resources plus(Resources other) {
        SortedMap<String, Amount> sum = new TreeMap<>(amounts);
        other.amounts.forEach((type, amount) -> sum.merge(type, amount, Amount::plus));
        return of(sum);
    }

    /** Returns the product per type; see {@link Amount#times}. */
    public Resources times(long times) {
        if (times == 1) {
            return this;
        }
        SortedMap<String, Amount> product = new TreeMap<>();
        amounts.forEach((type, amount) -> product.put(type, amount.times(times)));
        return of(product);
    }

    /** Whether every amount named here is at most the limit for that type. */
    public boolean isWithin(Resources limits) {
        return amounts.entrySet().stream().allMatch(e -> e.getValue().compareTo(limits.limit(e.getKey())) <= 0);
    }

    @Override
    public boolean equals(Object other) {
        return other == this || (other instanceof Resources that && amounts.equals(that.amounts));
    }

    @Override
    public int hashCode() {
        int known = hash; // a benign race, as in String: all threads compute the same value
        if (known == 0) {
            known = amounts.hashCode();
            hash = known;
        }
        return known;
    }

    /** Returns the formatted amounts, such as {@code memory 1Gi, vcore 500m}. */
    @Override
    public String toString() {
        return amounts.entrySet().stream()
                .map(e -> e.getKey() + " " + Quantity.format(e.getKey(), e.getValue()))
                .collect(Collectors.joining(", "));
    }
}
