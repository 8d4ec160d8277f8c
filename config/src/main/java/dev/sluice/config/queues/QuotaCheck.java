package dev.sluice.config.queues;

import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.Resources;
import java.util.SortedMap;
import java.util.TreeMap;

/** Checks that guaranteed and maximum resources are consistent from the leaves to the root. */
final class QuotaCheck {

    private QuotaCheck() {}

    static void check(QueueDraft root) {
        resources(root, Resources.NONE, "");
        applications(root);
    }

    /** Returns the smaller of both limits for each type. */
    static Resources least(Resources a, Resources b) {
        SortedMap<String, Amount> least = new TreeMap<>(a.amounts());
        b.amounts().forEach((type, amount) -> least.merge(type, amount, (x, y) -> x.compareTo(y) <= 0 ? x : y));
        return Resources.of(least);
    }

    /** Checks a queue and its descendants; returns the guaranteed resources that count for the parent. */
    private static Resources resources(QueueDraft queue, Resources maxAbove, String pathAbove) {
        queue.guaranteed().amounts().forEach((type, amount) -> {
            Amount max = queue.max().limit(type);
            if (amount.compareTo(max) > 0) {
                queue.resourcePosition("guaranteed", type)
                        .problem("guaranteed " + shown(type, amount) + " is greater than the max of this queue, "
                                + Quantity.format(type, max));
            }
        });
        queue.max().amounts().forEach((type, amount) -> {
            Amount above = maxAbove.limit(type);
            if (amount.compareTo(above) > 0) {
                queue.resourcePosition("max", type)
                        .problem("max " + shown(type, amount) + " is greater than the max of " + pathAbove + ", "
                                + Quantity.format(type, above));
            }
        });
        Resources max = least(queue.max(), maxAbove);
        Resources sum = Resources.NONE;
        for (QueueDraft child : queue.children()) {
            sum = sum.plus(resources(child, max, queue.path()));
        }
        checkSum(queue, sum, max);
        return queue.guaranteed().isZero() ? sum : queue.guaranteed();
    }

    private static void checkSum(QueueDraft queue, Resources sum, Resources max) {
        sum.amounts().forEach((type, amount) -> {
            Amount guaranteed = queue.guaranteed().limit(type);
            Amount most = max.limit(type);
            String children = "the sum of guaranteed resources below " + queue.path() + ", " + shown(type, amount)
                    + ", is greater than ";
            if (amount.compareTo(guaranteed) > 0) {
                queue.resourcePosition("guaranteed", type)
                        .problem(children + "its own, " + Quantity.format(type, guaranteed));
            } else if (amount.compareTo(most) > 0) {
                queue.resourcePosition("max", type).problem(children + "its max, " + Quantity.format(type, most));
            }
        });
    }

    private static String shown(String type, Amount amount) {
        return type + " " + Quantity.format(type, amount);
    }

    private static void applications(QueueDraft queue) {
        long max = queue.maxApplications();
        for (QueueDraft child : queue.children()) {
            if (max != 0 && child.maxApplications() == 0) {
                child.position("maxapplications")
                        .problem("maxapplications is missing below a queue with a limit: " + queue.path() + " has "
                                + max + ", so " + child.path() + " must have from 1 to " + max);
            } else if (max != 0 && child.maxApplications() > max) {
                child.position("maxapplications")
                        .problem("maxapplications " + child.maxApplications() + " is greater than that of "
                                + queue.path() + ", " + max);
            }
            applications(child);
        }
    }
}
