package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.problem.SpellingHints;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.SharePolicyKind;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What may be referred to in a partition: its queues. */
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

    /** Whether placement rules make queues. */
    boolean createsQueues() {
        return createsQueues;
    }

    /** Checks the queue that an application asks for; placement rules may do with the name what they like. */
    void checkLeaf(Field field, String path) {
        if (!configuration.placementRules().isEmpty()) {
            return;
        }
        QueueConfiguration queue = queues.get(path);
        if (queue == null) {
            unknown(field, path);
        } else if (queue.parent()) {
            field.problem(Field.quoted(path) + " is not a leaf: name one of the queues below it");
        }
    }

    /** Whether an application that asks for no queue can be placed: by a rule, or where such applications go without rules. */
    boolean hasDefaultQueue() {
        QueueConfiguration fallback = queues.get(DEFAULT_QUEUE);
        return !configuration.placementRules().isEmpty() || (fallback != null && !fallback.parent());
    }

    /** Checks a queue that is to be there already, or that placement rules may have made. */
    void checkExists(Field field, String path) {
        if (!queues.containsKey(path) && !createsQueues) {
            unknown(field, path);
        }
    }

    /** Why the usage priority of this queue has no effect, or null if it has one or the queue is not known. */
    @Nullable String problemWithUsagePriority(String path) {
        int dot = path.lastIndexOf('.');
        return !mayExist(path) || (dot > 0 && policyOf(path.substring(0, dot)) == SharePolicyKind.USAGE)
                ? null
                : "usagepriority has no effect: the queue above it does not have the share policy usage";
    }

    /** Why it has no effect since when this queue has been above its threshold, or null if it has one or the queue is not known. */
    @Nullable String problemWithThreshold(String path) {
        if (!mayExist(path)) {
            return null;
        }
        QueueConfiguration queue = queues.get(path);
        if (queue == null || policyOf(path) != SharePolicyKind.LOAD) {
            return "overthresholdsince has no effect: this queue does not have the share policy load";
        }
        return queue.properties().load().rebalanceThreshold() == 0
                ? "overthresholdsince has no effect: this queue has no load.rebalance.threshold"
                : null;
    }

    private boolean mayExist(String path) {
        return queues.containsKey(path) || createsQueues;
    }

    /** The share policy of this parent, or null; those that placement rules make are fair. */
    private @Nullable SharePolicyKind policyOf(String path) {
        QueueConfiguration queue = queues.get(path);
        return queue != null && queue.parent() ? queue.properties().sharePolicy() : null;
    }

    private void unknown(Field field, String path) {
        String qualified = "root." + path.toLowerCase(Locale.ROOT);
        if (queues.containsKey(qualified)) {
            field.problem("unknown queue " + Field.quoted(path) + ": did you mean " + Field.quoted(qualified) + "?");
        } else if (SpellingHints.to(path, queues.keySet()) == null) {
            field.problem("unknown queue " + Field.quoted(path) + " in partition " + name() + ": the leaf queues are "
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
