package dev.sluice.simulator.figures;

import dev.sluice.simulator.workload.MalformedLines;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The submitted workload.
 *
 * @param name the name of the workload
 * @param applications the number of applications
 * @param tasks the number of their tasks
 * @param users the number of users that submitted them
 * @param first the time of the first submission
 * @param last the time of the last submission
 * @param work the total demand by resource type: amount × duration, in base units × seconds; includes slots
 * @param timeScale the factor applied to interarrival times
 * @param malformed the lines that could not be read
 */
public record WorkloadFigures(
        String name,
        long applications,
        long tasks,
        long users,
        Instant first,
        Instant last,
        SortedMap<String, Double> work,
        double timeScale,
        MalformedLines malformed) {

    public WorkloadFigures {
        work = Collections.unmodifiableSortedMap(new TreeMap<>(work));
    }
}
