package dev.sluice.server.page;

import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.util.List;
import java.util.Map;

/** Builds views of queues for tests of pages. Amounts are in base units. */
public record QueueFixture(
        String path,
        boolean leaf,
        String policy,
        Map<String, Long> guaranteed,
        Map<String, Long> max,
        Map<String, Long> allocated,
        Map<String, Long> pending,
        long allocatedTasks,
        long pendingTasks,
        ShareView share) {

    static final ShareView NO_SHARE =
            new ShareView(null, null, null, null, null, null, null, null, null, null, null, null, null);

    public static QueueFixture leaf(String path) {
        return of(path, true, "fifo");
    }

    public static QueueFixture parent(String path, String policy) {
        return of(path, false, policy);
    }

    private static QueueFixture of(String path, boolean leaf, String policy) {
        return new QueueFixture(path, leaf, policy, Map.of(), Map.of(), Map.of(), Map.of(), 0, 0, NO_SHARE);
    }

    public QueueFixture withQuotas(Map<String, Long> newGuaranteed, Map<String, Long> newMax) {
        return new QueueFixture(
                path, leaf, policy, newGuaranteed, newMax, allocated, pending, allocatedTasks, pendingTasks, share);
    }

    public QueueFixture withAllocated(long tasks, Map<String, Long> amounts) {
        return new QueueFixture(path, leaf, policy, guaranteed, max, amounts, pending, tasks, pendingTasks, share);
    }

    public QueueFixture withPending(long tasks, Map<String, Long> amounts) {
        return new QueueFixture(path, leaf, policy, guaranteed, max, allocated, amounts, allocatedTasks, tasks, share);
    }

    public QueueFixture withShare(ShareView newShare) {
        return new QueueFixture(
                path, leaf, policy, guaranteed, max, allocated, pending, allocatedTasks, pendingTasks, newShare);
    }

    public QueueFixture withDominant(double dominant) {
        return withShare(
                new ShareView(dominant, null, null, null, null, null, null, null, null, null, null, null, null));
    }

    /** A child of a {@code load} parent, with tasks of one core each. */
    public static QueueFixture loadClass(String path, int percent, int entitlement, long running, long waiting) {
        return leaf(path)
                .withAllocated(running, running == 0 ? Map.of() : Map.of("vcore", running * 1000))
                .withPending(waiting, waiting == 0 ? Map.of() : Map.of("vcore", waiting * 1000))
                .withShare(new ShareView(
                        null,
                        percent,
                        entitlement,
                        (int) Math.max(0, running - entitlement),
                        0,
                        (int) waiting,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null));
    }

    /** The share of a child of a {@code usage} parent with this factor. */
    static ShareView usage(
            double usage,
            double priority,
            double factor,
            double fraction,
            Map<String, Long> due,
            Map<String, Long> slice) {
        return new ShareView(
                null,
                null,
                null,
                null,
                null,
                null,
                usage,
                priority,
                factor,
                Math.max(priority, 0.5) * factor,
                fraction,
                due,
                slice);
    }

    public QueueView view() {
        return new QueueView(
                path,
                path.substring(path.lastIndexOf('.') + 1),
                (int) path.chars().filter(letter -> letter == '.').count(),
                leaf,
                "active",
                policy,
                guaranteed,
                max,
                allocated,
                pending,
                pendingTasks,
                allocatedTasks,
                0,
                0,
                null,
                0,
                share,
                null);
    }

    static PartitionView partition(Map<String, Long> capacity) {
        return new PartitionView("default", 1, 1, capacity, Map.of(), 0, 0, 0, -1, 0, "fair", List.of());
    }
}
