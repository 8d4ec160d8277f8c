package dev.sluice.server.view;

import dev.sluice.core.engine.QueueFigures;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.server.api.LimitView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Converts the queues of a partition to views. */
public final class QueueViews {

    /** Maximum number of limits in the view of a queue. */
    static final int LIMITS_MAX = 100;

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
        QueueFigures figures = QueueFigures.of(scheduler, partition, queue, now);
        return new QueueView(
                queue.path(),
                queue.name(),
                figures.depth(),
                queue.isLeaf(),
                queue.isDraining() ? "draining" : queue.isDynamic() ? "dynamic" : "active",
                figures.policy(),
                Views.amounts(queue.configuration().guaranteed()),
                Views.amounts(queue.configuration().max()),
                Views.amounts(figures.allocated()),
                Views.amounts(partition, queue::pending),
                queue.pendingTasks(),
                queue.allocatedTasks(),
                queue.applicationsBelow(),
                queue.activeApplications(),
                queue.maxApplications() == Long.MAX_VALUE ? null : queue.maxApplications(),
                used(queue, figures.allocated()),
                share(figures),
                limits(queue));
    }

    private @Nullable List<LimitView> limits(Queue queue) {
        List<LimitView> limits = queue.limitUsages().stream()
                .map(usage -> new UsedLimit(usage, used(usage)))
                .sorted(Comparator.comparing(UsedLimit::used).reversed()) // stable: then users, then by name
                .limit(LIMITS_MAX)
                .sorted(Comparator.comparing((UsedLimit limit) -> limit.usage().subject()))
                .map(limit -> view(limit.usage()))
                .toList();
        return limits.isEmpty() ? null : limits;
    }

    private record UsedLimit(LimitUsage usage, double used) {}

    private LimitView view(LimitUsage usage) {
        return new LimitView(
                usage.subject().wireName(),
                usage.name(),
                Views.maxima(partition, usage::max),
                Views.amounts(partition, usage::allocated),
                usage.maxApplications() == Long.MAX_VALUE ? null : usage.maxApplications(),
                usage.activeApplications());
    }

    /** Returns the largest fraction of the limit that is used. */
    private double used(LimitUsage usage) {
        double largest = (double) usage.activeApplications() / usage.maxApplications();
        for (int type = 0; type < partition.types().size(); type++) {
            if (usage.max(type) > 0) {
                largest = Math.max(largest, (double) usage.allocated(type) / usage.max(type));
            }
        }
        return largest;
    }

    private double used(Queue queue, Resources allocated) {
        double largest = 0;
        Map<String, Long> max = Views.amounts(queue.configuration().max());
        Map<String, Long> total = new LinkedHashMap<>(Views.amounts(partition, partition::total));
        total.putAll(max);
        for (Map.Entry<String, Long> amount : Views.amounts(allocated).entrySet()) {
            long whole = total.getOrDefault(amount.getKey(), 0L);
            if (whole > 0) {
                largest = Math.max(largest, (double) amount.getValue() / whole);
            }
        }
        return largest;
    }

    private static ShareView share(QueueFigures figures) {
        OptionalDouble dominant = figures.dominantShare();
        LoadClassShare load = figures.load();
        UsageFigures usage = figures.usage();
        return new ShareView(
                dominant.isPresent() && Double.isFinite(dominant.getAsDouble()) ? dominant.getAsDouble() : null,
                load == null ? null : load.percent(),
                load == null ? null : load.entitlement(),
                load == null ? null : load.loaned(),
                load == null ? null : load.start(),
                load == null ? null : load.waiting(),
                usage == null ? null : usage.usage(),
                usage == null ? null : usage.usagePriority(),
                usage == null ? null : usage.factor(),
                usage == null ? null : usage.effectivePriority(),
                usage == null ? null : usage.fraction(),
                usage == null ? null : Views.amounts(usage.due()),
                usage == null ? null : Views.amounts(usage.slice()));
    }
}
