package dev.sluice.core.engine;

import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Handles requests and reports about nodes. */
final class NodeHandler {

    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final NodeLifecycle nodeLifecycle;

    NodeHandler(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.nodeLifecycle = new NodeLifecycle(emitter, lifecycle);
    }

    @Nullable Refusal register(Partition partition, Command.RegisterNode command, Instant now) {
        if (partition.node(command.node()) != null) {
            return new Refusal(Refusal.Code.DUPLICATE, "node " + command.node() + " already exists");
        }
        if (command.node().isEmpty() || command.node().length() > TaskSpec.NAME_LENGTH_MAX) {
            return new Refusal(
                    Refusal.Code.INVALID, "node name must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        Refusal refusal = validateNames(command.node(), command.labels());
        refusal = refusal == null
                ? validateCapacity(partition, partition.registered(), command.node(), command.capacity())
                : refusal;
        refusal = refusal == null ? validateTaints(command.taints()) : refusal;
        if (refusal == null) {
            emitter.emit(new NodeEvent.Registered(
                    partition.name(), command.node(), command.capacity(), command.labels(), now));
            setTaints(partition, command.node(), List.of(), command.taints(), now);
        }
        return refusal;
    }

    @Nullable Refusal update(Partition partition, Node node, Command.UpdateNode command, Instant now) {
        long[] otherNodes = Vectors.sum(partition.registered(), node.capacityVector(), -1);
        Refusal refusal = NameValidator.validate("node label", command.labels());
        refusal = refusal == null ? validateCapacity(partition, otherNodes, node.name(), command.capacity()) : refusal;
        List<Taint> taints = command.taints() == null ? node.taints() : command.taints();
        refusal = refusal == null ? validateTaints(taints) : refusal;
        if (refusal == null) {
            emitter.emit(
                    new NodeEvent.Updated(partition.name(), node.name(), command.capacity(), command.labels(), now));
            setTaints(partition, node.name(), node.taints(), taints, now);
            lifecycle.withdrawExcluded(partition, node, now);
            lifecycle.releaseReserved(partition, node, now);
        }
        return refusal;
    }

    @Nullable Refusal taint(Partition partition, Node node, List<Taint> taints, Instant now) {
        Refusal refusal = validateTaints(taints);
        if (refusal == null) {
            setTaints(partition, node.name(), node.taints(), taints, now);
            lifecycle.withdrawExcluded(partition, node, now);
        }
        return refusal;
    }

    private static @Nullable Refusal validateTaints(List<Taint> taints) {
        if (taints.size() > Command.TaintNode.TAINTS_MAX) {
            return new Refusal(Refusal.Code.TOO_MUCH, "a node has at most " + Command.TaintNode.TAINTS_MAX + " taints");
        }
        for (int i = 0; i < taints.size(); i++) {
            Taint taint = taints.get(i);
            if (taints.subList(0, i).stream().anyMatch(taint::isAbout)) {
                return new Refusal(
                        Refusal.Code.INVALID,
                        "duplicate taint " + taint.key() + ":" + taint.effect().wireName()
                                + ": a node has at most one with this key and effect");
            }
        }
        return NameValidator.validateTaints(taints);
    }

    private void setTaints(Partition partition, String node, List<Taint> known, List<Taint> wanted, Instant now) {
        List<Taint> taints =
                wanted.stream().map(taint -> dated(taint, known, now)).toList();
        if (!taints.equals(known)) {
            emitter.emit(new NodeEvent.Tainted(partition.name(), node, taints, now));
        }
    }

    /** Returns a taint with its time: a given one that has passed, or since when the node has it, or now. */
    private static Taint dated(Taint taint, List<Taint> known, Instant now) {
        Instant given = taint.timeAdded();
        if (given != null) {
            return taint.addedAt(given.isAfter(now) ? now : given);
        }
        for (Taint each : known) {
            if (each.isSameAs(taint)) {
                return each;
            }
        }
        return taint.addedAt(now);
    }

    @Nullable Refusal takeOffline(Partition partition, Node node, Instant now) {
        if (!node.isOffline()) {
            nodeLifecycle.takeOffline(partition, node, now);
        }
        return null;
    }

    @Nullable Refusal reinstate(Partition partition, Node node, Instant now) {
        if (node.isOffline()) {
            emitter.emit(new NodeEvent.Reinstated(partition.name(), node.name(), now));
        }
        return null;
    }

    @Nullable Refusal report(Partition partition, Node node, NodeHealth health, Instant now) {
        nodeLifecycle.report(partition, node, health, now);
        return null;
    }

    @Nullable Refusal remove(Partition partition, Node node, Instant now) {
        nodeLifecycle.remove(partition, node, "was removed", now);
        return null;
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
