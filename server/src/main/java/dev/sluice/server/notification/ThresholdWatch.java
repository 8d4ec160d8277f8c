package dev.sluice.server.notification;

import dev.sluice.config.notification.QueueThreshold;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.view.QueueViews;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Observes thresholds of queues. Without clock and threads. Not thread-safe. */
final class ThresholdWatch {

    private static final double PERCENT = 100;

    /** Shares are rounded to the inverse of this, so that 0.07 is not more than 7 %. */
    private static final double EXACT = 1e6;

    private final List<Observed> thresholds;

    /** A threshold that was crossed: exceeded for its time, or no longer exceeded. */
    record Crossing(QueueThreshold threshold, Map<String, Object> event) {}

    private static final class Observed {
        private final QueueThreshold threshold;
        private @Nullable Instant since;
        private boolean notified;

        Observed(QueueThreshold threshold) {
            this.threshold = threshold;
        }
    }

    ThresholdWatch(List<QueueThreshold> thresholds) {
        this.thresholds = thresholds.stream().map(Observed::new).toList();
    }

    /** Returns the thresholds whose queues do not exist. */
    List<QueueThreshold> withoutQueue(Scheduler scheduler) {
        return thresholds.stream()
                .map(observed -> observed.threshold)
                .filter(threshold -> queue(scheduler, threshold) == null)
                .toList();
    }

    /** Returns the thresholds that were crossed since the last check. */
    List<Crossing> check(Scheduler scheduler, Instant now) {
        List<Crossing> crossings = new ArrayList<>();
        for (Observed each : thresholds) {
            double value = value(scheduler, each.threshold, now);
            Instant since = each.since;
            if (value > limit(each.threshold)) {
                if (since == null) {
                    since = now;
                    each.since = now;
                }
                if (!each.notified && !since.plus(each.threshold.duration()).isAfter(now)) {
                    each.notified = true;
                    crossings.add(crossing(each.threshold, "exceeded", value, since, now));
                }
            } else {
                if (each.notified) {
                    crossings.add(crossing(each.threshold, "cleared", value, now, now));
                }
                each.since = null;
                each.notified = false;
            }
        }
        return crossings;
    }

    private static long limit(QueueThreshold threshold) {
        Long pending = threshold.pending();
        Integer used = threshold.usedPercent();
        return pending != null ? pending : used == null ? 0 : used;
    }

    private static double value(Scheduler scheduler, QueueThreshold threshold, Instant now) {
        Queue queue = queue(scheduler, threshold);
        Partition partition = scheduler.state().partition(threshold.partition());
        if (queue == null || partition == null) {
            return 0;
        }
        if (threshold.pending() != null) {
            return queue.pendingTasks();
        }
        QueueView view = new QueueViews(scheduler, partition, now).of(queue);
        return Math.round(view.used() * EXACT) * PERCENT / EXACT;
    }

    private static @Nullable Queue queue(Scheduler scheduler, QueueThreshold threshold) {
        Partition partition = scheduler.state().partition(threshold.partition());
        return partition == null ? null : partition.queues().find(threshold.queue());
    }

    private static Crossing crossing(QueueThreshold threshold, String state, double value, Instant since, Instant now) {
        boolean pending = threshold.pending() != null;
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("queue", threshold.queue());
        data.put("state", state);
        if (pending) {
            data.put("pending", (long) value);
        } else {
            data.put("used", Math.round(value));
        }
        data.put("threshold", limit(threshold));
        data.put("since", since);
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("at", now);
        event.put("type", "queue.threshold");
        event.put("partition", threshold.partition());
        event.put("data", data);
        return new Crossing(threshold, event);
    }
}
