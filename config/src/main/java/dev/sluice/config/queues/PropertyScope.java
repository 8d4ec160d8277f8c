package dev.sluice.config.queues;

import dev.sluice.core.configuration.SharePolicyKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queues on which a property has an effect. {@link #TABLE} has the scope of every property; the check, its test and
 * the reference go by it.
 */
enum PropertyScope {
    /** Every queue, for itself or for its descendants. */
    EVERYWHERE("every queue"),
    /** The root queue; on other queues the property is an error. */
    ROOT("the root queue"),
    /** Parent queues. */
    PARENT("parents"),
    /** Parents with share policy {@code load}. */
    LOAD_PARENT("parents with share policy `load`"),
    /** Parents with share policy {@code usage}. */
    USAGE_PARENT("parents with share policy `usage`"),
    /** Children of a parent with share policy {@code load}. */
    LOAD_CHILD("children of a `load` parent"),
    /** Children of a parent with share policy {@code usage}. */
    USAGE_CHILD("children of a `usage` parent"),
    /**
     * Queues whose priority is compared by an ancestor with share policy {@code fair} that does not ignore priorities.
     */
    COMPARED_BY_PRIORITY("queues below a `fair` parent that compares priorities"),
    /** Queues with maximum resources, if the partition enables quota preemption; see {@link QuotaPreemptionCheck}. */
    QUOTA("queues with maximum resources, if `quotapreemptionenabled`"),
    /** No queue: a property of YuniKorn without effect in Sluice. */
    NOWHERE("nowhere: no effect in Sluice");

    private final String where;

    PropertyScope(String where) {
        this.where = where;
    }

    /** The queues on which the property has an effect, as a phrase for the reference. */
    String where() {
        return where;
    }

    /** The scope of every property. */
    static final Map<String, PropertyScope> TABLE = table();

    private static Map<String, PropertyScope> table() {
        Map<String, PropertyScope> table = new LinkedHashMap<>();
        table.put(QueuePropertyNames.SHARE_POLICY, PARENT);
        table.put(QueuePropertyNames.LOAD_PERCENT, LOAD_CHILD);
        table.put(QueuePropertyNames.REBALANCE_THRESHOLD, LOAD_PARENT);
        table.put(QueuePropertyNames.REBALANCE_DURATION, LOAD_PARENT);
        table.put(QueuePropertyNames.USAGE_HALFTIME, USAGE_PARENT);
        table.put(QueuePropertyNames.USAGE_PROBABILISTIC, USAGE_PARENT);
        table.put(QueuePropertyNames.USAGE_DRAWS, USAGE_PARENT);
        table.put(QueuePropertyNames.USAGE_FACTOR, USAGE_CHILD);
        table.put(QueuePropertyNames.SORT_POLICY, EVERYWHERE);
        table.put(QueuePropertyNames.SORT_PRIORITY, EVERYWHERE);
        table.put(QueuePropertyNames.PRIORITY_OFFSET, COMPARED_BY_PRIORITY);
        table.put(QueuePropertyNames.PRIORITY_POLICY, COMPARED_BY_PRIORITY);
        table.put(QueuePropertyNames.TASK_TIMEOUT, EVERYWHERE);
        table.put(QueuePropertyNames.ADMISSION_USERS, ROOT);
        table.put(QueuePropertyNames.ADMISSION_PER_USER, ROOT);
        table.put(QueuePropertyNames.PREEMPTION_POLICY, EVERYWHERE);
        table.put(QueuePropertyNames.PREEMPTION_DELAY, EVERYWHERE);
        table.put(QueuePropertyNames.PREEMPTION_PRIORITY, EVERYWHERE);
        table.put(QueuePropertyNames.PREEMPTION_MINIMUM_RUNTIME, EVERYWHERE);
        table.put(QueuePropertyNames.RESERVATION_DELAY, EVERYWHERE);
        table.put(QueuePropertyNames.RESERVATIONS_MAX, ROOT);
        table.put(QueuePropertyNames.RESERVATIONS_DELAYS_MAX, ROOT);
        table.put(QueuePropertyNames.QUOTA_PREEMPTION_DELAY, QUOTA);
        table.put(QueuePropertyNames.BACKOFF, NOWHERE);
        table.put(QueuePropertyNames.BACKOFF_DELAY, NOWHERE);
        return Collections.unmodifiableMap(table);
    }

    /**
     * Returns the warning about a property that has no effect on a queue; null if it has an effect.
     *
     * @param policy the share policy of the queue; null for a leaf
     * @param policyAbove the share policy of its parent; null for the root
     * @param compared whether an ancestor compares the priority of the queue with others
     */
    @Nullable String warning(
            String property,
            String path,
            @Nullable SharePolicyKind policy,
            @Nullable SharePolicyKind policyAbove,
            boolean compared) {
        return switch (this) {
            case EVERYWHERE, ROOT, QUOTA -> null;
            case NOWHERE -> property + " has no effect in Sluice";
            case PARENT -> unless(policy != null, property, "no child queues below " + path);
            case LOAD_PARENT -> needs(SharePolicyKind.LOAD, policy, property, "this queue");
            case USAGE_PARENT -> needs(SharePolicyKind.USAGE, policy, property, "this queue");
            case LOAD_CHILD -> needs(SharePolicyKind.LOAD, policyAbove, property, "the parent queue");
            case USAGE_CHILD -> needs(SharePolicyKind.USAGE, policyAbove, property, "the parent queue");
            case COMPARED_BY_PRIORITY ->
                unless(compared, property, "no parent compares it with other queues by priority");
        };
    }

    private static @Nullable String needs(
            SharePolicyKind wanted, @Nullable SharePolicyKind found, String property, String where) {
        return unless(found == wanted, property, where + " does not have share policy " + wanted.wireName());
    }

    private static @Nullable String unless(boolean hasEffect, String property, String reason) {
        return hasEffect ? null : property + " has no effect: " + reason;
    }
}
