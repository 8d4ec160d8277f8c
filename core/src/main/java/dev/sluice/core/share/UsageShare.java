package dev.sluice.core.share;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The share policy {@code usage}: fairness over time (Armada's algorithm, with its faults mended).
 *
 * <p>What a child is due goes by the inverse of its effective priority, which is its decayed usage times its factor. When a cycle
 * begins, {@link UsageDivision} cuts what is free into slices. First every child in turn, the lowest effective priority first,
 * starts what fits in the rest of its slice. Then lots are drawn: a child is drawn with a probability in proportion to what is left of
 * its slice and starts one task, which may be more than is left. A child that can start nothing leaves the draw, and once one of the
 * others has started a task, what is still free is sliced anew: several that leave in a row leave together, so a full cluster does
 * not slice once for each of them. With every slice used up children are drawn by their fractions, so nothing stays idle that
 * somebody may use.
 *
 * <p>Beginning a cycle and slicing anew touch every child once; a draw takes log n steps.
 */
public final class UsageShare implements SharePolicy {

    private static final Comparator<Seat> BY_PRIORITY =
            Comparator.comparingDouble((Seat seat) -> seat.effectivePriority).thenComparing(seat -> seat.queue.path());

    /** A part of an amount that is nothing but what doubles make of it. */
    private static final double ROUNDING = 1e-12;

    private enum Phase {
        /** Children take turns, each up to its slice. */
        SLICES,
        /** Children are drawn, by what is left of their slices. */
        LOTS
    }

    private final Partition partition;
    private final UsageProperties properties;
    private final boolean belowLoad;
    private final Seat[] seats;
    private final Map<Queue, Seat> seatOf = new HashMap<>();
    private final double[] effectivePriorities;
    private final double[] usages;
    private final double[] weights;
    private final boolean[] inPlay;
    private final Lottery lottery;
    private final Lots lots;
    private int playing;
    private int overBudget;
    private Phase phase = Phase.SLICES;
    private List<Seat> turns = List.of();
    private int turn;
    private long[] free = {};
    private boolean someCame;
    private boolean someLeft;
    private boolean someStarted;
    private boolean slicesUsedUp;
    private @Nullable Seat drawn;
    private long startsLeft;
    private long[] budget = UNBOUNDED;
    private long[] rest = {};
    private double[] left = {};

    /** A child and its part in this cycle. */
    private static final class Seat {
        private final Queue queue;
        private final int position;
        private @Nullable Child child;
        private boolean overBudget;
        private double usagePriority;
        private double effectivePriority;
        private boolean takesPart;
        private double fraction;
        private double[] slice = {};
        private long[] taken = {};
        private double usageAtBegin;
        private double fractionAtBegin;
        private long @Nullable [] sliceAtBegin;

        private Seat(Queue queue, int position) {
            this.queue = queue;
            this.position = position;
        }
    }

    /** The policy of this parent, whose children are reported by {@link #update}. */
    public UsageShare(Queue parent, Partition partition) {
        this.partition = partition;
        this.properties = parent.configuration().properties().usage();
        this.belowLoad = isBelowLoad(parent);
        List<Queue> children = parent.children();
        this.seats = new Seat[children.size()];
        for (int i = 0; i < seats.length; i++) {
            seats[i] = new Seat(children.get(i), i);
            seatOf.put(children.get(i), seats[i]);
        }
        this.effectivePriorities = new double[seats.length];
        this.usages = new double[seats.length];
        this.weights = new double[seats.length];
        this.inPlay = new boolean[seats.length];
        this.lottery = new Lottery(seats.length);
        this.lots = new Lots(partition.name(), parent.path());
    }

    private static boolean isBelowLoad(Queue queue) {
        boolean below = false;
        for (Queue above = queue.parent(); above != null; above = above.parent()) {
            below |= above.sharePolicy() == SharePolicyKind.LOAD;
        }
        return below;
    }

    @Override
    public void begin(CycleStart start, long[] allowance) {
        free = Vectors.smaller(start.free(), allowance);
        for (Seat seat : seats) {
            double factor = seat.queue.configuration().properties().usage().factor();
            seat.usagePriority = partition.usage().priority(seat.queue, start.now());
            seat.effectivePriority = UsageDivision.effectivePriority(seat.usagePriority, factor);
            effectivePriorities[seat.position] = seat.effectivePriority;
        }
        slice();
        turns = new ArrayList<>();
        for (Seat seat : seats) {
            seat.usageAtBegin = usages[seat.position];
            seat.fractionAtBegin = seat.fraction;
            seat.sliceAtBegin = wholeSlice(seat);
            if (inPlay[seat.position]) {
                turns.add(seat);
            }
        }
        turns.sort(BY_PRIORITY);
        turn = 0;
        drawn = null;
        startsLeft = properties.drawsMax();
        lots.begin(partition.seed());
        phase = Phase.SLICES;
    }

    /** Slices what is free for those that are in play. */
    private void slice() {
        for (Seat seat : seats) {
            usages[seat.position] = partition.usage().of(seat.queue.allocated());
        }
        UsageDivision division = new UsageDivision(partition.usage().of(free), effectivePriorities, usages, inPlay);
        for (Seat seat : seats) {
            seat.takesPart = inPlay[seat.position];
            seat.fraction = division.fraction(seat.position);
            if (seat.slice.length != free.length) {
                seat.slice = new double[free.length];
                seat.taken = new long[free.length];
            }
            for (int type = 0; type < free.length; type++) {
                seat.slice[type] = free[type] * division.part(seat.position);
                seat.taken[type] = 0;
            }
        }
        someCame = false;
        someLeft = false;
        someStarted = false;
    }

    /** As many whole units as a slice has: a third of 9 cores is 3 cores, whatever a double makes of it. */
    private static long whole(double amount) {
        return (long) (amount * (1 + ROUNDING));
    }

    private static long[] wholeSlice(Seat seat) {
        long[] slice = new long[seat.slice.length];
        for (int type = 0; type < slice.length; type++) {
            slice[type] = whole(seat.slice[type]);
        }
        return slice;
    }

    /** What is left of a slice, in cores; parts of units count. */
    private double left(Seat seat) {
        left = left.length == seat.slice.length ? left : new double[seat.slice.length];
        for (int type = 0; type < left.length; type++) {
            double amount = seat.slice[type] - seat.taken[type];
            left[type] = amount > seat.slice[type] * ROUNDING ? amount : 0;
        }
        return partition.usage().of(left);
    }

    @Override
    public long[] allowance(Queue child) {
        Seat seat = seatOf.get(child);
        return seat == null || seat.sliceAtBegin == null ? UNBOUNDED : seat.sliceAtBegin;
    }

    @Override
    public void update(Child child) {
        Seat seat = seats[child.position()];
        seat.child = child;
        if (child.isInPlay() != inPlay[seat.position]) {
            inPlay[seat.position] = child.isInPlay();
            if (child.isInPlay()) {
                playing++;
                someCame = true;
            } else {
                playing--;
                someLeft = true;
                lottery.set(seat.position, 0);
            }
        }
        if (child.isOverBudget() != seat.overBudget) {
            seat.overBudget = child.isOverBudget();
            overBudget += child.isOverBudget() ? 1 : -1;
        }
    }

    @Override
    public @Nullable Child next() {
        if (phase == Phase.SLICES) {
            Seat seat = properties.probabilisticAll() ? null : nextInTurn();
            if (seat != null) {
                budget = budgetOf(seat);
                return seat.child;
            }
            beginLots();
        }
        budget = UNBOUNDED;
        if (drawn == null || !inPlay[drawn.position]) {
            drawn = playing > 0 && startsLeft > 0 ? draw() : null;
        }
        return drawn == null ? null : drawn.child;
    }

    private @Nullable Seat nextInTurn() {
        while (turn < turns.size() && !inPlay[turns.get(turn).position]) {
            turn++;
        }
        return turn < turns.size() ? turns.get(turn) : null;
    }

    /** Whether slots are part of a slice: where nodes count them, or a queue above has a number of workers by its load. */
    private boolean countsSlots() {
        return belowLoad || partition.countsSlots();
    }

    /** What is left of the slice. */
    private long[] budgetOf(Seat seat) {
        rest = rest.length == seat.slice.length ? rest : new long[seat.slice.length];
        for (int type = 0; type < rest.length; type++) {
            rest[type] = Math.max(0, whole(seat.slice[type]) - seat.taken[type]);
        }
        if (!countsSlots()) {
            rest[ResourceTypes.SLOTS_INDEX] = Long.MAX_VALUE;
        }
        return rest;
    }

    /** What was passed over because it exceeded the rest of a slice may start now. Who took his turn and has nothing left leaves the draw. */
    private void beginLots() {
        phase = Phase.LOTS;
        for (Seat seat : seats) {
            if (seat.overBudget && seat.child != null) {
                seat.child.offerAgain();
            }
        }
        someCame = false;
        for (Seat seat : seats) {
            someCame |= inPlay[seat.position] != seat.takesPart;
        }
        weigh();
    }

    private Seat draw() {
        if (someCame || (someLeft && someStarted) || lottery.total() == 0) {
            slice();
            weigh();
        }
        return seats[lottery.draw(lots.next(partition.placements()))];
    }

    /** Gives everybody in play the weight of what is left of his slice, or of his fraction when every slice is used up. */
    private void weigh() {
        slicesUsedUp = true;
        for (Seat seat : seats) {
            weights[seat.position] = inPlay[seat.position] ? left(seat) : 0;
            slicesUsedUp &= weights[seat.position] == 0;
        }
        if (slicesUsedUp) {
            for (Seat seat : seats) {
                weights[seat.position] = inPlay[seat.position] ? seat.fraction : 0;
            }
        }
        lottery.setAll(weights);
    }

    /** Gives one that has started a task the weight of what it has left now. */
    private void weighAgain(Seat seat) {
        if (!slicesUsedUp) {
            lottery.set(seat.position, inPlay[seat.position] ? left(seat) : 0);
            if (lottery.total() == 0) {
                weigh();
            }
        }
    }

    @Override
    public long[] budget() {
        return budget;
    }

    /** The turn of a child is over when nothing below it fits in what is left of its slice. */
    @Override
    public void usedUp(Child child) {
        someLeft = true;
        turn++;
    }

    @Override
    public void placed(Child child, long[] demand) {
        Seat seat = seats[child.position()];
        for (int type = 0; type < Math.min(free.length, demand.length); type++) {
            seat.taken[type] += demand[type];
            free[type] = Math.max(0, free[type] - demand[type]);
        }
        drawn = null;
        someStarted = true;
        if (phase == Phase.LOTS) {
            startsLeft--;
            weighAgain(seat);
        }
    }

    @Override
    public void freed(Child child, long[] demand) {
        Seat seat = seats[child.position()];
        for (int type = 0; type < Math.min(free.length, demand.length); type++) {
            seat.slice[type] += demand[type];
            free[type] += demand[type];
        }
    }

    @Override
    public boolean hasNext() {
        return playing > 0 || overBudget > 0;
    }

    @Override
    public @Nullable UsageFigures usageOf(Queue child) {
        Seat seat = seatOf.get(child);
        if (seat == null || seat.sliceAtBegin == null) {
            return null;
        }
        long[] slice = seat.sliceAtBegin.clone();
        if (!partition.countsSlots() && slice.length > 0) {
            slice[ResourceTypes.SLOTS_INDEX] = 0;
        }
        return new UsageFigures(
                seat.usageAtBegin,
                seat.usagePriority,
                seat.effectivePriority,
                seat.fractionAtBegin,
                partition.types().resources(slice));
    }
}
