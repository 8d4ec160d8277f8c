package dev.sluice.simulator.workload.synthetic;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A kind of application with common distributions.
 *
 * @param name the prefix of the ids: application number 7 of the kind {@code etl} is {@code etl-7}
 * @param weight the submission rate relative to the other kinds
 * @param daily the daily cycle of submissions
 * @param burst the number of applications that the same user submits at once
 * @param partition the partition of the submissions
 * @param users the users that submit them
 * @param userWeights the weights of these users
 * @param tasks the number of tasks per application
 * @param resources the requests of each task by resource type
 * @param duration the run time of its tasks
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

    /** The maximum number of kinds of a workload. */
    static final int COUNT_MAX = 1000;

    ApplicationKind {
        users = List.copyOf(users);
        resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
    }
}
