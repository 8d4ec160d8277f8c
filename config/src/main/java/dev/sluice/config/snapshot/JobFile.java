package dev.sluice.config.snapshot;

import dev.sluice.config.problem.Problem;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Amount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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
        Map<String, SortedMap<String, Amount>> largest = largestCapacities(available);
        List<Problem> missing = new ArrayList<>();
        for (RequestedType type : requestedTypes) {
            SortedMap<String, Amount> known = largest.getOrDefault(type.partition(), Collections.emptySortedMap());
            if (!known.containsKey(type.type())) {
                missing.add(type.problem(file, type.message(known.keySet())));
            }
        }
        return missing;
    }

    /** Returns a problem for each requested resource type of which a task requests more than any of these nodes has. */
    public List<Problem> tooLargeProblems(String file, List<NodeEntry> available) {
        Map<String, SortedMap<String, Amount>> largest = largestCapacities(available);
        List<Problem> tooLarge = new ArrayList<>();
        for (RequestedType type : requestedTypes) {
            Amount most = largest.getOrDefault(type.partition(), Collections.emptySortedMap())
                    .get(type.type());
            if (most != null && most.compareTo(type.amount()) < 0) {
                tooLarge.add(type.problem(file, type.tooLargeMessage(most)));
            }
        }
        return tooLarge;
    }

    /** Returns the largest capacity of a node by partition and resource type. */
    private static Map<String, SortedMap<String, Amount>> largestCapacities(List<NodeEntry> nodes) {
        Map<String, SortedMap<String, Amount>> largest = new HashMap<>();
        for (NodeEntry node : nodes) {
            SortedMap<String, Amount> of = largest.computeIfAbsent(node.partition(), name -> new TreeMap<>());
            node.capacity().amounts().forEach((type, amount) -> {
                if (amount.value() > 0) {
                    of.merge(type, amount, (one, other) -> one.compareTo(other) < 0 ? other : one);
                }
            });
        }
        return largest;
    }
}
