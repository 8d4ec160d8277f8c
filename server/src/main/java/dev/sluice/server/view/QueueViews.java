package dev.sluice.server.view;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the queues of a partition to views. */
public final class QueueViews {

    private final Scheduler scheduler;
    private final Partition partition;
    private final Instant now;

    /** Creates a converter for a partition; usage priorities are decayed to {@code now}. */
    public QueueViews(Scheduler scheduler, Partition partition, Instant now) {
        this.scheduler = scheduler;
        this.partition = partition;
        this.now = now;
    }

    /** Returns the view of a queue. */
    public QueueView of(Queue queue) {
        int depth = 0;
        for (Queue above = queue.parent(); above != null; above = above.parent()) {
            depth++;
        }
        return view(queue, depth);
    }

    private QueueView view(Queue queue, int depth) {
        return new QueueView(
                queue.path(),
                queue.name(),
                depth,
                queue.isLeaf(),
                queue.isDraining() ? "draining" : queue.isDynamic() ? "dynamic" : "active",
                queue.isLeaf()
                        ? queue.sortPolicy().wireName()
                        : queue.sharePolicy().wireName(),
                Views.amounts(queue.configuration().guaranteed()),
                Views.amounts(queue.configuration().max()),
                Views.amounts(partition, queue.allocated()),
                Views.amounts(partition, queue.pending()),
                queue.pendingTasks(),
                queue.allocatedTasks(),
                queue.applicationsBelow(),
                queue.activeApplications(),
                queue.maxApplications() == Long.MAX_VALUE ? null : queue.maxApplications(),
                used(queue),
                share(queue));
    }

    private double used(Queue queue) {
        double largest = 0;
        Map<String, Long> max = Views.amounts(queue.configuration().max());
        Map<String, Long> total = new LinkedHashMap<>(Views.amounts(partition, partition.total()));
        total.putAll(max);
        for (Map.Entry<String, Long> amount :
                Views.amounts(partition, queue.allocated()).entrySet()) {
            long whole = total.getOrDefault(amount.getKey(), 0L);
            if (whole > 0) {
                largest = Math.max(largest, (double) amount.getValue() / whole);
            }
        }
        return largest;
    }

    private ShareView share(Queue queue) {
        LoadClassShare load = scheduler.loadOf(partition.name(), queue);
        UsageFigures usage = scheduler.usageOf(partition.name(), queue, now);
        return new ShareView(
                dominant(queue),
                load == null ? null : load.percent(),
                load == null ? null : load.entitlement(),
                load == null ? null : load.loaned(),
                load == null ? null : load.start(),
                usage == null ? null : usage.usage(),
                usage == null ? null : usage.usagePriority(),
                usage == null ? null : usage.effectivePriority(),
                usage == null ? null : usage.fraction(),
                usage == null ? null : Views.amounts(usage.slice()));
    }

    private @Nullable Double dominant(Queue queue) {
        Queue parent = queue.parent();
        if (parent != null && parent.sharePolicy() != SharePolicyKind.FAIR) {
            return null;
        }
        double share = DominantShare.largest(DominantShare.of(queue, partition));
        return Double.isFinite(share) ? share : null;
    }
}
