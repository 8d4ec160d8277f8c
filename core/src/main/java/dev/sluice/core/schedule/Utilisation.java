package dev.sluice.core.schedule;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Vectors;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The utilisation of nodes: the weighted mean of allocated ÷ capacity over the weighted resource types that a node has.
 * With 90 % of the cores and 50 % of the memory allocated, it is 0.7 with equal weights and 0.82 with weights 4 : 1.
 * For a node that has none of the weighted types it is the fraction of allocated slots, or 0 if the node does not
 * declare slots.
 *
 * <p>Utilisations are compared exactly. Doubles are only approximate: 2 of 10 cores and 1 of 10 GiB are the same
 * utilisation as 3 of 10 cores and no memory, but not as doubles. So doubles decide only if they differ by more than
 * {@link #ERROR} allows, and fractions decide otherwise. Nodes of the same capacity have the same denominator, which
 * mostly fits in 62 bits: then numerators are compared, or 128-bit products for nodes of different capacities. Larger
 * fractions are compared with {@link BigInteger}.
 */
final class Utilisation implements CapacityTree.Ties {

    /**
     * Two doubles decide if they differ by more than this fraction of the larger one. With n types, of which there are
     * at most 64, a factor of {@link Fraction} results from at most n + 7 successive roundings, and the mean from
     * another n + 2. Each rounding has a relative error of at most 2^-53, and nothing is subtracted, so the error of a
     * double is little more than 137 × 2^-53 &lt; 2^-45, and that of the difference of two less than 2^-44 of the
     * larger one.
     */
    static final double ERROR = 0x1p-43;

    /** An absolute error for numbers so small that they may have lost bits. */
    static final double TINY = 0x1p-1000;

    private static final BigInteger LONG_MAX = BigInteger.ONE.shiftLeft(62);

    private final int sign;
    private final int[] types;
    private final double[] weights;
    private final BigDecimal[] exactWeights;
    private final Fraction[] fractionOf;

    /**
     * Creates the utilisations of these nodes.
     *
     * @param sign 1 if the least utilised node comes first, -1 if the most utilised one does
     */
    Utilisation(Partition partition, Node[] nodes, int sign) {
        this.sign = sign;
        Map<String, Double> configured = partition.configuration().resourceWeights();
        double heaviest =
                configured.values().stream().mapToDouble(weight -> weight).max().orElse(0);
        int known = 0;
        for (Map.Entry<String, Double> weight : configured.entrySet()) {
            known += weighs(weight, partition) ? 1 : 0;
        }
        int[] weighted = new int[known];
        weights = new double[known];
        exactWeights = new BigDecimal[known];
        int next = 0;
        for (Map.Entry<String, Double> weight : configured.entrySet()) {
            if (weighs(weight, partition)) {
                weighted[next] = partition.types().find(weight.getKey());
                weights[next] = weight.getValue() / heaviest;
                exactWeights[next++] = BigDecimal.valueOf(weight.getValue());
            }
        }
        boolean bySlots = false;
        for (Node node : nodes) {
            bySlots |= node.declaresSlots() && !hasAny(node, weighted);
        }
        types = Arrays.copyOf(weighted, bySlots ? known + 1 : known);
        if (bySlots) {
            types[known] = ResourceTypes.SLOTS_INDEX;
        }
        fractionOf = new Fraction[nodes.length];
        Map<List<Long>, Fraction> fractions = new HashMap<>();
        for (int number = 0; number < nodes.length; number++) {
            long[] capacities = capacities(nodes[number]);
            boolean asBefore = number > 0 && Arrays.equals(capacities, fractionOf[number - 1].capacities);
            fractionOf[number] = asBefore
                    ? fractionOf[number - 1]
                    : fractions.computeIfAbsent(listOf(capacities), key -> new Fraction(capacities));
        }
    }

    private static List<Long> listOf(long[] amounts) {
        List<Long> list = new ArrayList<>(amounts.length);
        for (long amount : amounts) {
            list.add(amount);
        }
        return list;
    }

    private static boolean weighs(Map.Entry<String, Double> weight, Partition partition) {
        return weight.getValue() > 0 && partition.types().find(weight.getKey()) >= 0;
    }

    private static boolean hasAny(Node node, int[] weighted) {
        boolean any = false;
        for (int type : weighted) {
            any |= Vectors.at(node.capacityVector(), type) > 0;
        }
        return any;
    }

    /** Returns the node's capacity of each type that counts; 0 for types that do not count. */
    private long[] capacities(Node node) {
        long[] capacities = new long[types.length];
        boolean any = false;
        for (int i = 0; i < weights.length; i++) {
            capacities[i] = Vectors.at(node.capacityVector(), types[i]);
            any |= capacities[i] > 0;
        }
        if (!any && node.declaresSlots()) {
            capacities[weights.length] = Vectors.at(node.capacityVector(), ResourceTypes.SLOTS_INDEX);
        }
        return capacities;
    }

    private double weight(int i) {
        return i < weights.length ? weights[i] : 1; // slots, which count only where no weighted type exists
    }

    private BigDecimal exactWeight(int i) {
        return i < exactWeights.length ? exactWeights[i] : BigDecimal.ONE;
    }

    /** Returns the number of amounts that determine a utilisation. */
    int width() {
        return types.length;
    }

    /** Writes the amounts that determine the utilisation of a node, starting at this index. */
    void writeAmounts(Node node, long[] target, int at) {
        long[] allocated = node.allocated();
        for (int i = 0; i < types.length; i++) {
            target[at + i] = Vectors.at(allocated, types[i]);
        }
    }

    /** Adds other amounts to those of {@link #writeAmounts}. */
    void addAmounts(long[] more, long[] target, int at) {
        for (int i = 0; i < types.length; i++) {
            target[at + i] += Vectors.at(more, types[i]);
        }
    }

    /**
     * Returns the approximate utilisation of a node with these amounts, negated if the most utilised node comes first.
     */
    double key(int number, long[] amounts, int at) {
        double[] factors = fractionOf[number].factors;
        double mean = 0;
        for (int i = 0; i < factors.length; i++) {
            mean += amounts[at + i] * factors[i];
        }
        return sign * mean;
    }

    @Override
    public int compare(
            int number, long[] amounts, int at, int step, int otherNumber, long[] otherAmounts, int otherAt) {
        Fraction one = fractionOf[number];
        Fraction other = fractionOf[otherNumber];
        boolean alike = one == other;
        for (int i = 0; alike && i < types.length; i++) {
            alike = amounts[at + i * step] == otherAmounts[otherAt + i];
        }
        return alike ? 0 : sign * compareFractions(one, amounts, at, step, other, otherAmounts, otherAt);
    }

    private static int compareFractions(
            Fraction one, long[] amounts, int at, int step, Fraction other, long[] otherAmounts, int otherAt) {
        long numerator = one.numerator(amounts, at, step);
        long otherNumerator = other.numerator(otherAmounts, otherAt, 1);
        if (numerator >= 0 && otherNumerator >= 0) {
            return one == other
                    ? Long.compare(numerator, otherNumerator)
                    : compareProducts(numerator, other.denominator, otherNumerator, one.denominator);
        }
        BigInteger product = one.exactNumerator(amounts, at, step).multiply(other.exactDenominator);
        return product.compareTo(other.exactNumerator(otherAmounts, otherAt, 1).multiply(one.exactDenominator));
    }

    /** Compares a × b with c × d; all four must be at least 0. */
    private static int compareProducts(long a, long b, long c, long d) {
        int high = Long.compare(Math.multiplyHigh(a, b), Math.multiplyHigh(c, d));
        return high != 0 ? high : Long.compareUnsigned(a * b, c * d);
    }

    /** Computes utilisations from amounts on nodes of one capacity. */
    private final class Fraction {

        private final long[] capacities;

        /** The contribution of one base unit of each type to the mean. */
        private final double[] factors;

        // the mean is Σ amount × multiplier ÷ denominator; computed on first use
        private boolean computed;
        private BigInteger[] exactMultipliers = {};
        private BigInteger exactDenominator = BigInteger.ONE;
        private long @Nullable [] multipliers;
        private long denominator = 1;

        private Fraction(long[] capacities) {
            this.capacities = capacities;
            this.factors = new double[capacities.length];
            double weightSum = 0;
            for (int i = 0; i < capacities.length; i++) {
                weightSum += capacities[i] > 0 ? weight(i) : 0;
            }
            for (int i = 0; i < capacities.length; i++) {
                factors[i] = capacities[i] > 0 ? weight(i) / weightSum / capacities[i] : 0;
            }
        }

        /** Returns the numerator over {@link #denominator}, or -1 if it does not fit in a long. */
        private long numerator(long[] amounts, int at, int step) {
            computeExact();
            if (multipliers == null) {
                return -1;
            }
            long sum = 0;
            for (int i = 0; i < multipliers.length; i++) {
                long amount = amounts[at + i * step];
                if (capacities[i] > 0) {
                    if (amount > capacities[i]) {
                        return -1; // the node's capacity has shrunk below what is allocated on it
                    }
                    sum += amount * multipliers[i]; // no overflow: each product is at most the denominator
                }
            }
            return sum;
        }

        private BigInteger exactNumerator(long[] amounts, int at, int step) {
            BigInteger sum = BigInteger.ZERO;
            for (int i = 0; i < exactMultipliers.length; i++) {
                sum = sum.add(exactMultipliers[i].multiply(BigInteger.valueOf(amounts[at + i * step])));
            }
            return sum;
        }

        private void computeExact() {
            if (computed) {
                return;
            }
            computed = true;
            int scale = 0;
            for (BigDecimal weight : exactWeights) {
                scale = Math.max(scale, weight.scale());
            }
            BigInteger multiple = BigInteger.ONE;
            BigInteger weightSum = BigInteger.ZERO;
            BigInteger[] exact = new BigInteger[capacities.length];
            for (int i = 0; i < capacities.length; i++) {
                exact[i] = BigInteger.ZERO;
                if (capacities[i] > 0) {
                    BigInteger capacity = BigInteger.valueOf(capacities[i]);
                    multiple = multiple.divide(multiple.gcd(capacity)).multiply(capacity);
                    exact[i] = exactWeight(i).movePointRight(scale).toBigIntegerExact();
                    weightSum = weightSum.add(exact[i]);
                }
            }
            if (weightSum.signum() == 0) {
                Arrays.fill(exact, BigInteger.ZERO); // no type counts: 0 ÷ 1
                weightSum = BigInteger.ONE;
            }
            BigInteger common = weightSum.multiply(multiple);
            BigInteger divisor = common;
            for (int i = 0; i < exact.length; i++) {
                exact[i] = capacities[i] == 0
                        ? BigInteger.ZERO
                        : exact[i].multiply(multiple).divide(BigInteger.valueOf(capacities[i]));
                divisor = divisor.gcd(exact[i]);
            }
            long[] fitting = new long[exact.length];
            for (int i = 0; i < exact.length; i++) {
                exact[i] = exact[i].divide(divisor);
                fitting[i] = exact[i].longValue();
            }
            exactMultipliers = exact;
            exactDenominator = common.divide(divisor);
            if (exactDenominator.compareTo(LONG_MAX) <= 0) {
                multipliers = fitting; // no multiplier exceeds the denominator
                denominator = exactDenominator.longValueExact();
            }
        }
    }
}
