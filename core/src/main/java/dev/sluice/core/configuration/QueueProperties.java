package dev.sluice.core.configuration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The typed properties of a queue. Null means not set: sort policy, sort priority and task timeout are then inherited
 * from the parent queue, the first two as in YuniKorn; other properties are never inherited.
 *
 * @param applicationSortPolicy the order of applications; null: that of the nearest ancestor that sets one, else
 *     {@code fewestrunning} for a child of a parent that shares by load and {@code fifo} for other queues
 * @param applicationSortPriority whether priorities count; null: inherited, true at root
 * @param priorityOffset added to the queue's priority
 * @param priorityFence whether priorities below the queue are hidden, so that its priority is the offset alone
 * @param sharePolicy how a parent divides free capacity
 * @param load properties of the share policy {@code load}, of a parent or its children
 * @param usage properties of the share policy {@code usage}, of a parent or its children
 * @param taskTimeout the default maximum duration of one run of a task, greater than 0; null: inherited, unlimited at
 *     root
 * @param admission limits on what the partition accepts at once; only on the root queue
 * @param preemption whom the tasks below it preempt, and what protects them
 * @param reservation when nodes are reserved for its tasks
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
        AdmissionLimits admission,
        PreemptionProperties preemption,
        ReservationProperties reservation) {

    public static final QueueProperties DEFAULTS = new QueueProperties(
            null,
            null,
            0,
            false,
            SharePolicyKind.FAIR,
            LoadProperties.DEFAULTS,
            UsageProperties.DEFAULTS,
            null,
            AdmissionLimits.NONE,
            PreemptionProperties.DEFAULTS,
            ReservationProperties.DEFAULTS);

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
                admission,
                preemption,
                reservation);
    }

    public QueueProperties withPriorities(@Nullable Boolean sortPriority, int offset, boolean fence) {
        return new QueueProperties(
                applicationSortPolicy,
                sortPriority,
                offset,
                fence,
                sharePolicy,
                load,
                usage,
                taskTimeout,
                admission,
                preemption,
                reservation);
    }

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
                admission,
                preemption,
                reservation);
    }

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
                admission,
                preemption,
                reservation);
    }

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
                admission,
                preemption,
                reservation);
    }

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
                admission,
                preemption,
                reservation);
    }

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
                limits,
                preemption,
                reservation);
    }

    public QueueProperties withPreemption(PreemptionProperties properties) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                sharePolicy,
                load,
                usage,
                taskTimeout,
                admission,
                properties,
                reservation);
    }

    public QueueProperties withReservation(ReservationProperties properties) {
        return new QueueProperties(
                applicationSortPolicy,
                applicationSortPriority,
                priorityOffset,
                priorityFence,
                sharePolicy,
                load,
                usage,
                taskTimeout,
                admission,
                preemption,
                properties);
    }
}
