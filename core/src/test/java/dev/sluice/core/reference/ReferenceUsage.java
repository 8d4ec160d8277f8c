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

/**
 * What a parent that shares by usage gives out in one cycle: first slices in turn, then single tasks by random draws.
 */
final class ReferenceUsage {

    private static final double ROUNDING = 1e-12;

    private final ReferenceCores cores;
    private final ReferenceQueue parent;
    private final ReferenceDraws draws;
    private final List<ChildState> childStates = new ArrayList<>();
    private final List<ChildState> turns;
    private final SortedMap<String, Long> free;
    private final boolean slotsCount;
    private boolean drawing;
    private boolean anyJoined;
    private boolean anyLeft;
    private boolean anyStarted;
    private boolean slicesExhausted;
    private @Nullable ChildState drawn;
    private long startsLeft;

    /** A child and its slice. */
    private static final class ChildState {
        private final ReferenceQueue queue;
        private final double effectivePriority;
        private boolean eligible;
        private boolean participates;
        private double fraction;
        private double weight;
        private Map<String, Double> slice = new TreeMap<>();
        private Map<String, Long> taken = new TreeMap<>();
        private Map<String, Long> sliceAtFirst = new TreeMap<>();

        private ChildState(ReferenceQueue queue) {
            this.queue = queue;
            this.effectivePriority = Math.max(queue.usagePriority, 0.5) * queue.factor();
            this.eligible = queue.isEligible();
        }

        private double left(String type) {
            double amount = slice.getOrDefault(type, 0.0) - taken.getOrDefault(type, 0L);
            return amount > slice.getOrDefault(type, 0.0) * ROUNDING ? amount : 0;
        }
    }

    /** Creates the state at the start of a cycle with this free capacity. */
    ReferenceUsage(
            ReferenceQueue parent,
            SortedMap<String, Long> free,
            ReferenceCores cores,
            boolean slotsCount,
            ReferenceDraws draws) {
        this.parent = parent;
        this.free = free;
        this.cores = cores;
        this.slotsCount = slotsCount;
        this.draws = draws;
        startsLeft = parent.drawsMax();
        parent.children.forEach(child -> childStates.add(new ChildState(child)));
        slice();
        for (ChildState childState : childStates) {
            free.keySet().forEach(type -> childState.sliceAtFirst.put(type, whole(childState, type)));
        }
        turns = new ArrayList<>(
                childStates.stream().filter(childState -> childState.eligible).toList());
        turns.sort(Comparator.<ChildState, Double>comparing(childState -> childState.effectivePriority)
                .thenComparing(childState -> childState.queue.path));
    }

    private static long whole(ChildState childState, String type) {
        return (long) (childState.slice.getOrDefault(type, 0.0) * (1 + ROUNDING));
    }

    /** Returns the maximum that a child may take, as known at the start of the cycle. */
    Map<String, Long> allowance(ReferenceQueue child) {
        return childStateOf(child).sliceAtFirst;
    }

    private ChildState childStateOf(ReferenceQueue child) {
        return childStates.stream()
                .filter(childState -> childState.queue == child)
                .findFirst()
                .orElseThrow();
    }

    /** Records which children have become eligible and which no longer are. */
    void observe() {
        for (ChildState childState : childStates) {
            boolean now = childState.queue.isEligible();
            anyJoined |= now && !childState.eligible;
            anyLeft |= !now && childState.eligible;
            childState.weight = now ? childState.weight : 0;
            childState.eligible = now;
        }
    }

    private void slice() {
        double least = Double.MAX_VALUE;
        double everything = cores.of(free);
        double inverses = 0;
        for (ChildState childState : childStates) {
            least = childState.eligible ? Math.min(least, childState.effectivePriority) : least;
        }
        for (ChildState childState : childStates) {
            inverses += childState.eligible ? least / Math.min(Double.MAX_VALUE, childState.effectivePriority) : 0;
            everything += childState.eligible ? cores.of(childState.queue.allocated()) : 0;
        }
        double lacking = 0;
        Map<ChildState, Double> lacks = new LinkedHashMap<>();
        for (ChildState childState : childStates) {
            childState.participates = childState.eligible;
            childState.fraction = childState.eligible
                    ? least / Math.min(Double.MAX_VALUE, childState.effectivePriority) / inverses
                    : 0;
            double lack = childState.eligible
                    ? Math.max(0, childState.fraction * everything - cores.of(childState.queue.allocated()))
                    : 0;
            lacks.put(childState, lack);
            lacking += lack;
        }
        for (ChildState childState : childStates) {
            childState.slice = new TreeMap<>();
            childState.taken = new TreeMap<>();
            for (Map.Entry<String, Long> amount : free.entrySet()) {
                double part = lacking > 0 ? lacks.getOrDefault(childState, 0.0) / lacking : 0;
                childState.slice.put(amount.getKey(), amount.getValue() * part);
            }
        }
        anyJoined = false;
        anyLeft = false;
        anyStarted = false;
    }

    /**
     * Returns the child that is served next, or null; notifies the receiver if this changes which tasks are eligible.
     */
    @Nullable ReferenceQueue next(Runnable observeAll) {
        if (!drawing) {
            while (!parent.isProbabilisticAll() && !turns.isEmpty()) {
                if (turns.get(0).eligible) {
                    return turns.get(0).queue;
                }
                turns.remove(0);
            }
            drawing = true;
            childStates.forEach(childState -> childState.queue.requeue());
            observeAll.run();
            anyJoined = childStates.stream().anyMatch(childState -> childState.eligible != childState.participates);
            updateWeights();
        }
        if (drawn == null || !drawn.eligible) {
            drawn = startsLeft > 0 && childStates.stream().anyMatch(childState -> childState.eligible) ? draw() : null;
        }
        return drawn == null ? null : drawn.queue;
    }

    /** Returns the budget of the served child, by type; null: unlimited. */
    @Nullable Map<String, Long> budget(ReferenceQueue child) {
        if (drawing) {
            return null;
        }
        ChildState childState = childStateOf(child);
        Map<String, Long> budget = new TreeMap<>();
        for (String type : free.keySet()) {
            if (slotsCount || !type.equals(ResourceTypes.SLOTS)) {
                budget.put(type, Math.max(0, whole(childState, type) - childState.taken.getOrDefault(type, 0L)));
            }
        }
        return budget;
    }

    private ChildState draw() {
        if (anyJoined || (anyLeft && anyStarted) || total() == 0) {
            slice();
            updateWeights();
        }
        double rest = draws.next() * total();
        ChildState last = null;
        for (ChildState childState : childStates) {
            if (childState.weight > 0) {
                last = childState;
                if (rest < childState.weight) {
                    return childState;
                }
                rest -= childState.weight;
            }
        }
        if (last == null) {
            throw new IllegalStateException("no child to draw");
        }
        return last;
    }

    private double total() {
        return childStates.stream().mapToDouble(childState -> childState.weight).sum();
    }

    private double weightOf(ChildState childState) {
        Map<String, Double> left = new TreeMap<>();
        free.keySet().forEach(type -> left.put(type, childState.left(type)));
        return cores.of(left);
    }

    private void updateWeights() {
        childStates.forEach(childState -> childState.weight = childState.eligible ? weightOf(childState) : 0);
        slicesExhausted = total() == 0;
        if (slicesExhausted) {
            childStates.forEach(childState -> childState.weight = childState.eligible ? childState.fraction : 0);
        }
    }

    /** Called when a task of the served child was placed. */
    /** Called when a task below a child was preempted for others below it. */
    void freed(ReferenceQueue child, SortedMap<String, Long> demand) {
        ChildState childState = childStateOf(child);
        demand.forEach((type, amount) -> {
            if (free.computeIfPresent(type, (same, before) -> before + amount) != null) {
                childState.slice.merge(type, (double) amount, Double::sum);
            }
        });
    }

    void placed(ReferenceQueue child, SortedMap<String, Long> demand) {
        ChildState childState = childStateOf(child);
        demand.forEach((type, amount) -> {
            childState.taken.merge(type, amount, Long::sum);
            free.computeIfPresent(type, (same, before) -> Math.max(0, before - amount));
        });
        drawn = null;
        anyStarted = true;
        if (drawing) {
            startsLeft--;
            if (!slicesExhausted) {
                childState.weight = childState.eligible ? weightOf(childState) : 0;
                if (total() == 0) {
                    updateWeights();
                }
            }
        }
    }
}
