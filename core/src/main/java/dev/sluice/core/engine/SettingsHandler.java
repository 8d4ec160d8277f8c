package dev.sluice.core.engine;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.LoadSettings;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Handles commands that change a single setting at run time. */
final class SettingsHandler {

    private final SchedulerState state;
    private final Emitter emitter;

    SettingsHandler(SchedulerState state, Emitter emitter) {
        this.state = state;
        this.emitter = emitter;
    }

    @Nullable Refusal handle(Command.SettingCommand command, Instant now) {
        Partition partition = state.partition(command.partition());
        if (partition == null) {
            return new Refusal(Refusal.Code.NOT_FOUND, "partition " + command.partition() + " not found");
        }
        if (command instanceof Command.SetThrottle throttle) {
            return throttle(partition, throttle.tasksMax(), now);
        }
        if (command instanceof Command.SetSeed seed) {
            if (seed.seed() != partition.seed()) {
                emitter.emit(new PartitionEvent.Seeded(partition.name(), seed.seed(), now));
            }
            return null;
        }
        if (command instanceof Command.SetUsagePriority usage) {
            return usagePriority(partition, usage, now);
        }
        PartitionConfiguration previous = partition.configuration();
        PartitionConfiguration next;
        try {
            next = changed(previous, command);
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

    private static PartitionConfiguration changed(PartitionConfiguration previous, Command.SettingCommand command) {
        if (command instanceof Command.SetClassLoadPercents percents) {
            return LoadSettings.withClassLoadPercents(previous, percents.queue(), percents.percents());
        }
        if (command instanceof Command.SetRequestorMap map) {
            return LoadSettings.withRequestorMap(previous, map.requestors());
        }
        if (command instanceof Command.SetRebalanceThreshold threshold) {
            return LoadSettings.withRebalanceThreshold(previous, threshold.queue(), threshold.threshold());
        }
        if (command instanceof Command.SetRebalanceMinimumDuration duration) {
            return LoadSettings.withRebalanceMinimumDuration(previous, duration.queue(), duration.duration());
        }
        throw new IllegalStateException("unknown setting: " + command);
    }

    private @Nullable Refusal usagePriority(Partition partition, Command.SetUsagePriority command, Instant now) {
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

    private @Nullable Refusal throttle(Partition partition, int tasksMax, Instant now) {
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
