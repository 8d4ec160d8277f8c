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
 * What {@code sluice run} is given: applications whose tasks have commands.
 *
 * @param at when they are submitted, where a file does not say so
 * @param seed of the random generator
 * @param partitions how they share the machine; the simplest if the file does not say so
 * @param nodes the parts of this machine that they run on; empty for the machine as it is
 * @param applications the applications; every task has a command
 * @param queues what queues have used before; no task tells that
 * @param requestedTypes the resource types that tasks ask for
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

    /** What tasks ask for and none of these nodes has, as problems of the file of this name. */
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
