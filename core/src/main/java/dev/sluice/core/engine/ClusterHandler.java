package dev.sluice.core.engine;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Handles commands about partitions and nodes. */
final class ClusterHandler {

    private final SchedulerState state;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final NodeLifecycle nodeLifecycle;

    ClusterHandler(SchedulerState state, Emitter emitter, Lifecycle lifecycle) {
        this.state = state;
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.nodeLifecycle = new NodeLifecycle(emitter, lifecycle);
    }

    @Nullable Refusal apply(Command.ApplyConfiguration command, Instant now) {
        ConfigurationValidator validator = new ConfigurationValidator(command.partitions());
        if (!validator.step(state, StepBudget.unlimited())) {
            throw new IllegalStateException("validation with an unlimited budget did not finish");
        }
        Refusal refusal = validator.refusal();
        if (refusal != null) {
            return refusal;
        }
        Set<String> names = new HashSet<>();
        command.partitions().forEach(configuration -> names.add(configuration.name()));
        List<Partition> removed = state.partitions().stream()
                .filter(partition -> !names.contains(partition.name()))
                .toList();
        for (PartitionConfiguration configuration : command.partitions()) {
            Partition partition = state.partition(configuration.name());
            if (partition == null || !partition.configuration().equals(configuration)) {
                emitter.emit(new PartitionEvent.Configured(configuration, now));
            }
        }
        removed.forEach(partition -> emitter.emit(new PartitionEvent.Removed(partition.name(), now)));
        return null;
    }

    @Nullable Refusal handle(Command.NodeCommand command, Instant now) {
        Partition partition = state.partition(command.partition());
        if (partition == null) {
            return new Refusal(Refusal.Code.NOT_FOUND, "partition " + command.partition() + " not found");
        }
        Node node = partition.node(command.node());
        if (command instanceof Command.RegisterNode registration) {
            return node == null
                    ? register(partition, registration, now)
                    : new Refusal(Refusal.Code.DUPLICATE, "node " + command.node() + " already exists");
        }
        if (node == null) {
            return new Refusal(
                    Refusal.Code.NOT_FOUND,
                    "node " + command.node() + " not found in partition " + command.partition());
        }
        if (command instanceof Command.UpdateNode update) {
            return update(partition, node, update, now);
        }
        if (command instanceof Command.TakeNodeOffline) {
            if (!node.isOffline()) {
                nodeLifecycle.takeOffline(partition, node, now);
            }
        } else if (command instanceof Command.ReinstateNode) {
            if (node.isOffline()) {
                emitter.emit(new NodeEvent.Reinstated(partition.name(), node.name(), now));
            }
        } else if (command instanceof Command.RemoveNode) {
            nodeLifecycle.remove(partition, node, "was removed", now);
        } else {
            nodeLifecycle.report(partition, node, reported(command), now);
        }
        return null;
    }

    private static NodeHealth reported(Command.NodeCommand command) {
        if (command instanceof Command.SuspendNode) {
            return NodeHealth.SUSPENDED;
        }
        if (command instanceof Command.ReportNodeLost) {
            return NodeHealth.LOST;
        }
        return command instanceof Command.ReportNodeFlaky ? NodeHealth.FLAKY : NodeHealth.READY;
    }

    private @Nullable Refusal register(Partition partition, Command.RegisterNode command, Instant now) {
        if (command.node().isEmpty() || command.node().length() > TaskSpec.NAME_LENGTH_MAX) {
            return new Refusal(
                    Refusal.Code.INVALID, "node name must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        Refusal refusal = validateNames(command.node(), command.labels());
        refusal = refusal == null
                ? validateCapacity(partition, partition.registered(), command.node(), command.capacity())
                : refusal;
        if (refusal == null) {
            emitter.emit(new NodeEvent.Registered(
                    partition.name(), command.node(), command.capacity(), command.labels(), now));
        }
        return refusal;
    }

    private @Nullable Refusal update(Partition partition, Node node, Command.UpdateNode command, Instant now) {
        long[] otherNodes = Vectors.sum(partition.registered(), node.capacityVector(), -1);
        Refusal refusal = NameValidator.validate("node label", command.labels());
        refusal = refusal == null ? validateCapacity(partition, otherNodes, node.name(), command.capacity()) : refusal;
        if (refusal == null) {
            emitter.emit(
                    new NodeEvent.Updated(partition.name(), node.name(), command.capacity(), command.labels(), now));
            lifecycle.releaseReserved(partition, node, now);
        }
        return refusal;
    }

    private static @Nullable Refusal validateNames(String node, Map<String, String> labels) {
        Refusal refusal = NameValidator.validate("node name", node);
        return refusal == null ? NameValidator.validate("node label", labels) : refusal;
    }

    private static @Nullable Refusal validateCapacity(
            Partition partition, long[] otherNodes, String node, Resources capacity) {
        if (capacity.amount(ResourceTypes.SLOTS).value() > Integer.MAX_VALUE) {
            return new Refusal(Refusal.Code.TOO_MUCH, "node " + node + ": slots must be at most " + Integer.MAX_VALUE);
        }
        if (!partition.canAddResourceTypes(capacity.amounts().keySet())) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "node " + node + " would exceed the limit of " + SchedulerLimits.RESOURCE_TYPES_MAX
                            + " resource types per partition");
        }
        if (!partition.canAdd(otherNodes, capacity, 1)) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "node " + node + " would exceed the limit of " + SchedulerLimits.SUM_MAX
                            + " base units of a resource per partition");
        }
        return null;
    }
}
