package dev.sluice.server.page;

import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the policies of a queue and of its parent mean, in words, with the figures of the last cycle. */
final class PolicyWords {

    private static final int LENDERS_MAX = 5;

    private PolicyWords() {}

    /**
     * Returns sentences.
     *
     * @param parent its parent, or null for the root
     * @param siblings the other children of its parent
     */
    static List<String> of(QueueView queue, @Nullable QueueView parent, List<QueueView> siblings) {
        List<String> words = new ArrayList<>();
        if (parent != null) {
            words.addAll(share(queue.share(), queue, parent, siblings));
        }
        words.add(queue.leaf() ? sortPolicy(queue.policy()) : sharePolicy(queue.policy()));
        return words;
    }

    private static List<String> share(ShareView share, QueueView queue, QueueView parent, List<QueueView> siblings) {
        return switch (parent.policy()) {
            case "load" -> load(share, queue, parent, siblings);
            case "usage" -> usage(share, parent);
            default -> fair(share, parent, siblings);
        };
    }

    private static List<String> fair(ShareView share, QueueView parent, List<QueueView> siblings) {
        Double dominant = share.dominant();
        if (dominant == null) {
            return List.of("Its parent " + parent.path() + " has the share policy fair. No figures yet: no cycle has"
                    + " run since the start, or nothing is guaranteed.");
        }
        long before = siblings.stream()
                .filter(sibling ->
                        sibling.share().dominant() != null && sibling.share().dominant() < dominant)
                .count();
        return List.of("Its dominant share is " + Figures.percent(dominant)
                + ": the largest fraction that it uses of its guaranteed resources, else of its maximum, else of the"
                + " partition. Its parent " + parent.path() + " (share policy fair) serves the child with the smallest"
                + " share first; "
                + (before == 0
                        ? "no sibling has a smaller one."
                        : Figures.count(before) + " of " + Figures.count(siblings.size())
                                + " siblings have a smaller one."));
    }

    private static List<String> load(ShareView share, QueueView queue, QueueView parent, List<QueueView> siblings) {
        if (share.percent() == null || share.entitlement() == null) {
            return List.of("Its parent " + parent.path()
                    + " has the share policy load. No figures yet: no cycle has run since the start.");
        }
        List<String> words = new ArrayList<>();
        words.add("It is a load class of " + share.percent() + " % below " + parent.path()
                + ", which entitles it to " + Figures.count(share.entitlement()) + " workers. "
                + Figures.count(queue.allocatedTasks()) + " of its tasks are allocated.");
        if (share.loaned() != null && share.loaned() > 0) {
            String lenders = siblings.stream()
                    .filter(sibling -> unused(sibling) > 0)
                    .limit(LENDERS_MAX)
                    .map(sibling -> sibling.path() + " (" + Figures.count(unused(sibling)) + " unused)")
                    .collect(Collectors.joining(", "));
            words.add(Figures.count(share.loaned()) + " workers are on loan beyond the entitlement"
                    + (lenders.isEmpty() ? "." : "; classes that use less than theirs: " + lenders + "."));
        }
        if (share.start() != null) {
            words.add("It could start " + Figures.count(share.start()) + " tasks in the last cycle.");
        }
        return words;
    }

    private static List<String> usage(ShareView share, QueueView parent) {
        if (share.usagePriority() == null || share.usage() == null || share.effectivePriority() == null) {
            return List.of("Its parent " + parent.path()
                    + " has the share policy usage. No figures yet: no cycle has run since the start.");
        }
        List<String> words = new ArrayList<>();
        words.add("It uses " + Figures.decimal(share.usage()) + " cores now; its usage priority, the usage of the past"
                + " that decays over time, is " + Figures.decimal(share.usagePriority())
                + ", and with its factor " + Figures.decimal(share.effectivePriority()) + ". Its parent "
                + parent.path() + " (share policy usage) serves lower ones first.");
        if (share.fraction() != null) {
            words.add("It is due " + Figures.percent(share.fraction()) + " of what is free"
                    + (share.slice() == null || share.slice().isEmpty()
                            ? "."
                            : ": a slice of " + Figures.amounts(share.slice()) + " in the last cycle."));
        }
        return words;
    }

    private static String sharePolicy(String policy) {
        return switch (policy) {
            case "load" ->
                "Share policy load: every child is entitled to a percentage of the workers; idle workers are"
                        + " loaned to others, and long loans are taken back.";
            case "usage" ->
                "Share policy usage: what is free is divided by past usage; who used less gets more, and"
                        + " what remains is assigned by a weighted random draw.";
            default -> "Share policy fair: the child with the smallest dominant share is served first.";
        };
    }

    private static String sortPolicy(String policy) {
        return switch (policy) {
            case "fair" ->
                "Sort policy fair: the application with the smallest share of the partition is tried first,"
                        + " after higher priorities.";
            case "stateaware" ->
                "Sort policy stateaware: running applications are tried first, and only one new"
                        + " application starts at a time.";
            case "fewestrunning" ->
                "Sort policy fewestrunning: the application with the fewest running tasks is tried" + " first.";
            default ->
                "Sort policy fifo: the application that was submitted first is tried first, after higher"
                        + " priorities.";
        };
    }

    /** Returns the number of workers that a load class is entitled to and does not use; at most 0 if there are none. */
    private static long unused(QueueView queue) {
        Number entitlement = queue.share().entitlement();
        return entitlement == null ? 0 : entitlement.longValue() - queue.allocatedTasks();
    }
}
