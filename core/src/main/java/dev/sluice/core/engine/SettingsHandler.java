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

/** Carries out commands that change one setting while everything runs. */
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
            return new Refusal(Refusal.Code.NOT_FOUND, "there is no partition " + command.partition());
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
        PartitionConfiguration former = partition.configuration();
        PartitionConfiguration latter;
        try {
            latter = changed(former, command);
        } catch (IllegalArgumentException e) {
            return new Refusal(Refusal.Code.INVALID, String.valueOf(e.getMessage()));
        }
        for (PlacementRule rule : latter.placementRules()) {
            String problem = QueuePlacement.problemWith(rule);
            if (problem != null) {
                return new Refusal(Refusal.Code.INVALID, problem);
            }
        }
        if (!latter.equals(former)) {
            emitter.emit(new PartitionEvent.Configured(latter, now));
        }
        return null;
    }

    private static PartitionConfiguration changed(PartitionConfiguration former, Command.SettingCommand command) {
        if (command instanceof Command.SetClassLoadPercents percents) {
            return LoadSettings.withClassLoadPercents(former, percents.queue(), percents.percents());
        }
        if (command instanceof Command.SetRequestorMap map) {
            return LoadSettings.withRequestorMap(former, map.requestors());
        }
        if (command instanceof Command.SetRebalanceThreshold threshold) {
            return LoadSettings.withRebalanceThreshold(former, threshold.queue(), threshold.threshold());
        }
        if (command instanceof Command.SetRebalanceMinimumDuration duration) {
            return LoadSettings.withRebalanceMinimumDuration(former, duration.queue(), duration.duration());
        }
        throw new IllegalStateException("no such setting: " + command);
    }

    private @Nullable Refusal usagePriority(Partition partition, Command.SetUsagePriority command, Instant now) {
        Queue queue = partition.queues().find(command.queue());
        if (queue == null || queue.usage() == null) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    queue == null
                            ? "there is no queue " + command.queue()
                            : "the queue above " + command.queue() + " does not share by usage");
        }
        if (!(command.priority() >= 0) || Double.isInfinite(command.priority())) {
            return new Refusal(
                    Refusal.Code.INVALID, "a usage priority is a number of 0 or more, not " + command.priority());
        }
        emitter.emit(new PartitionEvent.UsagePrioritySet(partition.name(), command.queue(), command.priority(), now));
        return null;
    }

    private @Nullable Refusal throttle(Partition partition, int tasksMax, Instant now) {
        if (tasksMax < Partition.UNTHROTTLED) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "a throttle is a number of tasks, 0 for none, or -1 for as many as fit, not " + tasksMax);
        }
        if (tasksMax != partition.throttle()) {
            emitter.emit(new PartitionEvent.Throttled(partition.name(), tasksMax, now));
        }
        return null;
    }
}
