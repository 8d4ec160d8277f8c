package dev.sluice.core.schedule;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Goes from one expected end of a run to the next until the members of a gang fit on some nodes, or on those of one
 * domain.
 *
 * <p>Each class of members is counted alone on each node. Only when all counts suffice, the members are placed one
 * after the other, each on the first node in order that is expected to have enough then.
 */
final class GangStartSweep {

    private static final int ATTEMPTS_MAX = 1_000;

    /** The count of a class that never fits a node. */
    private static final long NEVER = -1;

    private final GangTrial trial;
    private final TaskCounters counters;
    private final Comparator<Place> order;
    private final List<EquivalenceClass> classes = new ArrayList<>();
    private final List<Long> needed = new ArrayList<>();

    /** The domains in the order of their names; a single one if the gang may start anywhere. */
    private final Map<String, Domain> domains = new TreeMap<>();

    private int places;

    /** What the members take on which nodes, from when. */
    record Found(Map<Node, long[]> taken, Instant start) {}

    /** A node, and what is expected to be free there at the time that the sweep has reached. */
    private static final class Place {
        private final Node node;
        private final int position;
        private final ExpectedCapacity expected;
        private final Domain domain;
        private final long[] counts;
        private long[] free;
        private int ended;

        private Place(Node node, int position, ExpectedCapacity expected, Domain domain, int classes) {
            this.node = node;
            this.position = position;
            this.expected = expected;
            this.domain = domain;
            this.free = expected.free();
            this.counts = new long[classes];
        }

        private Instant nextEnd() {
            return expected.end(ended);
        }

        private boolean hasNextEnd() {
            return ended < expected.ends();
        }

        private boolean isUseful() {
            for (long count : counts) {
                if (count > 0) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Nodes that may hold a gang together. */
    private static final class Domain {
        private final String name;
        private final List<Place> places = new ArrayList<>();

        /** How many members of each class fit now, if there were no others, and when all runs have ended. */
        private final long[] counts;

        private final long[] countsInTheEnd;

        /** The places that fit a member at the time of the sweep; in order once members were tried. */
        private final List<Place> useful = new ArrayList<>();

        private boolean ordered;
        private int attempts;

        private Domain(String name, int classes) {
            this.name = name;
            counts = new long[classes];
            countsInTheEnd = new long[classes];
        }
    }

    /**
     * Creates a sweep over no nodes.
     *
     * @param order compares nodes by their order; null for that in which they are added
     */
    GangStartSweep(GangTrial trial, TaskCounters counters, @Nullable Comparator<Node> order) {
        this.trial = trial;
        this.counters = counters;
        this.order = order == null
                ? Comparator.comparingInt(place -> place.position)
                : (a, b) -> order.compare(a.node, b.node);
        for (GangTrial.Members each : trial.members()) {
            int index = classes.indexOf(each.equivalenceClass());
            if (index < 0) {
                classes.add(each.equivalenceClass());
                needed.add((long) each.count());
            } else {
                needed.set(index, needed.get(index) + each.count());
            }
        }
    }

    /** Adds a node, which is ready, to a domain. */
    void add(Node node, String domainName, ExpectedCapacity expected) {
        Domain domain = domains.computeIfAbsent(domainName, name -> new Domain(name, classes.size()));
        Place place = new Place(node, places, expected, domain, classes.size());
        boolean everUseful = false;
        for (int i = 0; i < classes.size(); i++) {
            EquivalenceClass equivalenceClass = classes.get(i);
            long inTheEnd = ExpectedCapacity.tasks(equivalenceClass.demand, expected.freeInTheEnd());
            if (inTheEnd > 0 && isEligible(node, equivalenceClass)) {
                everUseful = true;
                domain.countsInTheEnd[i] += inTheEnd;
                place.counts[i] = ExpectedCapacity.tasks(equivalenceClass.demand, expected.free());
                domain.counts[i] += place.counts[i];
            } else {
                place.counts[i] = NEVER;
            }
        }
        if (everUseful) {
            places++;
            domain.places.add(place);
            if (place.isUseful()) {
                domain.useful.add(place);
            }
        }
    }

    /** Returns whether the constraints of a class permit a node, whatever tasks are allocated there. */
    static boolean isEligible(Node node, EquivalenceClass equivalenceClass) {
        boolean mayRun = equivalenceClass.requiredNode() == null
                || equivalenceClass.requiredNode().equals(node.name());
        return mayRun && equivalenceClass.mayRunOn(node);
    }

    private boolean suffice(long[] counts) {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] < needed.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the nodes of a domain are expected to hold each class of members alone at some time. */
    boolean mayEverFit() {
        return domains.values().stream().anyMatch(domain -> suffice(domain.countsInTheEnd));
    }

    /** Returns when and on which nodes the members fit first, or null if at no time after {@code now}. */
    @Nullable Found first(Instant now) {
        domains.values().removeIf(domain -> !suffice(domain.countsInTheEnd));
        PriorityQueue<Place> byEnd = new PriorityQueue<>(Comparator.comparing(Place::nextEnd));
        for (Domain domain : domains.values()) {
            domain.places.stream().filter(Place::hasNextEnd).forEach(byEnd::add);
        }
        Collection<Domain> changed = domains.values();
        Instant at = now;
        while (true) {
            Map<Node, long[]> taken = firstAmong(changed);
            if (taken != null) {
                return new Found(taken, at);
            }
            Place next = byEnd.peek();
            if (next == null) {
                return null;
            }
            at = next.nextEnd();
            changed = pass(at, byEnd);
        }
    }

    /** Tries these domains in order; returns what the members take on the nodes of the first that holds them. */
    private @Nullable Map<Node, long[]> firstAmong(Collection<Domain> changed) {
        for (Domain domain : changed) {
            if (suffice(domain.counts) && domain.attempts < ATTEMPTS_MAX) {
                domain.attempts++;
                Map<Node, long[]> taken = attempt(domain);
                if (taken != null) {
                    return taken;
                }
            }
        }
        return null;
    }

    /** Passes all ends at this time; returns the domains in which something has ended, in the order of their names. */
    private Collection<Domain> pass(Instant at, PriorityQueue<Place> byEnd) {
        Collection<Domain> changed = new TreeSet<>(Comparator.comparing(domain -> domain.name));
        for (Place place = byEnd.peek(); place != null && place.nextEnd().equals(at); place = byEnd.peek()) {
            byEnd.remove();
            boolean wasUseful = place.isUseful();
            place.free = place.ended == 0 ? place.free.clone() : place.free;
            place.expected.release(place.ended, place.free);
            place.ended++;
            for (int i = 0; i < place.counts.length; i++) {
                if (place.counts[i] != NEVER) {
                    long count = ExpectedCapacity.tasks(classes.get(i).demand, place.free);
                    place.domain.counts[i] += count - place.counts[i];
                    place.counts[i] = count;
                }
            }
            if (!wasUseful && place.isUseful()) {
                addUseful(place);
            }
            if (place.hasNextEnd()) {
                byEnd.add(place);
            }
            changed.add(place.domain);
        }
        return changed;
    }

    private void addUseful(Place place) {
        List<Place> useful = place.domain.useful;
        int index = place.domain.ordered ? Collections.binarySearch(useful, place, order) : -useful.size() - 1;
        useful.add(index < 0 ? -index - 1 : index, place);
    }

    /** Places the members one after the other; returns what they take on which nodes, or null if they do not fit. */
    private @Nullable Map<Node, long[]> attempt(Domain domain) {
        List<Place> useful = domain.useful;
        if (!domain.ordered) {
            domain.ordered = true;
            useful.sort(order);
        }
        Map<Place, long[]> left = new HashMap<>();
        Map<Node, long[]> taken = new LinkedHashMap<>();
        List<Runnable> undo = new ArrayList<>();
        try {
            for (GangTrial.Members each : trial.members()) {
                EquivalenceClass equivalenceClass = each.equivalenceClass();
                boolean ruled = equivalenceClass.tasks.isActive();
                int next = 0;
                for (int missing = each.count(); missing > 0; missing--) {
                    next = ruled ? 0 : next;
                    while (next < useful.size() && !fits(useful.get(next), equivalenceClass, left)) {
                        next++;
                    }
                    if (next == useful.size()) {
                        return null;
                    }
                    Place place = useful.get(next);
                    Node node = place.node;
                    left.put(place, Vectors.sum(left.getOrDefault(place, place.free), equivalenceClass.demand, -1));
                    taken.merge(node, equivalenceClass.demand, (a, b) -> Vectors.sum(a, b, 1));
                    counters.hold(equivalenceClass, true, node, 1);
                    undo.add(() -> counters.hold(equivalenceClass, true, node, -1));
                }
            }
        } finally {
            undo.forEach(Runnable::run);
        }
        return taken;
    }

    private static boolean fits(Place place, EquivalenceClass equivalenceClass, Map<Place, long[]> left) {
        return VictimSearch.mayRunOn(place.node, equivalenceClass)
                && ExpectedCapacity.tasks(equivalenceClass.demand, left.getOrDefault(place, place.free)) > 0;
    }
}
