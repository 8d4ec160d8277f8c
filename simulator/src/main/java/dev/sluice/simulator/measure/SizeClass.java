package dev.sluice.simulator.measure;

import dev.sluice.core.resource.ResourceTypes;

/**
 * Size classes of tasks, which double: class 0 requests nothing, class 1 less than a unit, class n at least 2ⁿ⁻² units
 * and less than 2ⁿ⁻¹. A unit is a core, a gibibyte, or one of any other resource; other resources have no class 1.
 */
final class SizeClass {

    private SizeClass() {}

    static int of(String resource, long amount) {
        if (amount == 0) {
            return 0;
        }
        return 1 + Long.SIZE - Long.numberOfLeadingZeros(amount / unit(resource));
    }

    /** Returns the smallest amount in a class, in base units. */
    static long from(String resource, int sizeClass) {
        return sizeClass < 2 ? sizeClass : unit(resource) << (sizeClass - 2);
    }

    /** Returns the largest amount in a class, in base units. */
    static long to(String resource, int sizeClass) {
        return sizeClass == 0 ? 0 : (unit(resource) << (sizeClass - 1)) - 1;
    }

    private static long unit(String resource) {
        return switch (resource) {
            case ResourceTypes.VCORE -> 1000;
            case ResourceTypes.MEMORY -> 1L << 30;
            default -> 1;
        };
    }
}
