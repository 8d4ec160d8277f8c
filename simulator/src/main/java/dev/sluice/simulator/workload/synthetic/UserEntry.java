package dev.sluice.simulator.workload.synthetic;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who submits, or {@code count} people who are alike but for how much they submit.
 *
 * @param name the user's name; of several the common part: {@code dev} with a count of 3 is {@code dev-0}, {@code dev-1} and
 *     {@code dev-2}
 * @param count how many; {@link TaskSpec#SINGLE} for one whose name is the name itself
 * @param weights how likely each of them is
 * @param weight how likely they are together, beside the other entries
 * @param groups the groups that all of them are in
 * @param queue the queue that they ask for, or null
 * @param tags what is said of their applications
 */
record UserEntry(
        String name,
        int count,
        Weights weights,
        double weight,
        List<String> groups,
        @Nullable String queue,
        SortedMap<String, String> tags) {

    /** The most users of a workload. */
    static final int COUNT_MAX = 1_000_000;

    /** Who submits where nobody is named. */
    static final UserEntry NOBODY = new UserEntry(
            ApplicationSpec.NOBODY,
            TaskSpec.SINGLE,
            Weights.zipf(1, 0),
            1,
            List.of(),
            null,
            Collections.emptySortedMap());

    /** Copies the collections. */
    UserEntry {
        groups = List.copyOf(groups);
        tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
    }

    /** One of them, by lot. */
    String draw(RandomStream draws) {
        return count == TaskSpec.SINGLE ? name : name + "-" + weights.draw(draws);
    }
}
