package dev.sluice.server.page;

import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the share policy {@code usage} gives a queue, in words: its usage priority, its fraction against its siblings,
 * and its slice.
 */
final class UsageWords {

    private UsageWords() {}

    /**
     * Returns sentences.
     *
     * @param siblings the other children of its parent
     */
    static List<String> of(QueueView queue, QueueView parent, List<QueueView> siblings) {
        ShareView share = queue.share();
        if (share.usagePriority() == null || share.fraction() == null) {
            return List.of("Its parent " + parent.path()
                    + " has the share policy usage. No figures yet: no cycle has run since the start.");
        }
        List<String> words = new ArrayList<>();
        words.add("Its usage priority is " + Figures.decimal(share.usagePriority()) + ": its usage, which decays over"
                + " time, in core equivalents (the whole capacity of any resource counts as much as all cores). Its"
                + " effective priority is max(" + Figures.decimal(share.usagePriority()) + ", 0.5) × factor "
                + decimal(share.factor()) + " = " + decimal(share.effectivePriority())
                + "; its parent " + parent.path() + " (share policy usage) serves lower ones first.");
        if (share.fraction() == 0) {
            words.add("It took no part in the last cycle and is due nothing: "
                    + (queue.pendingTasks() == 0
                            ? "it has no pending tasks."
                            : "none of its " + Figures.count(queue.pendingTasks()) + " pending tasks could start."));
        } else {
            List<QueueView> others = siblings.stream()
                    .filter(UsageWords::takesPart)
                    .sorted(Comparator.comparing(UsageWords::fraction)
                            .reversed()
                            .thenComparing(QueueView::path))
                    .toList();
            words.add(whyFraction(share, others));
            words.add(whySlice(share, others));
        }
        return words;
    }

    /** Returns whether a child of a parent with the share policy {@code usage} took part in the last cycle. */
    static boolean takesPart(QueueView queue) {
        return fraction(queue) > 0;
    }

    /** Returns the fraction of a queue; 0 if it took no part in the last cycle. */
    static double fraction(QueueView queue) {
        return orZero(queue.share().fraction());
    }

    private static double orZero(@Nullable Double number) {
        return number == null ? 0 : number;
    }

    private static String decimal(@Nullable Double number) {
        return Figures.decimal(orZero(number));
    }

    private static String whyFraction(ShareView share, List<QueueView> others) {
        return "Its fraction is " + Figures.percent(orZero(share.fraction())) + ": "
                + (others.isEmpty()
                        ? "no sibling has pending tasks that could start."
                        : "the inverse of its effective priority, divided by the sum of these inverses of the "
                                + Figures.count(others.size() + 1L) + " children with pending tasks that could start. "
                                + Siblings.list(
                                        others,
                                        sibling -> sibling.path() + " has "
                                                + Figures.percent(fraction(sibling))
                                                + " with effective priority "
                                                + decimal(sibling.share().effectivePriority()))
                                + ".");
    }

    private static String whySlice(ShareView share, List<QueueView> others) {
        String words = "So it is due " + amounts(share.due()) + ": this fraction of what was free and what "
                + (others.isEmpty() ? "it used" : "these children used") + " at the start of the last cycle, within the"
                + " maxima. It used " + decimal(share.usage()) + " core equivalents then. ";
        if (share.slice() != null && !share.slice().isEmpty()) {
            return words + "Its slice of what was free was " + amounts(share.slice()) + ".";
        }
        boolean anyFree = others.stream()
                .anyMatch(sibling -> sibling.share().slice() != null
                        && !sibling.share().slice().isEmpty());
        return words + "It had no slice, because "
                + (anyFree ? "it used as much as its fraction." : "nothing was free.");
    }

    private static String amounts(@Nullable Map<String, Long> amounts) {
        return Figures.amounts(amounts == null ? Map.of() : amounts);
    }
}
