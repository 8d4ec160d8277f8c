package dev.sluice.core.reference;

import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Random partitions: queue trees of every kind, node orders and placement rules. */
final class RandomConfiguration {

    static final List<String> USERS = List.of("alice", "bob", "carol.x");

    static final List<String> NAMES = List.of("a", "b", "c", "d");

    private final RandomSource chance;
    private final String partition;
    private final List<String> types;
    private final int depth;
    private final int quotaPercent;
    private final boolean contended;
    private final int priorityPercent;
    private final boolean rules;
    private final int loadPolicyPercent;
    private final int thresholdMax;
    private final int usagePolicyPercent;

    /** Generates partitions of load classes that are mostly unbalanced, with maxima. */
    static RandomConfiguration ofClasses(RandomSource chance, String partition, List<String> types) {
        return new RandomConfiguration(
                chance, partition, types, true, chance.percent(10), chance.of(0, 10, 25), chance.of(1, 20));
    }

    /**
     * Generates partitions with these resource types; {@code classes}: mostly parents that share by load;
     * {@code usage}: often by usage.
     */
    RandomConfiguration(RandomSource chance, String partition, List<String> types, boolean classes, boolean usage) {
        this(chance, partition, types, classes, usage, classes ? 0 : chance.of(0, 0, 20, 50), 0);
    }

    private RandomConfiguration(
            RandomSource chance,
            String partition,
            List<String> types,
            boolean classes,
            boolean usage,
            int quotaPercent,
            int thresholdMax) {
        this.chance = chance;
        this.partition = partition;
        this.types = types;
        depth = classes ? 2 + chance.below(2) : 1 + chance.below(4);
        this.quotaPercent = quotaPercent;
        this.contended = thresholdMax > 0;
        priorityPercent = chance.of(0, 30);
        rules = depth > 1 && chance.percent(30);
        loadPolicyPercent = classes ? chance.of(70, 100) : chance.of(0, 40, 80, 100);
        this.thresholdMax = thresholdMax > 0 ? thresholdMax : chance.of(1, 20, 60);
        usagePolicyPercent = usage ? chance.of(40, 70, 100) : 0;
    }

    PartitionConfiguration make() {
        return partition(queue("root", 1));
    }

    /** Returns the partition with other settings, or one queue more or less. */
    PartitionConfiguration change(PartitionConfiguration configuration) {
        return partition(change(configuration.root(), 1));
    }

    private PartitionConfiguration partition(QueueConfiguration root) {
        return new PartitionConfiguration(
                partition,
                root,
                rules ? placementRules() : List.of(),
                chance.of(NodeSortPolicy.values()),
                chance.percent(50) ? PartitionConfiguration.DEFAULT_WEIGHTS : weights(),
                true);
    }

    private SortedMap<String, Double> weights() {
        SortedMap<String, Double> weights = new TreeMap<>();
        for (String type : types) {
            if (chance.percent(60)) {
                weights.put(type, chance.of(0.0, 1.0, 1.0, 0.5, 4.0));
            }
        }
        return weights;
    }

    private QueueConfiguration queue(String name, int level) {
        boolean parent = level < depth && (level == 1 || chance.percent(70));
        List<QueueConfiguration> children = new ArrayList<>();
        if (parent) {
            int count = chance.of(1, 2, 2, 3, 4);
            for (int i = 0; i < count; i++) {
                children.add(queue(NAMES.get(i), level + 1));
            }
        }
        return settings(name, parent, children);
    }

    private QueueConfiguration change(QueueConfiguration queue, int level) {
        List<QueueConfiguration> children = new ArrayList<>();
        for (QueueConfiguration child : queue.children()) {
            if (!chance.percent(10)) {
                children.add(change(child, level + 1));
            }
        }
        String added = chance.of(NAMES);
        boolean known = children.stream().anyMatch(child -> child.name().equals(added));
        if (queue.parent() && !known && level < depth && chance.percent(20)) {
            children.add(chance.below(children.size() + 1), queue(added, level + 1));
        }
        if (chance.percent(30)) {
            return settings(queue.name(), queue.parent(), children);
        }
        return new QueueConfiguration(
                queue.name(),
                queue.parent(),
                queue.guaranteed(),
                queue.max(),
                queue.maxApplications(),
                queue.properties(),
                "",
                "",
                List.of(),
                queue.childTemplate(),
                children);
    }

    private QueueConfiguration settings(String name, boolean parent, List<QueueConfiguration> children) {
        ChildTemplate template = parent && chance.percent(30)
                ? new ChildTemplate(chance.of(0, 1, 2), amounts(quotaPercent), amounts(quotaPercent), properties())
                : null;
        return new QueueConfiguration(
                name,
                parent,
                amounts(quotaPercent),
                amounts(quotaPercent),
                chance.percent(quotaPercent) ? 1 + chance.below(3) : 0,
                name.equals("root") ? properties().withAdmission(admission()) : properties(),
                "",
                "",
                List.of(),
                template,
                children);
    }

    private Resources amounts(int percent) {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (String type : types) {
            if (chance.percent(percent)) {
                amounts.put(
                        type,
                        new Amount(RandomTasks.unit(type) * (chance.percent(4) ? 0 : chance.of(1, 2, 4, 4, 8, 16))));
            }
        }
        return Resources.of(amounts);
    }

    private AdmissionLimits admission() {
        return new AdmissionLimits(chance.of(0, 0, 0, 0, 0, 0, 0, 2), chance.of(0, 0, 0, 0, 0, 0, 0, 2, 6));
    }

    private QueueProperties properties() {
        QueueProperties properties = QueueProperties.DEFAULTS;
        @Nullable ApplicationSortPolicy sort = chance.percent(20) ? null : chance.of(ApplicationSortPolicy.values());
        if (sort != null) {
            properties = properties.withApplicationSortPolicy(sort);
        }
        if (chance.percent(priorityPercent)) {
            properties = properties.withPriorities(
                    chance.percent(50) ? null : chance.percent(50), chance.of(-5, -1, 0, 0, 1, 5), chance.percent(30));
        }
        properties = properties.withTaskTimeout(chance.percent(20) ? Duration.ofMinutes(chance.of(1, 2, 5)) : null);
        properties = loadPolicyPercent == 0 ? properties : withLoad(properties);
        return usagePolicyPercent == 0 ? properties : withUsage(properties);
    }

    private QueueProperties withLoad(QueueProperties properties) {
        Integer percent = chance.percent(5) ? null : Integer.valueOf(loadPercent());
        return properties
                .withSharePolicy(chance.percent(loadPolicyPercent) ? SharePolicyKind.LOAD : SharePolicyKind.FAIR)
                .withLoad(new LoadProperties(percent, threshold(), minimumDuration()));
    }

    private QueueProperties withUsage(QueueProperties properties) {
        return (chance.percent(usagePolicyPercent) ? properties.withSharePolicy(SharePolicyKind.USAGE) : properties)
                .withUsage(new UsageProperties(
                        Duration.ofSeconds(chance.of(30, 600, 1200)),
                        chance.percent(25),
                        chance.of(1, 3, 1_000_000, 1_000_000, 1_000_000),
                        chance.of(1.0, 1.0, 2.0, 4.0, 0.1)));
    }

    /** Returns a class load %; those of several classes rarely add up to 100. */
    int loadPercent() {
        return contended ? chance.of(0, 10, 30, 30, 50, 50, 70, 100) : chance.of(0, 1, 10, 20, 30, 50, 70, 100);
    }

    /** Returns a rebalance threshold, often 0: never. */
    int threshold() {
        return chance.percent(20) ? 0 : 1 + chance.below(thresholdMax);
    }

    /**
     * Returns a rebalance minimum duration, longer than the time between the removal of a lost node and the cycle
     * before.
     */
    Duration minimumDuration() {
        if (contended) {
            return Duration.ofMillis(chance.of(1, 1_000));
        }
        return Duration.ofMillis(chance.of(1, 1_000, 1_000, 20_000, 20_000, 60_000, 120_000));
    }

    private List<PlacementRule> placementRules() {
        PlacementRule.Kind kind = chance.of(PlacementRule.Kind.USER, PlacementRule.Kind.TAG);
        PlacementRule above =
                new PlacementRule(PlacementRule.Kind.FIXED, "a", chance.percent(50), null, RuleFilter.EVERYBODY);
        RuleFilter filter = chance.percent(50)
                ? RuleFilter.EVERYBODY
                : new RuleFilter(chance.percent(50), List.of(chance.of("alice", "b.*")), List.of());
        return List.of(
                new PlacementRule(
                        kind,
                        kind == PlacementRule.Kind.TAG ? "team" : "",
                        true,
                        chance.percent(50) ? above : null,
                        filter),
                new PlacementRule(PlacementRule.Kind.PROVIDED, "", chance.percent(50), null, RuleFilter.EVERYBODY),
                new PlacementRule(PlacementRule.Kind.FIXED, "root.b", true, null, RuleFilter.EVERYBODY));
    }
}
