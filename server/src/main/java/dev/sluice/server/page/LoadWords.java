package dev.sluice.server.page;

import dev.sluice.server.api.QueueView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the share policy {@code load} gives a class, in words: its entitlement, the workers it borrows, and the workers
 * that it is entitled to and others use.
 */
final class LoadWords {

    private LoadWords() {}

    /**
     * Returns sentences.
     *
     * @param siblings the other children of its parent
     */
    static List<String> of(QueueView queue, QueueView parent, List<QueueView> siblings) {
        Integer entitlement = queue.share().entitlement();
        if (queue.share().percent() == null || entitlement == null) {
            return List.of("Its parent " + parent.path()
                    + " has the share policy load. No figures yet: no cycle has run since the start.");
        }
        List<String> words = new ArrayList<>();
        long workers = entitlement
                + siblings.stream().mapToLong(LoadWords::entitlement).sum();
        words.add("It is a load class of " + queue.share().percent() + " % below " + parent.path()
                + ", which entitles it to " + Figures.count(entitlement) + " of " + workers(workers)
                + ". Its tasks use "
                + Figures.count(queue.allocatedTasks()) + "; " + Figures.count(queue.pendingTasks())
                + " are pending.");
        if (loan(queue) > 0) {
            words.add(borrowed(queue, siblings));
        } else if (unused(queue) > 0) {
            words.add(lent(queue, siblings));
        }
        if (queue.share().start() != null) {
            words.add("It could start " + Figures.count(queue.share().start()) + " tasks in the last cycle.");
        }
        return words;
    }

    private static String borrowed(QueueView queue, List<QueueView> siblings) {
        List<QueueView> lenders = siblings.stream()
                .filter(sibling -> unused(sibling) > 0)
                .sorted(Comparator.comparing(LoadWords::unused).reversed().thenComparing(QueueView::path))
                .toList();
        String loan = "It uses " + workers(loan(queue)) + " more than its entitlement";
        if (lenders.isEmpty() || !isCovered(queue, siblings)) {
            return loan
                    + (lenders.isEmpty() ? "" : "; unused by other classes: " + unusedOf(lenders))
                    + ". Tasks also run where nodes have capacity beyond the workers that are counted.";
        }
        if (lenders.size() == 1) {
            return loan + ", on loan from " + lenders.get(0).path() + ", which uses "
                    + Figures.count(unused(lenders.get(0))) + " fewer than its own.";
        }
        long lendable = lenders.stream().mapToLong(LoadWords::unused).sum();
        return lendable == loan(queue)
                ? loan + ", on loan from "
                        + Siblings.list(
                                lenders, sibling -> sibling.path() + " (" + Figures.count(unused(sibling)) + ")")
                        + "."
                : loan + ", on loan from what other classes do not use: " + unusedOf(lenders) + ".";
    }

    private static String unusedOf(List<QueueView> lenders) {
        return Siblings.list(lenders, sibling -> Figures.count(unused(sibling)) + " of " + sibling.path());
    }

    /** Returns whether all loans are workers that other classes do not use. */
    private static boolean isCovered(QueueView queue, List<QueueView> siblings) {
        long loans = loan(queue) + siblings.stream().mapToLong(LoadWords::loan).sum();
        return loans
                <= unused(queue)
                        + siblings.stream().mapToLong(LoadWords::unused).sum();
    }

    private static String lent(QueueView queue, List<QueueView> siblings) {
        List<QueueView> borrowers = siblings.stream()
                .filter(sibling -> loan(sibling) > 0)
                .sorted(Comparator.comparing(LoadWords::loan).reversed().thenComparing(QueueView::path))
                .toList();
        String unused = "It does not use " + workers(unused(queue)) + " of its entitlement";
        if (borrowers.isEmpty()) {
            return unused + "; no other class uses more than its own.";
        }
        boolean onlyLender = siblings.stream().noneMatch(sibling -> unused(sibling) > 0);
        return onlyLender && isCovered(queue, siblings)
                ? unused + "; on loan from it: "
                        + Siblings.list(borrowers, sibling -> Figures.count(loan(sibling)) + " to " + sibling.path())
                        + "."
                : unused + "; others use more than theirs: "
                        + Siblings.list(
                                borrowers, sibling -> sibling.path() + " (" + Figures.count(loan(sibling)) + " more)")
                        + ".";
    }

    private static String workers(long number) {
        return Figures.count(number) + (number == 1 ? " worker" : " workers");
    }

    /** Returns the number of workers that a class is entitled to; 0 if no cycle has run. */
    static long entitlement(QueueView queue) {
        Integer entitlement = queue.share().entitlement();
        return entitlement == null ? 0 : entitlement;
    }

    /** Returns the number of workers that a class uses beyond its entitlement. */
    static long loan(QueueView queue) {
        return queue.share().entitlement() == null ? 0 : Math.max(0, queue.allocatedTasks() - entitlement(queue));
    }

    /** Returns the number of workers that a class is entitled to and does not use. */
    static long unused(QueueView queue) {
        return Math.max(0, entitlement(queue) - queue.allocatedTasks());
    }
}
