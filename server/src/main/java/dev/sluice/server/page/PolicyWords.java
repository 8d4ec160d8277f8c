package dev.sluice.server.page;

import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the policies of a queue and of its parent mean, in words, with the figures of the last cycle. */
final class PolicyWords {

    private PolicyWords() {}

    /**
     * Returns sentences.
     *
     * @param parent its parent, or null for the root
     * @param siblings the other children of its parent
     */
    static List<String> of(
            QueueView queue, @Nullable QueueView parent, List<QueueView> siblings, PartitionView partition) {
        List<String> words = new ArrayList<>();
        if (parent != null) {
            switch (parent.policy()) {
                case "load" -> words.addAll(LoadWords.of(queue, parent, siblings));
                case "usage" -> words.addAll(UsageWords.of(queue, parent, siblings));
                default -> words.add(fair(queue, parent, siblings, partition));
            }
            if (!parent.policy().equals("fair") && !queue.guaranteed().isEmpty()) {
                words.add("It is guaranteed " + Figures.amounts(queue.guaranteed())
                        + ": tasks of other queues may be preempted for that, if preemption is enabled.");
            }
        }
        words.add(queue.leaf() ? sortPolicy(queue.policy()) : sharePolicy(queue.policy()));
        return words;
    }

    private static String fair(QueueView queue, QueueView parent, List<QueueView> siblings, PartitionView partition) {
        double dominant = dominant(queue.share());
        List<QueueView> before = siblings.stream()
                .filter(sibling -> sibling.pendingTasks() > 0 && dominant(sibling.share()) < dominant)
                .toList();
        return "Its dominant share is " + Figures.percent(dominant) + ": " + fraction(queue, partition)
                + ". Its parent " + parent.path() + " (share policy fair) serves the child with the smallest dominant"
                + " share first, among those with pending tasks of the same priority; "
                + (before.isEmpty()
                        ? "no sibling with pending tasks has a smaller one."
                        : Siblings.list(
                                        before,
                                        sibling -> sibling.path() + " (" + Figures.percent(dominant(sibling.share()))
                                                + ")")
                                + (before.size() == 1 ? " has a smaller one." : " have smaller ones."));
    }

    private static double dominant(ShareView share) {
        return share.dominant() == null ? Double.POSITIVE_INFINITY : share.dominant();
    }

    /** Returns what a queue uses of the resource type of its dominant share, and of what. */
    private static String fraction(QueueView queue, PartitionView partition) {
        String words = "it uses nothing";
        double most = 0;
        for (var used : queue.allocated().entrySet()) {
            String type = used.getKey();
            long guaranteed = queue.guaranteed().getOrDefault(type, 0L);
            long max = queue.max().getOrDefault(type, 0L);
            long total = partition.capacity().getOrDefault(type, 0L);
            long whole = guaranteed > 0 ? guaranteed : max > 0 ? max : total;
            if (whole > 0 && used.getValue() / (double) whole > most) {
                most = used.getValue() / (double) whole;
                words = "it uses " + type + " " + Figures.amount(type, used.getValue()) + ", and "
                        + (guaranteed > 0
                                ? "is guaranteed " + Figures.amount(type, whole)
                                : max > 0
                                        ? "may use at most " + Figures.amount(type, whole)
                                        : "the partition has " + Figures.amount(type, whole));
            }
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
}
