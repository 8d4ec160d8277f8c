package dev.sluice.core.engine;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Limits;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Carries out commands about partitions and nodes. */
final class ClusterHandler {

    private final SchedulerState state;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final NodeLife nodeLife;

    ClusterHandler(SchedulerState state, Emitter emitter, Lifecycle lifecycle) {
        this.state = state;
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.nodeLife = new NodeLife(emitter, lifecycle);
    }

    @Nullable Refusal apply(Command.ApplyConfiguration command, Instant now) {
        Set<String> names = new HashSet<>();
        for (PartitionConfiguration configuration : command.partitions()) {
            if (!names.add(configuration.name())) {
                return new Refusal(Refusal.Code.DUPLICATE, "partition " + configuration.name() + " is there twice");
            }
            for (PlacementRule rule : configuration.placementRules()) {
                String problem = QueuePlacement.problemWith(rule);
                if (problem != null) {
                    return new Refusal(
                            Refusal.Code.INVALID,
                            "placement rule " + rule.kind().word() + ": " + problem);
                }
            }
            SortedSet<String> types =
                    new TreeSet<>(configuration.resourceWeights().keySet());
            collectTypes(configuration.root(), types);
            Partition former = state.partition(configuration.name());
            if (former == null ? types.size() > Limits.RESOURCE_TYPES_MAX - 3 : !former.canKnow(types)) {
                return new Refusal(
                        Refusal.Code.TOO_MUCH,
                        "partition " + configuration.name() + " would have more than " + Limits.RESOURCE_TYPES_MAX
                                + " resource types");
            }
            String path = configuration.root().name();
            Refusal refusal = refuse(configuration.root(), path, 1, state.partition(configuration.name()));
            if (refusal != null) {
                return refusal;
            }
        }
        List<Partition> vanishing = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            if (!names.contains(partition.name())) {
                boolean lives = partition.applications().stream()
                        .anyMatch(application -> !application.state().isEnded());
                if (lives || !partition.nodes().isEmpty()) {
                    return new Refusal(
                            Refusal.Code.CONFLICT,
                            "partition " + partition.name()
                                    + " cannot be taken out: it still has nodes or applications");
                }
                vanishing.add(partition);
            }
        }
        for (PartitionConfiguration configuration : command.partitions()) {
            Partition partition = state.partition(configuration.name());
            if (partition == null || !partition.configuration().equals(configuration)) {
                emitter.emit(new PartitionEvent.Configured(configuration, now));
            }
        }
        vanishing.forEach(partition -> emitter.emit(new PartitionEvent.Removed(partition.name(), now)));
        return null;
    }

    private static @Nullable Refusal refuse(
            QueueConfiguration queue, String path, int depth, @Nullable Partition partition) {
        if (depth > Limits.QUEUE_DEPTH_MAX) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "queue " + path + " is too deep: at most " + Limits.QUEUE_DEPTH_MAX + " levels");
        }
        if (depth > 1 && !queue.properties().admission().equals(AdmissionLimits.NONE)) {
            return new Refusal(
                    Refusal.Code.INVALID, "queue " + path + ": admission limits are for the root queue alone");
        }
        Queue existing = partition == null ? null : partition.queues().find(path);
        if (existing != null && queue.parent() && !existing.applications().isEmpty()) {
            return new Refusal(
                    Refusal.Code.CONFLICT, "queue " + path + " cannot become a parent while applications are in it");
        }
        if (existing != null && !queue.parent() && hasApplicationsBelow(existing)) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    "queue " + path + " cannot become a leaf while applications are in the queues below it");
        }
        Set<String> names = new HashSet<>();
        for (QueueConfiguration child : queue.children()) {
            if (!names.add(child.name())) {
                return new Refusal(Refusal.Code.DUPLICATE, "queue " + path + "." + child.name() + " is there twice");
            }
            Refusal refusal = refuse(child, path + "." + child.name(), depth + 1, partition);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private static void collectTypes(QueueConfiguration queue, Set<String> types) {
        types.addAll(queue.guaranteed().amounts().keySet());
        types.addAll(queue.max().amounts().keySet());
        queue.children().forEach(child -> collectTypes(child, types));
    }

    private static boolean hasApplicationsBelow(Queue queue) {
        for (Queue child : queue.children()) {
            if (!child.applications().isEmpty() || hasApplicationsBelow(child)) {
                return true;
            }
        }
        return false;
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
        Refusal refusal = refuseCapacity(partition, partition.registered(), command.node(), command.capacity());
        if (refusal == null) {
            emitter.emit(new NodeEvent.Registered(
                    partition.name(), command.node(), command.capacity(), command.labels(), now));
        }
        return refusal;
    }

    private @Nullable Refusal update(Partition partition, Node node, Command.UpdateNode command, Instant now) {
        long[] others = Vectors.sum(partition.registered(), node.capacityVector(), -1);
        Refusal refusal = refuseCapacity(partition, others, node.name(), command.capacity());
        if (refusal == null) {
            emitter.emit(
                    new NodeEvent.Updated(partition.name(), node.name(), command.capacity(), command.labels(), now));
            lifecycle.releaseHeld(partition, node, now);
        }
        return refusal;
    }

    private static @Nullable Refusal refuseCapacity(
            Partition partition, long[] others, String node, Resources capacity) {
        if (capacity.amount(ResourceTypes.SLOTS).value() > Integer.MAX_VALUE) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH, "node " + node + " has too many slots: at most " + Integer.MAX_VALUE);
        }
        if (!partition.canKnow(capacity.amounts().keySet())) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "node " + node + " would bring its partition above " + Limits.RESOURCE_TYPES_MAX
                            + " resource types");
        }
        if (!partition.canAdd(others, capacity, 1)) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "node " + node + " would bring its partition above " + Limits.SUM_MAX
                            + " base units of a resource");
        }
        return null;
    }
}
