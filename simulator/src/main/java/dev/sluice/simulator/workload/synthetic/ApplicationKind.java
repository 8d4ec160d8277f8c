package dev.sluice.simulator.workload.synthetic;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Applications that are drawn alike.
 *
 * @param name what they have their ids from: the application with the number 7 of the kind {@code etl} is {@code etl-7}
 * @param weight how often one is submitted, beside the other kinds
 * @param daily when they are submitted
 * @param burst how many are submitted at once, by the same user
 * @param partition the partition they are submitted to
 * @param users who submits them
 * @param userWeights how likely each of these entries is
 * @param tasks how many tasks one has
 * @param resources what each task takes, by resource type
 * @param duration how long its tasks run
 * @param priority the priority of its tasks
 */
record ApplicationKind(
        String name,
        double weight,
        DailyCycle daily,
        Distribution burst,
        String partition,
        List<UserEntry> users,
        Weights userWeights,
        Distribution tasks,
        SortedMap<String, Distribution> resources,
        Distribution duration,
        Distribution priority) {

    /** The most kinds of a workload. */
    static final int COUNT_MAX = 1000;

    /** Copies the collections. */
    ApplicationKind {
        users = List.copyOf(users);
        resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
    }
}
