package dev.sluice.server.usage;

import dev.sluice.core.resource.ResourceTypes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Hours of runs, and amounts times hours.
 *
 * @param runs the hours that runs were allocated
 * @param resources by resource type: core-hours for vcore, base units times hours for other types
 */
public record ResourceHours(double runs, Map<String, Double> resources) {

    private static final BigDecimal NANOS_PER_HOUR = BigDecimal.valueOf(3_600_000_000_000L);
    private static final BigDecimal CORE = BigDecimal.valueOf(1000);

    /** Returns what a group used. */
    public static ResourceHours of(UsageTally.Group group) {
        Map<String, Double> resources = new TreeMap<>();
        group.amounts().forEach((type, amount) -> resources.put(type, hours(amount, type)));
        return new ResourceHours(hours(group.runNanos(), ""), resources);
    }

    /** Returns the processor time in hours that measured runs of a group used. */
    public static double cpu(UsageTally.Group group) {
        return hours(group.cpuNanos(), "");
    }

    /** Returns the part of their allocated cores that measured runs of a group used; null without any. */
    public static @Nullable Double efficiency(UsageTally.Group group) {
        double allocated = hours(group.measuredAmount(), ResourceTypes.VCORE);
        return allocated == 0 ? null : Double.valueOf(cpu(group) / allocated);
    }

    private static double hours(BigInteger amountNanos, String type) {
        BigDecimal hours = new BigDecimal(amountNanos).divide(NANOS_PER_HOUR, MathContext.DECIMAL128);
        return (type.equals(ResourceTypes.VCORE) ? hours.divide(CORE, MathContext.DECIMAL128) : hours).doubleValue();
    }
}
