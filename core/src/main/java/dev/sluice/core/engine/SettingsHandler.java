package dev.sluice.core.engine;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.LoadSettings;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerLimits;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Handles commands that change a single setting at run time. */
final class SettingsHandler {

    private final Emitter emitter;

    SettingsHandler(Emitter emitter) {
        this.emitter = emitter;
    }

    @Nullable Refusal setClassLoadPercents(Partition partition, Command.SetClassLoadPercents command, Instant now) {
        return change(
                partition,
                before -> LoadSettings.withClassLoadPercents(before, command.queue(), command.percents()),
                now);
    }

    @Nullable Refusal setRequestorMap(Partition partition, Command.SetRequestorMap command, Instant now) {
        return change(partition, before -> LoadSettings.withRequestorMap(before, command.requestors()), now);
    }

    @Nullable Refusal setRebalanceThreshold(Partition partition, Command.SetRebalanceThreshold command, Instant now) {
        return change(
                partition,
                before -> LoadSettings.withRebalanceThreshold(before, command.queue(), command.threshold()),
                now);
    }

    @Nullable Refusal setRebalanceMinimumDuration(Partition partition, Command.SetRebalanceMinimumDuration command, Instant now) {
        return change(
                partition,
                before -> LoadSettings.withRebalanceMinimumDuration(before, command.queue(), command.duration()),
                now);
    }

    private @Nullable Refusal change(Partition partition, UnaryOperator<PartitionConfiguration> setting, Instant now) {
        PartitionConfiguration previous = partition.configuration();
        PartitionConfiguration next;
        try {
            next = setting.apply(previous);
        } catch (IllegalArgumentException e) {
            return new Refusal(Refusal.Code.INVALID, String.valueOf(e.getMessage()));
        }
        for (PlacementRule rule : next.placementRules()) {
            String problem = QueuePlacement.problemWith(rule);
            if (problem != null) {
                return new Refusal(Refusal.Code.INVALID, problem);
            }
        }
        if (!next.equals(previous)) {
            emitter.emit(new PartitionEvent.Configured(next, now));
        }
        return null;
    }

    @Nullable Refusal setSeed(Partition partition, long seed, Instant now) {
        if (seed != partition.seed()) {
            emitter.emit(new PartitionEvent.Seeded(partition.name(), seed, now));
        }
        return null;
    }

    @Nullable Refusal setUsagePriority(Partition partition, Command.SetUsagePriority command, Instant now) {
        Queue queue = partition.queues().find(command.queue());
        if (queue == null || queue.usage() == null) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    queue == null
                            ? "queue " + command.queue() + " not found"
                            : "the parent of queue " + command.queue() + " does not use the share policy usage");
        }
        if (!(command.priority() >= 0) || Double.isInfinite(command.priority())) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "usage priority must be a finite number of at least 0, not " + command.priority());
        }
        emitter.emit(new PartitionEvent.UsagePrioritySet(partition.name(), command.queue(), command.priority(), now));
        return null;
    }

    @Nullable Refusal setQueueQuotas(Partition partition, Application application, Command.SetQueueQuotas command, Instant now) {
        Queue queue = application.hasQueue() ? application.queue() : null;
        if (queue == null
                || !queue.isDynamic()
                || !queue.equals(partition.queues().find(queue.path()))) {
            return null;
        }
        if (command.maxApplications() < 0) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "the maximum number of applications must be at least 0, not " + command.maxApplications());
        }
        QueueConfiguration wanted = command.applyTo(partition.queues().templateOf(queue));
        Set<String> types = new HashSet<>(wanted.guaranteed().amounts().keySet());
        types.addAll(wanted.max().amounts().keySet());
        if (!partition.canAddResourceTypes(types)) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "partition " + partition.name() + " would have more than " + SchedulerLimits.RESOURCE_TYPES_MAX
                            + " resource types: name fewer in the quotas of queue " + queue.path());
        }
        if (!queue.configuration().hasQuotasOf(wanted)) {
            emitter.emit(new PartitionEvent.QueueQuotasSet(
                    partition.name(), queue.path(), wanted.guaranteed(), wanted.max(), wanted.maxApplications(), now));
        }
        return null;
    }

    @Nullable Refusal setThrottle(Partition partition, int tasksMax, Instant now) {
        if (tasksMax < Partition.UNTHROTTLED) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "throttle must be a number of tasks, 0 (start nothing) or -1 (unlimited), not " + tasksMax);
        }
        if (tasksMax != partition.throttle()) {
            emitter.emit(new PartitionEvent.Throttled(partition.name(), tasksMax, now));
        }
        return null;
    }
}
