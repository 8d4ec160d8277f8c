package dev.sluice.simulator.measure;

import dev.sluice.core.resource.ResourceTypes;

/**
 * Sizes that double from class to class: class 0 asks for nothing, class n for at least 2ⁿ⁻¹ units and less than 2ⁿ. A unit is a core, a
 * gibibyte, or one of anything else; less than one is class 1 too.
 */
final class SizeClass {

    private SizeClass() {}

    static int of(String resource, long amount) {
        if (amount == 0) {
            return 0;
        }
        long units = Math.max(1, amount / unit(resource));
        return 64 - Long.numberOfLeadingZeros(units);
    }

    /** The smallest amount in a class, in base units. */
    static long from(String resource, int sizeClass) {
        return sizeClass == 0 ? 0 : sizeClass == 1 ? 1 : unit(resource) << (sizeClass - 1);
    }

    /** The largest amount in a class, in base units. */
    static long to(String resource, int sizeClass) {
        return sizeClass == 0 ? 0 : (unit(resource) << sizeClass) - 1;
    }

    private static long unit(String resource) {
        return switch (resource) {
            case ResourceTypes.VCORE -> 1000;
            case ResourceTypes.MEMORY -> 1L << 30;
            default -> 1;
        };
    }
}
