package dev.sluice.core.reference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * A simple implementation of the division of workers among load classes: how many tasks each class starts and preempts.
 *
 * <p>Numbers are integers; percentages are of workers of one slot each.
 */
final class ReferenceDivision {

    /** The inputs, in configuration order. */
    record Counts(int percent, long running, long waiting, long reclaimable) {}

    /** One class during the computation. */
    static final class Share {
        final int position;
        final long configured;
        final long running;
        private final long pending;
        private final long reclaimable;
        long percent;
        long entitlement;
        long loaned;
        long waiting;
        long start;
        long stop;

        private long part;

        private Share(int position, Counts counts) {
            this.position = position;
            configured = counts.percent();
            running = counts.running();
            pending = counts.waiting();
            waiting = pending;
            reclaimable = counts.reclaimable();
        }

        long reclaimable() {
            return reclaimable;
        }

        private void start(long more) {
            start += more;
            waiting -= more;
        }
    }

    /** The classes in configuration order. */
    final List<Share> classes = new ArrayList<>();

    /** The classes in descending load order, by scaled percentages; ties: configuration order. */
    final List<Share> byLoad;

    private long idle;

    private ReferenceDivision(long workers, long idle, List<Counts> counts) {
        for (Counts one : counts) {
            classes.add(new Share(classes.size(), one));
        }
        this.idle = idle;
        scale();
        byLoad = new ArrayList<>(classes);
        byLoad.sort(Comparator.comparing(share -> -share.percent));
        entitle(workers);
    }

    /** Gives out idle workers by entitlement, then as loans, then one by one. */
    static ReferenceDivision allocate(long workers, long idle, List<Counts> counts) {
        ReferenceDivision division = new ReferenceDivision(workers, idle, counts);
        division.classes.forEach(share -> share.loaned = Math.max(0, share.running - share.entitlement));
        for (int round = 0; round < counts.size(); round++) {
            division.entitlementRound();
        }
        for (int round = 0; round < counts.size(); round++) {
            division.loanRound();
        }
        division.oneByOne();
        return division;
    }

    /** Brings all classes to their entitlements, then makes one round of loans, and cancels useless preemptions. */
    static ReferenceDivision rebalance(long workers, long idle, List<Counts> counts) {
        ReferenceDivision division = new ReferenceDivision(workers, idle, counts);
        long missing = division.rebalance();
        for (long stops = division.sum(share -> share.stop); stops > missing; stops--) {
            division.byLoad.stream()
                    .reduce((first, other) -> other.stop > first.stop ? other : first)
                    .orElseThrow()
                    .stop--;
        }
        division.idle += division.sum(share -> share.stop) - division.sum(share -> share.start);
        division.oneByOne();
        return division;
    }

    /** Returns the spread of the classes that wait or exceed their entitlement, in percentage points, including 0. */
    static long spread(long workers, List<Counts> counts) {
        ReferenceDivision division = new ReferenceDivision(workers, 0, counts);
        long max = 0;
        long min = 0;
        if (workers == 0) {
            return 0;
        }
        for (Share share : division.classes) {
            long under = share.percent - 100 * share.running / workers;
            if (share.waiting > 0 || share.running > share.entitlement) {
                max = Math.max(max, under);
                min = Math.min(min, under);
            }
        }
        return max - min;
    }

    private interface Figure {
        long of(Share share);
    }

    private long sum(Figure number) {
        return classes.stream().mapToLong(number::of).sum();
    }

    private long sum(Predicate<Share> which, Figure number) {
        return classes.stream().filter(which).mapToLong(number::of).sum();
    }

    private static long ceiling(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }

    /** Scales to 100 %, rounding down; the largest class takes the rest; a class above 0 never scales to 0. */
    private void scale() {
        long sum = sum(share -> share.configured);
        for (Share share : classes) {
            share.percent = share.configured;
            if (sum != 100 && share.configured > 0) {
                share.percent = Math.max(1, 100 * share.configured / sum);
            }
        }
        if (sum > 0) {
            Share largest = classes.stream()
                    .reduce((first, other) -> other.configured > first.configured ? other : first)
                    .orElseThrow();
            largest.percent = Math.max(1, largest.percent + 100 - sum(share -> share.percent));
        }
    }

    /**
     * Computes entitlements: the percentage of the workers, rounded down; the remainder goes one worker each to the
     * largest fractions. With more than 100 classes each has at least 1 %, so percentages are relative to their sum.
     */
    private void entitle(long workers) {
        long sum = sum(share -> share.percent);
        if (sum == 0) {
            return;
        }
        classes.forEach(share -> share.entitlement = workers * share.percent / sum);
        long remainder = workers - sum(share -> share.entitlement);
        byLoad.stream()
                .sorted(Comparator.comparing(share -> -(workers * share.percent % sum)))
                .limit(remainder)
                .forEach(share -> share.entitlement++);
    }

    /** Starts each class's part of these workers, in descending load order. */
    private void giveOut(long budget) {
        long left = budget;
        for (Share share : byLoad) {
            long more = Math.min(Math.min(share.waiting, ceiling(budget * share.part, 100)), left);
            share.start(more);
            left -= more;
            idle -= more;
        }
    }

    private static long unused(Share share) {
        return share.waiting == 0 ? 0 : Math.max(0, share.entitlement - share.running - share.start);
    }

    private void entitlementRound() {
        long unused = sum(ReferenceDivision::unused);
        if (idle == 0 || unused == 0) {
            return;
        }
        classes.forEach(share -> share.part = 100 * unused(share) / unused);
        byLoad.get(0).part += 100 - sum(share -> share.part);
        giveOut(Math.min(idle, unused));
    }

    private void loanRound() {
        Predicate<Share> waits = share -> share.waiting > 0;
        long percents = sum(waits, share -> share.percent);
        if (idle == 0 || percents == 0) {
            return;
        }
        long total = sum(share -> share.percent > 0, share -> share.loaned) + idle;
        Figure adjusted = share -> waits.test(share) ? Math.max(0, total * share.percent / percents - share.loaned) : 0;
        long sum = sum(adjusted);
        if (sum == 0) {
            return;
        }
        classes.forEach(share -> share.part = 100 * adjusted.of(share) / sum);
        giveOut(idle);
    }

    /** Gives idle workers one by one, in descending load order, to classes that wait and preempt nothing. */
    private void oneByOne() {
        Predicate<Share> takes = share -> share.percent > 0 && share.waiting > 0 && share.stop == 0;
        while (idle > 0 && byLoad.stream().anyMatch(takes)) {
            for (Share share : byLoad) {
                if (idle > 0 && takes.test(share)) {
                    share.start(1);
                    idle--;
                }
            }
        }
    }

    /**
     * Preempts down to entitlements, starts up to them, and loans the rest; a loan to a class with preemptions cancels
     * that number of them. Returns the number of workers that the starts lack.
     */
    private long rebalance() {
        long before = idle;
        for (Share share : classes) {
            share.stop = Math.min(share.reclaimable, Math.max(0, share.running - share.entitlement));
            idle += share.stop;
        }
        for (Share share : byLoad) {
            long more = Math.min(Math.min(share.waiting, Math.max(0, share.entitlement - share.running)), idle);
            share.start(more);
            idle -= more;
        }
        classes.forEach(share -> share.waiting = share.stop > 0 ? share.stop : share.waiting);
        loanRound();
        for (Share share : classes) {
            long live = Math.min(share.stop, share.start);
            share.stop -= live;
            share.start -= live;
            share.waiting = share.pending - share.start;
        }
        idle = before;
        return Math.max(0, sum(share -> share.start) - before);
    }
}
