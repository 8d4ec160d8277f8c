package dev.sluice.core.reference;

import dev.sluice.core.resource.ResourceTypes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a parent that shares by usage hands out in one cycle: first slices in turn, then single tasks by lot. */
final class PlainUsage {

    private static final double ROUNDING = 1e-12;

    private final PlainCores cores;
    private final PlainQueue parent;
    private final PlainLots lots;
    private final List<Seat> seats = new ArrayList<>();
    private final List<Seat> turns;
    private final SortedMap<String, Long> free;
    private final boolean slotsCount;
    private boolean drawing;
    private boolean someCame;
    private boolean someLeft;
    private boolean someStarted;
    private boolean slicesUsedUp;
    private @Nullable Seat drawn;
    private long startsLeft;

    /** A child and its part. */
    private static final class Seat {
        private final PlainQueue queue;
        private final double effectivePriority;
        private boolean inPlay;
        private boolean takesPart;
        private double fraction;
        private double weight;
        private Map<String, Double> slice = new TreeMap<>();
        private Map<String, Long> taken = new TreeMap<>();
        private Map<String, Long> sliceAtFirst = new TreeMap<>();

        private Seat(PlainQueue queue) {
            this.queue = queue;
            this.effectivePriority = Math.max(queue.usagePriority, 0.5) * queue.factor();
            this.inPlay = queue.isInPlay();
        }

        private double left(String type) {
            double amount = slice.getOrDefault(type, 0.0) - taken.getOrDefault(type, 0L);
            return amount > slice.getOrDefault(type, 0.0) * ROUNDING ? amount : 0;
        }
    }

    /** The beginning of a cycle in which so much is free for this parent. */
    PlainUsage(PlainQueue parent, SortedMap<String, Long> free, PlainCores cores, boolean slotsCount, PlainLots lots) {
        this.parent = parent;
        this.free = free;
        this.cores = cores;
        this.slotsCount = slotsCount;
        this.lots = lots;
        startsLeft = parent.drawsMax();
        parent.children.forEach(child -> seats.add(new Seat(child)));
        slice();
        for (Seat seat : seats) {
            free.keySet().forEach(type -> seat.sliceAtFirst.put(type, whole(seat, type)));
        }
        turns = new ArrayList<>(seats.stream().filter(seat -> seat.inPlay).toList());
        turns.sort(Comparator.<Seat, Double>comparing(seat -> seat.effectivePriority)
                .thenComparing(seat -> seat.queue.path));
    }

    private static long whole(Seat seat, String type) {
        return (long) (seat.slice.getOrDefault(type, 0.0) * (1 + ROUNDING));
    }

    /** The most that a child may take, as far as was known when the cycle began. */
    Map<String, Long> allowance(PlainQueue child) {
        return seatOf(child).sliceAtFirst;
    }

    private Seat seatOf(PlainQueue child) {
        return seats.stream().filter(seat -> seat.queue == child).findFirst().orElseThrow();
    }

    /** Takes note of who has come into play and who has left. */
    void observe() {
        for (Seat seat : seats) {
            boolean now = seat.queue.isInPlay();
            someCame |= now && !seat.inPlay;
            someLeft |= !now && seat.inPlay;
            seat.weight = now ? seat.weight : 0;
            seat.inPlay = now;
        }
    }

    private void slice() {
        double least = Double.MAX_VALUE;
        double everything = cores.of(free);
        double inverses = 0;
        for (Seat seat : seats) {
            least = seat.inPlay ? Math.min(least, seat.effectivePriority) : least;
        }
        for (Seat seat : seats) {
            inverses += seat.inPlay ? least / Math.min(Double.MAX_VALUE, seat.effectivePriority) : 0;
            everything += seat.inPlay ? cores.of(seat.queue.allocated()) : 0;
        }
        double lacking = 0;
        Map<Seat, Double> lacks = new LinkedHashMap<>();
        for (Seat seat : seats) {
            seat.takesPart = seat.inPlay;
            seat.fraction = seat.inPlay ? least / Math.min(Double.MAX_VALUE, seat.effectivePriority) / inverses : 0;
            double lack = seat.inPlay ? Math.max(0, seat.fraction * everything - cores.of(seat.queue.allocated())) : 0;
            lacks.put(seat, lack);
            lacking += lack;
        }
        for (Seat seat : seats) {
            seat.slice = new TreeMap<>();
            seat.taken = new TreeMap<>();
            for (Map.Entry<String, Long> amount : free.entrySet()) {
                double part = lacking > 0 ? lacks.getOrDefault(seat, 0.0) / lacking : 0;
                seat.slice.put(amount.getKey(), amount.getValue() * part);
            }
        }
        someCame = false;
        someLeft = false;
        someStarted = false;
    }

    /** The child that is served next, or null; whoever changes what is in play by that is told. */
    @Nullable PlainQueue next(Runnable observeAll) {
        if (!drawing) {
            while (!parent.allByLot() && !turns.isEmpty()) {
                if (turns.get(0).inPlay) {
                    return turns.get(0).queue;
                }
                turns.remove(0);
            }
            drawing = true;
            seats.forEach(seat -> seat.queue.offerAgain());
            observeAll.run();
            someCame = seats.stream().anyMatch(seat -> seat.inPlay != seat.takesPart);
            weigh();
        }
        if (drawn == null || !drawn.inPlay) {
            drawn = startsLeft > 0 && seats.stream().anyMatch(seat -> seat.inPlay) ? draw() : null;
        }
        return drawn == null ? null : drawn.queue;
    }

    /** The most that the child that is served may take in this turn, by type; null: whatever it likes. */
    @Nullable Map<String, Long> budget(PlainQueue child) {
        if (drawing) {
            return null;
        }
        Seat seat = seatOf(child);
        Map<String, Long> budget = new TreeMap<>();
        for (String type : free.keySet()) {
            if (slotsCount || !type.equals(ResourceTypes.SLOTS)) {
                budget.put(type, Math.max(0, whole(seat, type) - seat.taken.getOrDefault(type, 0L)));
            }
        }
        return budget;
    }

    private Seat draw() {
        if (someCame || (someLeft && someStarted) || total() == 0) {
            slice();
            weigh();
        }
        double rest = lots.next() * total();
        Seat last = null;
        for (Seat seat : seats) {
            if (seat.weight > 0) {
                last = seat;
                if (rest < seat.weight) {
                    return seat;
                }
                rest -= seat.weight;
            }
        }
        if (last == null) {
            throw new IllegalStateException("nobody to draw");
        }
        return last;
    }

    private double total() {
        return seats.stream().mapToDouble(seat -> seat.weight).sum();
    }

    private double weightOf(Seat seat) {
        Map<String, Double> left = new TreeMap<>();
        free.keySet().forEach(type -> left.put(type, seat.left(type)));
        return cores.of(left);
    }

    private void weigh() {
        seats.forEach(seat -> seat.weight = seat.inPlay ? weightOf(seat) : 0);
        slicesUsedUp = total() == 0;
        if (slicesUsedUp) {
            seats.forEach(seat -> seat.weight = seat.inPlay ? seat.fraction : 0);
        }
    }

    /** A task of the child that was served has been placed. */
    /** A task below a child made way for others below it. */
    void freed(PlainQueue child, SortedMap<String, Long> demand) {
        Seat seat = seatOf(child);
        demand.forEach((type, amount) -> {
            if (free.computeIfPresent(type, (same, before) -> before + amount) != null) {
                seat.slice.merge(type, (double) amount, Double::sum);
            }
        });
    }

    void placed(PlainQueue child, SortedMap<String, Long> demand) {
        Seat seat = seatOf(child);
        demand.forEach((type, amount) -> {
            seat.taken.merge(type, amount, Long::sum);
            free.computeIfPresent(type, (same, before) -> Math.max(0, before - amount));
        });
        drawn = null;
        someStarted = true;
        if (drawing) {
            startsLeft--;
            if (!slicesUsedUp) {
                seat.weight = seat.inPlay ? weightOf(seat) : 0;
                if (total() == 0) {
                    weigh();
                }
            }
        }
    }
}
