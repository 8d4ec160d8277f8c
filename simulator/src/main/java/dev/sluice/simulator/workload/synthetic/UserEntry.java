package dev.sluice.simulator.workload.synthetic;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A user, or {@code count} users that differ only in their weight.
 *
 * @param name the user's name; for several users the prefix: {@code dev} with a count of 3 is {@code dev-0},
 *     {@code dev-1} and {@code dev-2}
 * @param count the number of users; {@link TaskSpec#SINGLE} for one user without a number
 * @param weights the weight of each of them
 * @param weight their total weight relative to the other entries
 * @param groups the groups of all of them
 * @param queue the queue they request, or null
 * @param tags the tags of their applications
 */
record UserEntry(
        String name,
        int count,
        Weights weights,
        double weight,
        List<String> groups,
        @Nullable String queue,
        SortedMap<String, String> tags) {

    /** The maximum number of users of a workload. */
    static final int COUNT_MAX = 1_000_000;

    /** The submitter where no user is given. */
    static final UserEntry NOBODY = new UserEntry(
            ApplicationSpec.NOBODY,
            TaskSpec.SINGLE,
            Weights.zipf(1, 0),
            1,
            List.of(),
            null,
            Collections.emptySortedMap());

    UserEntry {
        groups = List.copyOf(groups);
        tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
    }

    /** Draws one of them. */
    String draw(RandomStream draws) {
        return count == TaskSpec.SINGLE ? name : name + "-" + weights.draw(draws);
    }
}
