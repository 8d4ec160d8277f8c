package dev.sluice.core.reference;

import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Random limits of users and groups for random partitions, and the groups of random users. */
final class RandomLimits {

    private static final List<String> GROUPS = List.of("dev", "ops", "qa");

    private final RandomSource chance;
    private final List<String> types;
    private final Map<String, List<Limit>> byPath = new HashMap<>();

    RandomLimits(long seed, List<String> types) {
        this.chance = new RandomSource(seed);
        this.types = types;
    }

    /** Returns the partition with limits; some queues keep those from the last call. */
    PartitionConfiguration addTo(PartitionConfiguration partition) {
        return partition.withRoot(addTo(partition.root(), "root"));
    }

    /** Returns the groups of a submission. */
    List<String> groups() {
        return GROUPS.stream().filter(group -> chance.percent(40)).toList();
    }

    private QueueConfiguration addTo(QueueConfiguration queue, String path) {
        if (!byPath.containsKey(path) || chance.percent(40)) {
            byPath.put(path, chance.percent(60) ? limits() : List.of());
        }
        return queue.withLimits(byPath.getOrDefault(path, List.of()))
                .withChildren(queue.children().stream()
                        .map(child -> addTo(child, path + "." + child.name()))
                        .toList());
    }

    private List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        if (chance.percent(40)) {
            limits.add(limit(List.of(chance.of(RandomConfiguration.USERS)), List.of()));
        }
        if (chance.percent(50)) {
            String group = chance.of(GROUPS);
            limits.add(limit(List.of(), List.of(group)));
            if (chance.percent(40)) {
                limits.add(limit(List.of(), List.of(Limit.ALL)));
            }
        }
        if (chance.percent(50)) {
            limits.add(limit(List.of(Limit.ALL), List.of()));
        }
        return limits;
    }

    private Limit limit(List<String> users, List<String> groups) {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (String type : types) {
            if (chance.percent(50)) {
                long units = chance.percent(5) ? 0 : chance.of(1, 2, 4, 8, 16);
                amounts.put(type, new Amount(RandomTasks.unit(type) * units));
            }
        }
        return new Limit("", users, groups, Resources.of(amounts), chance.of(0, 0, 1, 2, 3));
    }
}
