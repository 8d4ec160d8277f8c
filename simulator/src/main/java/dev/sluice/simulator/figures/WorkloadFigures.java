package dev.sluice.simulator.figures;

import dev.sluice.simulator.workload.MalformedLines;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was submitted, and to what nodes.
 *
 * @param name of the workload
 * @param applications how many
 * @param tasks how many they have together
 * @param users how many people submitted them
 * @param first when the first was submitted
 * @param last when the last was submitted
 * @param work what it takes in all, by resource type: amount × duration, in base units × seconds; slots too
 * @param nodes how many nodes there are
 * @param capacity what they have together, by resource type, in base units
 * @param timeScale what the times between submissions were multiplied by
 * @param malformed what could not be read of it
 */
public record WorkloadFigures(
        String name,
        long applications,
        long tasks,
        long users,
        Instant first,
        Instant last,
        SortedMap<String, Double> work,
        int nodes,
        SortedMap<String, Long> capacity,
        double timeScale,
        MalformedLines malformed) {

    /** Copies the maps. */
    public WorkloadFigures {
        work = Collections.unmodifiableSortedMap(new TreeMap<>(work));
        capacity = Collections.unmodifiableSortedMap(new TreeMap<>(capacity));
    }
}
