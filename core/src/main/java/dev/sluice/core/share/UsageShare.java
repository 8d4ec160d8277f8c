package dev.sluice.core.share;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The share policy {@code usage}: fairness over time, based on Armada's algorithm.
 *
 * <p>A child's fraction is proportional to the inverse of its effective priority, which is its decayed usage times its
 * factor. At the start of a cycle {@link UsageDivision} divides the free capacity into slices. In the first phase each
 * child, lowest effective priority first, starts the tasks that fit in the rest of its slice. In the second phase
 * children are drawn at random, with probability proportional to the rest of their slices; a drawn child starts one
 * task, which may exceed that rest. A child that can start nothing leaves the draw, and once another one has started a
 * task, the free capacity is sliced again: several children that leave in a row leave together, so a full cluster does
 * not slice once for each of them. When all slices are used up, children are drawn by their fractions, so no capacity
 * stays idle that any child can use.
 *
 * <p>Beginning a cycle and slicing are linear in the number of children; a draw takes log n steps.
 */
public final class UsageShare implements SharePolicy {

    private static final Comparator<ChildState> BY_PRIORITY = Comparator.comparingDouble(
                    (ChildState childState) -> childState.effectivePriority)
            .thenComparing(childState -> childState.queue.path());

    /** The relative tolerance for rounding errors of doubles. */
    private static final double ROUNDING = 1e-12;

    private enum Phase {
        /** Children are served one after the other, each up to its slice. */
        SLICES,
        /** Children are drawn at random, weighted by the rest of their slices. */
        DRAWS
    }

    private final Queue parent;
    private final Partition partition;
    private final UsageProperties properties;
    private final boolean belowLoad;
    private final ChildState[] childStates;
    private final Map<Queue, ChildState> childStateOf = new HashMap<>();
    private final double[] effectivePriorities;
    private final double[] usages;
    private final double[] weights;
    private final boolean[] eligible;
    private final WeightedSampler sampler;
    private final RandomDraws draws;
    private int eligibleCount;
    private int overBudget;
    private Phase phase = Phase.SLICES;
    private List<ChildState> turns = List.of();
    private int turn;
    private long[] free = {};
    private boolean anyJoined;
    private boolean anyLeft;
    private boolean anyStarted;
    private boolean slicesExhausted;
    private @Nullable UsageDue dueAtBegin;
    private @Nullable ChildState drawn;
    private long startsLeft;
    private long[] budget = UNBOUNDED;
    private long[] rest = {};
    private double[] left = {};

    /** The state of a child in this cycle. */
    private static final class ChildState {
        private final Queue queue;
        private final int position;
        private @Nullable Child child;
        private boolean overBudget;
        private double effectivePriority;
        private boolean participates;
        private double fraction;
        private double[] slice = {};
        private long[] taken = {};
        private double usageAtBegin;
        private double fractionAtBegin;
        private long @Nullable [] sliceAtBegin;

        private ChildState(Queue queue, int position) {
            this.queue = queue;
            this.position = position;
        }
    }

    /** Creates the policy of this parent, whose children are reported by {@link #update}. */
    public UsageShare(Queue parent, Partition partition) {
        this.parent = parent;
        this.partition = partition;
        this.properties = parent.configuration().properties().usage();
        this.belowLoad = isBelowLoad(parent);
        List<Queue> children = parent.children();
        this.childStates = new ChildState[children.size()];
        for (int i = 0; i < childStates.length; i++) {
            childStates[i] = new ChildState(children.get(i), i);
            childStateOf.put(children.get(i), childStates[i]);
        }
        this.effectivePriorities = new double[childStates.length];
        this.usages = new double[childStates.length];
        this.weights = new double[childStates.length];
        this.eligible = new boolean[childStates.length];
        this.sampler = new WeightedSampler(childStates.length);
        this.draws = new RandomDraws(partition.name(), parent.path());
    }

    private static boolean isBelowLoad(Queue queue) {
        boolean below = false;
        for (Queue above = queue.parent(); above != null; above = above.parent()) {
            below |= above.sharePolicy() == SharePolicyKind.LOAD;
        }
        return below;
    }

    @Override
    public boolean hasBudgetsBelowDemand() {
        return true;
    }

    @Override
    public void begin(CycleStart start, long[] allowance) {
        free = Vectors.smaller(start.free(), allowance);
        for (ChildState childState : childStates) {
            double usagePriority = partition.usage().priority(childState.queue, start.now());
            childState.effectivePriority = UsageDivision.effectivePriority(usagePriority, factor(childState.queue));
            effectivePriorities[childState.position] = childState.effectivePriority;
        }
        slice();
        dueAtBegin = new UsageDue(parent, free, eligibleQueues());
        turns = new ArrayList<>();
        for (ChildState childState : childStates) {
            childState.usageAtBegin = usages[childState.position];
            childState.fractionAtBegin = childState.fraction;
            childState.sliceAtBegin = wholeSlice(childState);
            if (eligible[childState.position]) {
                turns.add(childState);
            }
        }
        turns.sort(BY_PRIORITY);
        turn = 0;
        drawn = null;
        startsLeft = properties.drawsMax();
        draws.begin(partition.seed());
        phase = Phase.SLICES;
    }

    private List<Queue> eligibleQueues() {
        List<Queue> queues = new ArrayList<>();
        for (ChildState childState : childStates) {
            if (eligible[childState.position]) {
                queues.add(childState.queue);
            }
        }
        return queues;
    }

    private static double factor(Queue queue) {
        return queue.configuration().properties().usage().factor();
    }

    /** Divides the free capacity among the eligible children. */
    private void slice() {
        for (ChildState childState : childStates) {
            usages[childState.position] = partition.usage().of(childState.queue.allocated());
        }
        UsageDivision division = new UsageDivision(partition.usage().of(free), effectivePriorities, usages, eligible);
        for (ChildState childState : childStates) {
            childState.participates = eligible[childState.position];
            childState.fraction = division.fraction(childState.position);
            if (childState.slice.length != free.length) {
                childState.slice = new double[free.length];
                childState.taken = new long[free.length];
            }
            for (int type = 0; type < free.length; type++) {
                childState.slice[type] = free[type] * division.part(childState.position);
                childState.taken[type] = 0;
            }
        }
        anyJoined = false;
        anyLeft = false;
        anyStarted = false;
    }

    /** Rounds a slice down to whole units, except for rounding errors: a third of 9 cores is 3 cores. */
    private static long whole(double amount) {
        return (long) (amount * (1 + ROUNDING));
    }

    private static long[] wholeSlice(ChildState childState) {
        long[] slice = new long[childState.slice.length];
        for (int type = 0; type < slice.length; type++) {
            slice[type] = whole(childState.slice[type]);
        }
        return slice;
    }

    /** Returns the rest of a slice, in cores, including fractions of units. */
    private double left(ChildState childState) {
        left = left.length == childState.slice.length ? left : new double[childState.slice.length];
        for (int type = 0; type < left.length; type++) {
            double amount = childState.slice[type] - childState.taken[type];
            left[type] = amount > childState.slice[type] * ROUNDING ? amount : 0;
        }
        return partition.usage().of(left);
    }

    @Override
    public long[] allowance(Queue child) {
        ChildState childState = childStateOf.get(child);
        return childState == null || childState.sliceAtBegin == null ? UNBOUNDED : childState.sliceAtBegin;
    }

    @Override
    public void update(Child child) {
        ChildState childState = childStates[child.position()];
        childState.child = child;
        if (child.isEligible() != eligible[childState.position]) {
            eligible[childState.position] = child.isEligible();
            if (child.isEligible()) {
                eligibleCount++;
                anyJoined = true;
            } else {
                eligibleCount--;
                anyLeft = true;
                sampler.set(childState.position, 0);
            }
        }
        if (child.isOverBudget() != childState.overBudget) {
            childState.overBudget = child.isOverBudget();
            overBudget += child.isOverBudget() ? 1 : -1;
        }
    }

    @Override
    public @Nullable Child next() {
        if (phase == Phase.SLICES) {
            ChildState childState = properties.probabilisticAll() ? null : nextBySlice();
            if (childState != null) {
                budget = budgetOf(childState);
                return childState.child;
            }
            beginDraws();
        }
        budget = UNBOUNDED;
        if (drawn == null || !eligible[drawn.position]) {
            drawn = eligibleCount > 0 && startsLeft > 0 ? draw() : null;
        }
        return drawn == null ? null : drawn.child;
    }

    private @Nullable ChildState nextBySlice() {
        while (turn < turns.size() && !eligible[turns.get(turn).position]) {
            turn++;
        }
        return turn < turns.size() ? turns.get(turn) : null;
    }

    /** Whether slices include slots: nodes declare them, or a queue above divides workers by load. */
    private boolean countsSlots() {
        return belowLoad || partition.countsSlots();
    }

    /** Returns the rest of the slice, in whole units. */
    private long[] budgetOf(ChildState childState) {
        rest = rest.length == childState.slice.length ? rest : new long[childState.slice.length];
        for (int type = 0; type < rest.length; type++) {
            rest[type] = Math.max(0, whole(childState.slice[type]) - childState.taken[type]);
        }
        if (!countsSlots()) {
            rest[ResourceTypes.SLOTS_INDEX] = Long.MAX_VALUE;
        }
        return rest;
    }

    /**
     * Makes tasks eligible again that were deferred because they exceeded the rest of a slice. Children without
     * eligible tasks leave the draw.
     */
    private void beginDraws() {
        phase = Phase.DRAWS;
        for (ChildState childState : childStates) {
            if (childState.overBudget && childState.child != null) {
                childState.child.requeue();
            }
        }
        anyJoined = false;
        for (ChildState childState : childStates) {
            anyJoined |= eligible[childState.position] != childState.participates;
        }
        updateWeights();
    }

    private ChildState draw() {
        if (anyJoined || (anyLeft && anyStarted) || sampler.total() == 0) {
            slice();
            updateWeights();
        }
        return childStates[sampler.draw(draws.next(partition.placements()))];
    }

    /**
     * Sets the weight of every eligible child to the rest of its slice, or to its fraction if all slices are used up.
     */
    private void updateWeights() {
        slicesExhausted = true;
        for (ChildState childState : childStates) {
            weights[childState.position] = eligible[childState.position] ? left(childState) : 0;
            slicesExhausted &= weights[childState.position] == 0;
        }
        if (slicesExhausted) {
            for (ChildState childState : childStates) {
                weights[childState.position] = eligible[childState.position] ? childState.fraction : 0;
            }
        }
        sampler.setAll(weights);
    }

    /** Updates the weight of a child that has started a task. */
    private void updateWeight(ChildState childState) {
        if (!slicesExhausted) {
            sampler.set(childState.position, eligible[childState.position] ? left(childState) : 0);
            if (sampler.total() == 0) {
                updateWeights();
            }
        }
    }

    @Override
    public long[] budget() {
        return budget;
    }

    /** Moves on to the next child: nothing below this one fits in the rest of its slice. */
    @Override
    public void exhausted(Child child) {
        anyLeft = true;
        turn++;
    }

    @Override
    public void placed(Child child, long[] demand) {
        ChildState childState = childStates[child.position()];
        for (int type = 0; type < Math.min(free.length, demand.length); type++) {
            childState.taken[type] += demand[type];
            free[type] = Math.max(0, free[type] - demand[type]);
        }
        drawn = null;
        anyStarted = true;
        if (phase == Phase.DRAWS) {
            startsLeft--;
            updateWeight(childState);
        }
    }

    @Override
    public void freed(Child child, long[] demand) {
        ChildState childState = childStates[child.position()];
        for (int type = 0; type < Math.min(free.length, demand.length); type++) {
            childState.slice[type] += demand[type];
            free[type] += demand[type];
        }
    }

    @Override
    public boolean hasNext() {
        return eligibleCount > 0 || overBudget > 0;
    }

    @Override
    public @Nullable ShareFigures figuresOf(Queue child, Instant now) {
        ChildState childState = childStateOf.get(child);
        UsageDue due = dueAtBegin;
        if (childState == null || childState.sliceAtBegin == null || due == null) {
            return null;
        }
        long[] slice = childState.sliceAtBegin;
        double usagePriority = partition.usage().priority(child, now);
        return new UsageFigures(
                childState.usageAtBegin,
                usagePriority,
                factor(child),
                UsageDivision.effectivePriority(usagePriority, factor(child)),
                childState.fractionAtBegin,
                partition.amounts(type -> due.of(child, childState.fractionAtBegin, type)),
                partition.amounts(type -> Vectors.at(slice, type)));
    }
}
