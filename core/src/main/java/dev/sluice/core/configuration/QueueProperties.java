package dev.sluice.core.configuration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a queue, typed. What is null was not given: sort policy, sort priority and task timeout are then the parent
 * queue's, the first two as in YuniKorn; the others are never inherited.
 *
 * @param applicationSortPolicy the order of applications; null: the parent's, {@code fifo} at the top
 * @param applicationSortPriority whether priorities count; null: the parent's, true at the top
 * @param priorityOffset added to the queue's priority
 * @param priorityFence whether the priority inside is hidden, so that the queue's is the offset alone
 * @param sharePolicy how a parent divides what is free
 * @param loadPercent class load %, of a child of a {@code load} parent; null: not given
 * @param loadRebalanceThreshold spread in percentage points above which a {@code load} parent rebalances; 0: never
 * @param loadRebalanceMinimumDuration how long the spread must stay above the threshold
 * @param usagePriorityHalftime half-life of usage, of a {@code usage} parent; above zero
 * @param usageProbabilisticAll whether everything is drawn by lot
 * @param usagePriorityFactor factor of a child of a {@code usage} parent; above zero
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
        @Nullable Integer loadPercent,
        int loadRebalanceThreshold,
        Duration loadRebalanceMinimumDuration,
        Duration usagePriorityHalftime,
        boolean usageProbabilisticAll,
        double usagePriorityFactor,
        @Nullable Duration taskTimeout,
        AdmissionLimits admission) {

    /** What holds when nothing is given. */
    public static final QueueProperties DEFAULTS = new QueueProperties(
            null,
            null,
            0,
            false,
            SharePolicyKind.FAIR,
            null,
            0,
            Duration.ofMinutes(4),
            Duration.ofMinutes(20),
            false,
            1,
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
                loadPercent,
                loadRebalanceThreshold,
                loadRebalanceMinimumDuration,
                usagePriorityHalftime,
                usageProbabilisticAll,
                usagePriorityFactor,
                taskTimeout,
                admission);
    }

    /** These properties with another treatment of priorities. */
    public QueueProperties withPriorities(@Nullable Boolean sortPriority, int offset, boolean fence) {
        return new QueueProperties(
                applicationSortPolicy,
                sortPriority,
                offset,
                fence,
                sharePolicy,
                loadPercent,
                loadRebalanceThreshold,
                loadRebalanceMinimumDuration,
                usagePriorityHalftime,
                usageProbabilisticAll,
                usagePriorityFactor,
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
                loadPercent,
                loadRebalanceThreshold,
                loadRebalanceMinimumDuration,
                usagePriorityHalftime,
                usageProbabilisticAll,
                usagePriorityFactor,
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
                loadPercent,
                loadRebalanceThreshold,
                loadRebalanceMinimumDuration,
                usagePriorityHalftime,
                usageProbabilisticAll,
                usagePriorityFactor,
                taskTimeout,
                limits);
    }

    /** These properties with another share policy. */
    public QueueProperties withSharePolicy(SharePolicyKind kind) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                kind,
                loadPercent,
                loadRebalanceThreshold,
                loadRebalanceMinimumDuration,
                usagePriorityHalftime,
                usageProbabilisticAll,
                usagePriorityFactor,
                taskTimeout,
                admission);
    }

    /** These properties with another class load %. */
    public QueueProperties withLoadPercent(int percent) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                sharePolicy,
                percent,
                loadRebalanceThreshold,
                loadRebalanceMinimumDuration,
                usagePriorityHalftime,
                usageProbabilisticAll,
                usagePriorityFactor,
                taskTimeout,
                admission);
    }

    /** These properties with another way to rebalance. */
    public QueueProperties withRebalance(int threshold, Duration minimumDuration) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                sharePolicy,
                loadPercent,
                threshold,
                minimumDuration,
                usagePriorityHalftime,
                usageProbabilisticAll,
                usagePriorityFactor,
                taskTimeout,
                admission);
    }
}
