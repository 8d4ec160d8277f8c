package dev.sluice.config.queues;

import dev.sluice.core.configuration.SharePolicyKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a property of a queue has an effect. {@link #TABLE} holds it for every property; the check and its test are made from it. */
enum PropertyScope {
    /** On every queue, for itself or for the queues below it. */
    EVERYWHERE("every queue"),
    /** On the root queue; elsewhere it is an error. */
    ROOT("the root queue"),
    /** On a queue that holds queues. */
    PARENT("parents"),
    /** On a queue that divides by load percentages. */
    LOAD_PARENT("parents with share policy `load`"),
    /** On a queue that divides by usage. */
    USAGE_PARENT("parents with share policy `usage`"),
    /** On a child of a queue that divides by load percentages. */
    LOAD_CHILD("children of a `load` parent"),
    /** On a child of a queue that divides by usage. */
    USAGE_CHILD("children of a `usage` parent"),
    /** On a queue whose priority counts in a queue above it, which is fair and does not ignore priorities. */
    COMPARED_BY_PRIORITY("queues below a `fair` parent that compares priorities"),
    /** Nowhere yet. */
    NOT_ENFORCED("nowhere: not enforced yet"),
    /** Nowhere: only YuniKorn has it. */
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
        table.put(QueuePropertyNames.PREEMPTION_POLICY, NOT_ENFORCED);
        table.put(QueuePropertyNames.PREEMPTION_DELAY, NOT_ENFORCED);
        table.put(QueuePropertyNames.QUOTA_PREEMPTION_DELAY, NOT_ENFORCED);
        table.put(QueuePropertyNames.BACKOFF, NOWHERE);
        table.put(QueuePropertyNames.BACKOFF_DELAY, NOWHERE);
        return Collections.unmodifiableMap(table);
    }

    /**
     * The warning about a property on a queue where it has no effect, or null if it has one.
     *
     * @param policy the queue's share policy, or null if it is a leaf
     * @param policyAbove the share policy of the queue above it, or null if it is root
     * @param compared whether a queue above it compares its priority with others
     */
    @Nullable String warning(
            String property,
            String path,
            @Nullable SharePolicyKind policy,
            @Nullable SharePolicyKind policyAbove,
            boolean compared) {
        return switch (this) {
            case EVERYWHERE, ROOT -> null;
            case NOT_ENFORCED -> property + " is not enforced yet";
            case NOWHERE -> property + " has no effect in Sluice";
            case PARENT -> unless(policy != null, property, "there is no queue below " + path);
            case LOAD_PARENT -> needs(SharePolicyKind.LOAD, policy, property, "this queue");
            case USAGE_PARENT -> needs(SharePolicyKind.USAGE, policy, property, "this queue");
            case LOAD_CHILD -> needs(SharePolicyKind.LOAD, policyAbove, property, "the queue above it");
            case USAGE_CHILD -> needs(SharePolicyKind.USAGE, policyAbove, property, "the queue above it");
            case COMPARED_BY_PRIORITY ->
                unless(compared, property, "no queue above it orders its children by priority");
        };
    }

    private static @Nullable String needs(
            SharePolicyKind wanted, @Nullable SharePolicyKind found, String property, String where) {
        return unless(found == wanted, property, where + " does not have the share policy " + wanted.wireName());
    }

    private static @Nullable String unless(boolean hasEffect, String property, String reason) {
        return hasEffect ? null : property + " has no effect: " + reason;
    }
}
