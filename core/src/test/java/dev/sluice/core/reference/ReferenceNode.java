package dev.sluice.core.reference;

import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.application.Topology;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One node and the tasks on it. */
final class ReferenceNode {

    final String name;

    /** Whether it accepts tasks. */
    final boolean ready;

    final List<ReferenceAllocation> standing = new ArrayList<>();
    private final SortedMap<String, Long> capacity;
    final int index;
    final SortedMap<String, String> labels;
    final List<Taint> taints;
    private final ReferenceNeighbours neighbours;
    private final SortedMap<String, Long> allocated = new TreeMap<>();

    ReferenceNode(Node node, boolean ready, ReferenceNeighbours neighbours) {
        this.neighbours = neighbours;
        name = node.name();
        this.ready = ready;
        capacity = ReferenceAmounts.of(node.capacity());
        index = node.index();
        labels = node.labels();
        taints = node.taints();
    }

    /** Whether a node accepts tasks after everything due at this time. */
    static boolean takesTasks(Node node, Instant now) {
        return !node.isOffline() && (node.health() == NodeHealth.READY || isQuarantineOver(node, now));
    }

    /** Whether a flaky node's timeout has expired at this time. */
    static boolean isQuarantineOver(Node node, Instant now) {
        return node.health() == NodeHealth.FLAKY && !quarantineUntil(node).isAfter(now);
    }

    /** The time at which a flaky node's timeout expires. */
    static Instant quarantineUntil(Node node) {
        return Objects.requireNonNull(node.flakySince()).plus(Duration.ofMinutes(15));
    }

    /** Whether a lost node's timeout has expired at this time, so that it is removed. */
    static boolean isRemovalDue(Node node, Instant now) {
        return node.health() == NodeHealth.LOST && !removalDueAt(node).isAfter(now);
    }

    /** The time at which a lost node is removed. */
    static Instant removalDueAt(Node node) {
        return node.healthSince().plus(Duration.ofMinutes(1));
    }

    boolean declaresSlots() {
        return capacity.containsKey(ResourceTypes.SLOTS);
    }

    long workers() {
        return declaresSlots()
                ? capacity.getOrDefault(ResourceTypes.SLOTS, 0L)
                : Math.max(1, capacity.getOrDefault(ResourceTypes.VCORE, 0L) / 1000);
    }

    SortedMap<String, Long> capacityWithoutSlots() {
        SortedMap<String, Long> amounts = new TreeMap<>(capacity);
        amounts.remove(ResourceTypes.SLOTS);
        return amounts;
    }

    /** A number as an exact fraction. */
    record Fraction(BigInteger numerator, BigInteger denominator) {
        static final Comparator<Fraction> ORDER =
                (a, b) -> a.numerator.multiply(b.denominator).compareTo(b.numerator.multiply(a.denominator));

        Fraction plus(BigDecimal weight, long part, long whole) {
            BigDecimal scaled = weight.movePointRight(400); // no weight has more decimals
            BigInteger added = scaled.toBigIntegerExact().multiply(BigInteger.valueOf(part));
            return new Fraction(
                    numerator.multiply(BigInteger.valueOf(whole)).add(added.multiply(denominator)),
                    denominator.multiply(BigInteger.valueOf(whole)));
        }

        Fraction dividedBy(BigDecimal weights) {
            return new Fraction(
                    numerator, denominator.multiply(weights.movePointRight(400).toBigIntegerExact()));
        }
    }

    /**
     * Returns the weighted mean of allocated ÷ capacity over the node's weighted types; of its slots if it has none; 0
     * without slots.
     */
    Fraction utilisation(SortedMap<String, Double> weights) {
        Fraction sum = new Fraction(BigInteger.ZERO, BigInteger.ONE);
        BigDecimal weightSum = BigDecimal.ZERO;
        for (Map.Entry<String, Double> weight : weights.entrySet()) {
            long has = capacity.getOrDefault(weight.getKey(), 0L);
            if (has > 0 && weight.getValue() > 0) {
                BigDecimal exact = BigDecimal.valueOf(weight.getValue());
                sum = sum.plus(exact, allocated.getOrDefault(weight.getKey(), 0L), has);
                weightSum = weightSum.add(exact);
            }
        }
        long slots = capacity.getOrDefault(ResourceTypes.SLOTS, 0L);
        if (weightSum.signum() == 0 && slots > 0) {
            weightSum = BigDecimal.ONE;
            sum = sum.plus(BigDecimal.ONE, allocated.getOrDefault(ResourceTypes.SLOTS, 0L), slots);
        }
        return weightSum.signum() == 0 ? sum : sum.dividedBy(weightSum);
    }

    boolean takes(ReferenceTask task) {
        return mayRun(task) && fitsBeside(allocated, task.demand) && neighbours.permit(task, this);
    }

    boolean mayRun(ReferenceTask task) {
        if (task.spec.requiredNode() != null && !task.spec.requiredNode().equals(name)) {
            return false;
        }
        return ReferenceConstraints.permit(task.spec.constraints(), name, labels, taints);
    }

    /** Returns the reserved tasks of a node that may not start there once it has these labels and taints. */
    static List<String> excluded(Node node, Map<String, String> labels, List<Taint> taints) {
        return node.reserved().stream()
                .filter(task -> !ReferenceConstraints.permit(task.kind().constraints(), node.name(), labels, taints))
                .map(String::valueOf)
                .toList();
    }

    /** Orders nodes by preference of this task, the best first: (taints to avoid, weights, excess of skew). */
    static Comparator<ReferenceNode> byRank(ReferenceTask task) {
        return Comparator.comparing((ReferenceNode node) -> node.rank(task).get(0))
                .thenComparing(node -> node.rank(task).get(1) - node.neighbours.weights(task, node))
                .thenComparing(node -> node.neighbours.excess(task, node));
    }

    private List<Long> rank(ReferenceTask task) {
        return ReferenceConstraints.rank(task.spec.constraints(), name, labels, taints);
    }

    /** Returns the tasks that must leave because of its taints and are not ending yet, by when they must. */
    SortedMap<Instant, List<ReferenceAllocation>> leaving() {
        SortedMap<Instant, List<ReferenceAllocation>> leaving = new TreeMap<>();
        for (ReferenceAllocation task : ReferenceAllocation.inOrderOfPlacement(standing)) {
            if (task.state != TaskState.STOPPING && !task.isPreempting()) {
                ReferenceConstraints.leavesAt(task.spec.constraints(), taints)
                        .ifPresent(at -> leaving.computeIfAbsent(at, key -> new ArrayList<>())
                                .add(task));
            }
        }
        return leaving;
    }

    /** Whether it fits this task without these other tasks. */
    boolean takesWithout(List<ReferenceAllocation> victims, ReferenceTask task) {
        SortedMap<String, Long> taken = new TreeMap<>(allocated);
        victims.forEach(victim -> ReferenceAmounts.subtract(taken, victim.demand));
        return mayRun(task)
                && fitsBeside(taken, task.demand)
                && neighbours.permit(task, this)
                && victims.stream().noneMatch(victim -> ReferenceNeighbours.needs(task, victim));
    }

    /** Whether it would fit the task if it were empty. */
    boolean couldTake(ReferenceTask task) {
        return mayRun(task) && fitsBeside(new TreeMap<>(), task.demand);
    }

    /** Whether it would fit the task if it were empty, and other tasks permit it as they are now. */
    boolean mayHold(ReferenceTask task) {
        return couldTake(task) && neighbours.permit(task, this);
    }

    boolean fitsBeside(SortedMap<String, Long> taken, SortedMap<String, Long> demands) {
        return demands.entrySet().stream()
                .allMatch(demand -> demand.getValue() == 0
                        || (demand.getKey().equals(ResourceTypes.SLOTS) && !declaresSlots())
                        || demand.getValue() + taken.getOrDefault(demand.getKey(), 0L)
                                <= capacity.getOrDefault(demand.getKey(), 0L));
    }

    long capacity(String type) {
        return capacity.getOrDefault(type, 0L);
    }

    /** Returns the free amount of this type. */
    long free(String type) {
        return Math.max(0, capacity.getOrDefault(type, 0L) - allocated.getOrDefault(type, 0L));
    }

    /** Returns the number of idle workers. */
    long idleWorkers() {
        long holding = standing.stream().filter(task -> !task.isPreempting()).count();
        return Math.max(0, workers() - holding);
    }

    /**
     * Whether preempting tasks take the capacity that an allocated or new task needs: all tasks count except reserved
     * ones.
     */
    boolean mustReserve(SortedMap<String, Long> demand) {
        SortedMap<String, Long> taken = new TreeMap<>();
        standing.stream().filter(task -> !task.isReserved()).forEach(task -> ReferenceAmounts.add(taken, task.demand));
        return standing.stream().anyMatch(ReferenceAllocation::isPreempting) && !fitsBeside(taken, demand);
    }

    /** Its domain on the level of the last of these keys, or null if it is in none. */
    @Nullable List<String> domain(List<String> levels) {
        List<String> domain = levels.stream()
                .map(key -> Topology.domain(key, name, labels))
                .map(value -> value == null ? "" : value)
                .toList();
        return Topology.domain(levels.get(levels.size() - 1), name, labels) == null ? null : domain;
    }

    /** Takes this demand from its free capacity, or gives it back for -1. */
    void take(SortedMap<String, Long> demand, int sign) {
        if (sign > 0) {
            ReferenceAmounts.add(allocated, demand);
        } else {
            ReferenceAmounts.subtract(allocated, demand);
        }
    }

    void add(ReferenceAllocation task) {
        standing.add(task);
        if (!task.isPreempting()) {
            ReferenceAmounts.add(allocated, task.demand);
        }
    }

    /** Marks a task as preempting; it stays until it has ended. */
    void markPreempting(ReferenceAllocation task) {
        task.state = TaskState.PREEMPTING;
        ReferenceAmounts.subtract(allocated, task.demand);
    }
}
