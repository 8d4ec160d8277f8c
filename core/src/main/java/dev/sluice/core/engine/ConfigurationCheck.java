package dev.sluice.core.engine;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.state.Limits;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Says whether a configuration can be applied in the present state. */
final class ConfigurationCheck {

    private final SchedulerState state;

    ConfigurationCheck(SchedulerState state) {
        this.state = state;
    }

    /** Why this cannot be applied now, or null. */
    @Nullable Refusal refusalOf(Command.ApplyConfiguration command) {
        Set<String> names = new HashSet<>();
        for (PartitionConfiguration configuration : command.partitions()) {
            if (!names.add(configuration.name())) {
                return new Refusal(Refusal.Code.DUPLICATE, "partition " + configuration.name() + " is there twice");
            }
            if (configuration.name().length() > TaskSpec.NAME_LENGTH_MAX) {
                return new Refusal(
                        Refusal.Code.INVALID,
                        "a partition has a name of 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
            }
            Refusal unprintable = NameCheck.refuse("the name of a partition", configuration.name());
            if (unprintable != null) {
                return unprintable;
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
        for (Partition partition : state.partitions()) {
            if (!names.contains(partition.name()) && isInUse(partition)) {
                return new Refusal(
                        Refusal.Code.CONFLICT,
                        "partition " + partition.name() + " cannot be taken out: it still has nodes or applications");
            }
        }
        return null;
    }

    private static boolean isInUse(Partition partition) {
        return !partition.nodes().isEmpty()
                || partition.applications().stream()
                        .anyMatch(application -> !application.state().isEnded());
    }

    private static @Nullable Refusal refuse(
            QueueConfiguration queue, String path, int depth, @Nullable Partition partition) {
        if (depth > Limits.QUEUE_DEPTH_MAX) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "queue " + path + " is too deep: at most " + Limits.QUEUE_DEPTH_MAX + " levels");
        }
        if (path.length() > Limits.QUEUE_PATH_LENGTH_MAX) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "queue " + path + " has a path of " + path.length() + " characters: at most "
                            + Limits.QUEUE_PATH_LENGTH_MAX + " are allowed");
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
}
