package dev.sluice.kubernetes.translation;

import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.SchedulerLimits;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts by resource type that are added up exactly, in the units of Kubernetes. Names are those of Kubernetes, such
 * as {@code cpu}.
 */
final class Amounts {

    /** Kubernetes' name for the maximum number of pods of a node, which are its slots. */
    static final String PODS = "pods";

    private static final BigDecimal THOUSANDTHS = BigDecimal.valueOf(1000);
    private static final BigDecimal MAX = BigDecimal.valueOf(SchedulerLimits.SUM_MAX);

    /** More decimal places, or zeros, than any unit has: sums with far more would take all memory. */
    private static final int SCALE_MAX = 100;

    private final SortedMap<String, BigDecimal> byName = new TreeMap<>();

    /**
     * Returns the amounts of these quantities.
     *
     * @throws IllegalArgumentException if one is not a quantity, or its exponent is out of range; not for objects that
     *     the API server has validated
     */
    static Amounts of(Map<String, Quantity> quantities) {
        Amounts amounts = new Amounts();
        quantities.forEach((name, quantity) -> amounts.byName.put(name, amount(quantity)));
        return amounts;
    }

    private static BigDecimal amount(Quantity quantity) {
        BigDecimal amount = quantity.getNumericalAmount();
        if (Math.abs(amount.scale()) > SCALE_MAX) {
            throw new IllegalArgumentException(quantity + ": the exponent is out of range");
        }
        return amount;
    }

    void add(Amounts others) {
        others.byName.forEach((name, amount) -> byName.merge(name, amount, BigDecimal::add));
    }

    /** Raises each amount to at least that of the others. */
    void raise(Amounts others) {
        others.byName.forEach((name, amount) -> byName.merge(name, amount, BigDecimal::max));
    }

    /** Replaces the amounts that the others have. */
    void replace(Amounts others) {
        byName.putAll(others.byName);
    }

    /**
     * Returns the amounts in base units, rounded up as kube-scheduler does; negative ones are 0, and none exceeds the
     * maximum of the scheduler. {@code cpu} is {@code vcore}, {@code pods} are slots.
     */
    Resources resources() {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        byName.forEach((name, amount) -> {
            String type = name.equals(PODS) ? ResourceTypes.SLOTS : ResourceTypes.canonicalName(name);
            BigDecimal inUnits = type.equals(ResourceTypes.VCORE) ? amount.multiply(THOUSANDTHS) : amount;
            BigDecimal bounded = inUnits.max(BigDecimal.ZERO).min(MAX);
            amounts.put(
                    type, new Amount(bounded.setScale(0, RoundingMode.CEILING).longValueExact()));
        });
        return Resources.of(amounts);
    }
}
