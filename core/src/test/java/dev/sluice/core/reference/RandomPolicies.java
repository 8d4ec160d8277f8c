package dev.sluice.core.reference;

import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Random share and sort policies for random partitions, mixed at every level of the tree. */
final class RandomPolicies {

    private static final int FAVOURITE_PERCENT = 50;

    private final RandomSource chance;
    private final SharePolicyKind favourite;
    private final Map<String, Settings> byPath = new HashMap<>();

    private record Settings(
            SharePolicyKind sharing, ApplicationSortPolicy sorting, LoadProperties load, UsageProperties usage) {}

    RandomPolicies(long seed) {
        this.chance = new RandomSource(seed);
        this.favourite = chance.of(SharePolicyKind.values());
    }

    /** Returns the partition with these policies; some queues keep those from the last call. */
    PartitionConfiguration addTo(PartitionConfiguration partition) {
        return partition.withRoot(addTo(partition.root(), "root"));
    }

    private QueueConfiguration addTo(QueueConfiguration queue, String path) {
        if (!byPath.containsKey(path) || chance.percent(20)) {
            byPath.put(path, settings());
        }
        Settings settings = byPath.get(path);
        QueueProperties properties = queue.properties()
                .withSharePolicy(settings.sharing)
                .withApplicationSortPolicy(settings.sorting)
                .withLoad(settings.load)
                .withUsage(settings.usage);
        return queue.withProperties(properties)
                .withChildren(queue.children().stream()
                        .map(child -> addTo(child, path + "." + child.name()))
                        .toList());
    }

    private Settings settings() {
        return new Settings(
                chance.percent(FAVOURITE_PERCENT) ? favourite : chance.of(SharePolicyKind.values()),
                chance.of(ApplicationSortPolicy.values()),
                new LoadProperties(
                        chance.percent(5) ? null : chance.of(0, 10, 30, 30, 50, 50, 70, 100),
                        chance.of(0, 1, 5, 20),
                        Duration.ofMillis(chance.of(1, 1, 1_000, 20_000))),
                new UsageProperties(
                        Duration.ofSeconds(chance.of(30, 600, 1_200)),
                        chance.percent(25),
                        chance.of(1, 3, 1_000_000, 1_000_000, 1_000_000),
                        chance.of(1.0, 1.0, 2.0, 4.0, 0.1)));
    }
}
