package dev.sluice.core.engine;

import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.SchedulerState;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replaces the configuration of all partitions. */
final class ConfigurationHandler {

    private final SchedulerState state;
    private final Emitter emitter;

    ConfigurationHandler(SchedulerState state, Emitter emitter) {
        this.state = state;
        this.emitter = emitter;
    }

    @Nullable Refusal apply(List<PartitionConfiguration> partitions, Instant now) {
        ConfigurationValidator validator = new ConfigurationValidator(partitions);
        if (!validator.step(state, StepBudget.unlimited())) {
            throw new IllegalStateException("validation with an unlimited budget did not finish");
        }
        Refusal refusal = validator.refusal();
        if (refusal != null) {
            return refusal;
        }
        Set<String> names = new HashSet<>();
        partitions.forEach(configuration -> names.add(configuration.name()));
        List<Partition> removed = state.partitions().stream()
                .filter(partition -> !names.contains(partition.name()))
                .toList();
        for (PartitionConfiguration configuration : partitions) {
            Partition partition = state.partition(configuration.name());
            if (partition == null || !partition.configuration().equals(configuration)) {
                emitter.emit(new PartitionEvent.Configured(configuration, now));
            }
        }
        removed.forEach(partition -> emitter.emit(new PartitionEvent.Removed(partition.name(), now)));
        return null;
    }
}
