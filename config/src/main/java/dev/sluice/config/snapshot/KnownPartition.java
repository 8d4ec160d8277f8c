package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.problem.SpellingHints;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.SharePolicyKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queues of a partition, for checking references to them. */
final class KnownPartition {

    private static final String DEFAULT_QUEUE = "root.default";

    private final PartitionConfiguration configuration;
    private final Map<String, QueueConfiguration> queues = new LinkedHashMap<>();
    private final boolean createsQueues;

    KnownPartition(PartitionConfiguration configuration) {
        this.configuration = configuration;
        this.createsQueues = configuration.placementRules().stream().anyMatch(KnownPartition::createsQueues);
        addQueues(configuration.root(), "");
    }

    /** Returns these partitions by name. */
    static Map<String, KnownPartition> byName(List<PartitionConfiguration> configurations) {
        Map<String, KnownPartition> partitions = new LinkedHashMap<>();
        configurations.forEach(each -> partitions.put(each.name(), new KnownPartition(each)));
        return partitions;
    }

    private static boolean createsQueues(PlacementRule rule) {
        return rule.create() || (rule.parent() != null && createsQueues(rule.parent()));
    }

    private void addQueues(QueueConfiguration queue, String pathAbove) {
        String path = pathAbove + queue.name();
        queues.put(path, queue);
        queue.children().forEach(child -> addQueues(child, path + "."));
    }

    String name() {
        return configuration.name();
    }

    /** Returns the labels of nodes that name topology domains, the widest first. */
    List<String> topology() {
        return configuration.topology();
    }

    /** Returns whether placement rules create queues. */
    boolean createsQueues() {
        return createsQueues;
    }

    /** Checks the queue that an application requests, unless placement rules interpret its name. */
    void checkLeaf(Field field, String path) {
        if (!configuration.placementRules().isEmpty()) {
            return;
        }
        QueueConfiguration queue = queues.get(path);
        if (queue == null) {
            unknown(field, path);
        } else if (queue.parent()) {
            field.problem(Field.quoted(path) + " is not a leaf: use a queue below it");
        }
    }

    /**
     * Returns whether an application without a queue can be placed: by a placement rule, or in the default queue if
     * there are no rules.
     */
    boolean hasDefaultQueue() {
        QueueConfiguration fallback = queues.get(DEFAULT_QUEUE);
        return !configuration.placementRules().isEmpty() || (fallback != null && !fallback.parent());
    }

    /** Checks that a queue exists or may have been created by placement rules. */
    void checkExists(Field field, String path) {
        if (!queues.containsKey(path) && !createsQueues) {
            unknown(field, path);
        }
    }

    /** Returns why quotas of this queue have no effect, or null. */
    @Nullable String problemWithQuotas(String path) {
        return queues.containsKey(path) ? "quotas has no effect: the queue is part of the configuration" : null;
    }

    /** Returns why the usage priority of this queue has no effect; null if it has one or the queue is unknown. */
    @Nullable String problemWithUsagePriority(String path) {
        int dot = path.lastIndexOf('.');
        return !mayExist(path) || (dot > 0 && policyOf(path.substring(0, dot)) == SharePolicyKind.USAGE)
                ? null
                : "usagepriority has no effect: the parent queue does not have share policy usage";
    }

    /**
     * Returns why {@code overthresholdsince} of this queue has no effect; null if it has one or the queue is unknown.
     */
    @Nullable String problemWithThreshold(String path) {
        if (!mayExist(path)) {
            return null;
        }
        QueueConfiguration queue = queues.get(path);
        if (queue == null || policyOf(path) != SharePolicyKind.LOAD) {
            return "overthresholdsince has no effect: this queue does not have share policy load";
        }
        return queue.properties().load().rebalanceThreshold() == 0
                ? "overthresholdsince has no effect: this queue has no load.rebalance.threshold"
                : null;
    }

    /** Returns why {@code overmaximumsince} of this queue has no effect; null if it has one or the queue is unknown. */
    @Nullable String problemWithMaximum(String path) {
        QueueConfiguration queue = queues.get(path);
        if (queue == null) {
            return null;
        }
        boolean enforced = configuration.quotaPreemption()
                && !queue.properties().preemption().quotaDelay().isZero()
                && !queue.max().isEmpty();
        return enforced ? null : "overmaximumsince has no effect: this queue preempts nothing for its maximum";
    }

    private boolean mayExist(String path) {
        return queues.containsKey(path) || createsQueues;
    }

    /**
     * Returns the share policy of a configured parent; null otherwise. Parents that placement rules create are fair.
     */
    private @Nullable SharePolicyKind policyOf(String path) {
        QueueConfiguration queue = queues.get(path);
        return queue != null && queue.parent() ? queue.properties().sharePolicy() : null;
    }

    private void unknown(Field field, String path) {
        String qualified = "root." + path.toLowerCase(Locale.ROOT);
        if (queues.containsKey(qualified)) {
            field.problem("unknown queue " + Field.quoted(path) + ": did you mean " + Field.quoted(qualified) + "?");
        } else if (SpellingHints.nearest(path, queues.keySet()) == null) {
            field.problem("unknown queue " + Field.quoted(path) + " in partition " + name() + ": leaf queues are "
                    + leaves());
        } else {
            field.unknown("queue", path, queues.keySet());
        }
    }

    private String leaves() {
        StringBuilder names = new StringBuilder();
        int listed = 0;
        for (Map.Entry<String, QueueConfiguration> queue : queues.entrySet()) {
            if (!queue.getValue().parent()) {
                if (listed == 8) {
                    return names + ", …";
                }
                names.append(listed++ == 0 ? "" : ", ").append(queue.getKey());
            }
        }
        return listed == 0 ? "none" : names.toString();
    }
}
