package dev.sluice.config.snapshot;

import dev.sluice.config.problem.Problem;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A job file for {@code sluice run}: applications whose tasks have commands.
 *
 * @param at when applications are submitted, unless the file says so
 * @param seed the random seed
 * @param partitions the partitions; the simplest one if the file has none
 * @param nodes parts of this machine to run tasks on; empty for the whole machine
 * @param applications the applications; every task has a command
 * @param queues past usage of queues
 * @param requestedTypes the resource types that tasks request
 */
public record JobFile(
        Instant at,
        long seed,
        List<PartitionConfiguration> partitions,
        List<NodeEntry> nodes,
        List<ApplicationEntry> applications,
        List<QueueEntry> queues,
        List<RequestedType> requestedTypes) {

    /** Copies the lists. */
    public JobFile {
        partitions = List.copyOf(partitions);
        nodes = List.copyOf(nodes);
        applications = List.copyOf(applications);
        queues = List.copyOf(queues);
        requestedTypes = List.copyOf(requestedTypes);
    }

    /**
     * Returns a problem for each requested resource type that none of these nodes has; {@code file} is used in
     * messages.
     */
    public List<Problem> missingTypeProblems(String file, List<NodeEntry> available) {
        Map<String, SortedSet<String>> types = new HashMap<>();
        for (NodeEntry node : available) {
            SortedSet<String> known = types.computeIfAbsent(node.partition(), name -> new TreeSet<>());
            node.capacity().amounts().forEach((type, amount) -> {
                if (amount.value() > 0) {
                    known.add(type);
                }
            });
        }
        List<Problem> missing = new ArrayList<>();
        for (RequestedType type : requestedTypes) {
            SortedSet<String> known = types.getOrDefault(type.partition(), Collections.emptySortedSet());
            if (!known.contains(type.type())) {
                missing.add(type.problem(file, known));
            }
        }
        return missing;
    }
}
