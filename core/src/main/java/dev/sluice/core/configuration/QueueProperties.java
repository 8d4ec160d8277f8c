package dev.sluice.core.configuration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a queue, typed. What is null was not given: sort policy, sort priority and task timeout are then the parent
 * queue's, the first two as in YuniKorn; the others are never inherited.
 *
 * @param applicationSortPolicy the order of applications; null: that of the nearest queue above that has one; if none has, {@code
 *     fewestrunning} for a child of a queue that shares by load, else {@code fifo}
 * @param applicationSortPriority whether priorities count; null: the parent's, true at the top
 * @param priorityOffset added to the queue's priority
 * @param priorityFence whether the priority inside is hidden, so that the queue's is the offset alone
 * @param sharePolicy how a parent divides what is free
 * @param load what the share policy {@code load} goes by, of a parent or of the queues below it
 * @param usage what the share policy {@code usage} goes by, of a parent or of the queues below it
 * @param taskTimeout how long one run of a task may take that does not say so itself, above zero; null: the parent's, no limit at
 *     the top
 * @param admission how much the partition takes in at once; of the root queue alone
 */
public record QueueProperties(
        @Nullable ApplicationSortPolicy applicationSortPolicy,
        @Nullable Boolean applicationSortPriority,
        int priorityOffset,
        boolean priorityFence,
        SharePolicyKind sharePolicy,
        LoadProperties load,
        UsageProperties usage,
        @Nullable Duration taskTimeout,
        AdmissionLimits admission) {

    /** What holds when nothing is given. */
    public static final QueueProperties DEFAULTS = new QueueProperties(
            null,
            null,
            0,
            false,
            SharePolicyKind.FAIR,
            LoadProperties.DEFAULTS,
            UsageProperties.DEFAULTS,
            null,
            AdmissionLimits.NONE);

    /** These properties with another order of applications. */
    public QueueProperties withApplicationSortPolicy(ApplicationSortPolicy policy) {
        return new QueueProperties(
                policy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                sharePolicy,
                load,
                usage,
                taskTimeout,
                admission);
    }

    /** These properties with another treatment of priorities. */
    public QueueProperties withPriorities(@Nullable Boolean sortPriority, int offset, boolean fence) {
        return new QueueProperties(
                applicationSortPolicy, sortPriority, offset, fence, sharePolicy, load, usage, taskTimeout, admission);
    }

    /** These properties with another share policy. */
    public QueueProperties withSharePolicy(SharePolicyKind kind) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                kind,
                load,
                usage,
                taskTimeout,
                admission);
    }

    /** These properties with others for the share policy {@code load}. */
    public QueueProperties withLoad(LoadProperties properties) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                sharePolicy,
                properties,
                usage,
                taskTimeout,
                admission);
    }

    /** These properties with others for the share policy {@code usage}. */
    public QueueProperties withUsage(UsageProperties properties) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                sharePolicy,
                load,
                properties,
                taskTimeout,
                admission);
    }

    /** These properties with another time limit for tasks. */
    public QueueProperties withTaskTimeout(@Nullable Duration timeout) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                sharePolicy,
                load,
                usage,
                timeout,
                admission);
    }

    /** These properties with other limits of what the partition takes in. */
    public QueueProperties withAdmission(AdmissionLimits limits) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                sharePolicy,
                load,
                usage,
                taskTimeout,
                limits);
    }
}
