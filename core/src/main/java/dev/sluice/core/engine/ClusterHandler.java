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

/** Carries out commands about partitions and nodes. */
final class ClusterHandler {

    private final SchedulerState state;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final NodeLifecycle nodeLife;

    ClusterHandler(SchedulerState state, Emitter emitter, Lifecycle lifecycle) {
        this.state = state;
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.nodeLife = new NodeLifecycle(emitter, lifecycle);
    }

    @Nullable Refusal apply(Command.ApplyConfiguration command, Instant now) {
        ConfigurationValidator check = new ConfigurationValidator(command.partitions());
        if (!check.look(state, StepBudget.unlimited())) {
            throw new IllegalStateException("an unlimited look was interrupted");
        }
        Refusal refusal = check.refusal();
        if (refusal != null) {
            return refusal;
        }
        Set<String> names = new HashSet<>();
        command.partitions().forEach(configuration -> names.add(configuration.name()));
        List<Partition> vanishing = state.partitions().stream()
                .filter(partition -> !names.contains(partition.name()))
                .toList();
        for (PartitionConfiguration configuration : command.partitions()) {
            Partition partition = state.partition(configuration.name());
            if (partition == null || !partition.configuration().equals(configuration)) {
                emitter.emit(new PartitionEvent.Configured(configuration, now));
            }
        }
        vanishing.forEach(partition -> emitter.emit(new PartitionEvent.Removed(partition.name(), now)));
        return null;
    }

    @Nullable Refusal handle(Command.NodeCommand command, Instant now) {
        Partition partition = state.partition(command.partition());
        if (partition == null) {
            return new Refusal(Refusal.Code.NOT_FOUND, "there is no partition " + command.partition());
        }
        Node node = partition.node(command.node());
        if (command instanceof Command.RegisterNode registration) {
            return node == null
                    ? register(partition, registration, now)
                    : new Refusal(Refusal.Code.DUPLICATE, "node " + command.node() + " is there already");
        }
        if (node == null) {
            return new Refusal(
                    Refusal.Code.NOT_FOUND,
                    "there is no node " + command.node() + " in partition " + command.partition());
        }
        if (command instanceof Command.UpdateNode update) {
            return update(partition, node, update, now);
        }
        if (command instanceof Command.TakeNodeOffline) {
            if (!node.isOffline()) {
                nodeLife.takeOffline(partition, node, now);
            }
        } else if (command instanceof Command.ReinstateNode) {
            if (node.isOffline()) {
                emitter.emit(new NodeEvent.Reinstated(partition.name(), node.name(), now));
            }
        } else if (command instanceof Command.RemoveNode) {
            nodeLife.remove(partition, node, "left", now);
        } else {
            nodeLife.report(partition, node, reported(command), now);
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
                    Refusal.Code.INVALID, "a node has a name of 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        Refusal refusal = refuseNames(command.node(), command.labels());
        refusal = refusal == null
                ? refuseCapacity(partition, partition.registered(), command.node(), command.capacity())
                : refusal;
        if (refusal == null) {
            emitter.emit(new NodeEvent.Registered(
                    partition.name(), command.node(), command.capacity(), command.labels(), now));
        }
        return refusal;
    }

    private @Nullable Refusal update(Partition partition, Node node, Command.UpdateNode command, Instant now) {
        long[] others = Vectors.sum(partition.registered(), node.capacityVector(), -1);
        Refusal refusal = NameValidator.refuse("a label of the node", command.labels());
        refusal = refusal == null ? refuseCapacity(partition, others, node.name(), command.capacity()) : refusal;
        if (refusal == null) {
            emitter.emit(
                    new NodeEvent.Updated(partition.name(), node.name(), command.capacity(), command.labels(), now));
            lifecycle.releaseReserved(partition, node, now);
        }
        return refusal;
    }

    private static @Nullable Refusal refuseNames(String node, Map<String, String> labels) {
        Refusal refusal = NameValidator.refuse("the name of the node", node);
        return refusal == null ? NameValidator.refuse("a label of the node", labels) : refusal;
    }

    private static @Nullable Refusal refuseCapacity(
            Partition partition, long[] others, String node, Resources capacity) {
        if (capacity.amount(ResourceTypes.SLOTS).value() > Integer.MAX_VALUE) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH, "node " + node + " has too many slots: at most " + Integer.MAX_VALUE);
        }
        if (!partition.canAddResourceTypes(capacity.amounts().keySet())) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "node " + node + " would bring its partition above " + SchedulerLimits.RESOURCE_TYPES_MAX
                            + " resource types");
        }
        if (!partition.canAdd(others, capacity, 1)) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "node " + node + " would bring its partition above " + SchedulerLimits.SUM_MAX
                            + " base units of a resource");
        }
        return null;
    }
}
