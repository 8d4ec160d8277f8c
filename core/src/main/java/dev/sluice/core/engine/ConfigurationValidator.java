package dev.sluice.core.engine;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.SchedulerState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a configuration can be applied to the current state.
 *
 * <p>The constructor checks everything that depends on the configuration alone and may run on any thread. {@link #step}
 * checks the rest against the state in bounded steps, so that a large state does not block the scheduler. State changes
 * between two steps may be missed.
 */
public final class ConfigurationValidator {

    /** The number of resource types that every partition has from the beginning: slots, vcore and memory. */
    private static final int BUILT_IN_TYPES = 3;

    private final List<PartitionConfiguration> configurations;
    private final Set<String> names = new HashSet<>();
    private final List<SortedSet<String>> types = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private @Nullable Refusal refusal;
    private int nextConfiguration;
    private int nextEntry;
    private @Nullable List<Partition> partitions;
    private int nextPartition;

    /** A queue of the configuration by its path. */
    private record Entry(String partition, String path, boolean parent) {}

    /** Creates a validator for a configuration that consists of these partitions and checks it without the state. */
    public ConfigurationValidator(List<PartitionConfiguration> configurations) {
        this.configurations = configurations;
        for (PartitionConfiguration configuration : configurations) {
            if (refusal == null) {
                refusal = validate(configuration);
            }
        }
    }

    private @Nullable Refusal validate(PartitionConfiguration configuration) {
        if (!names.add(configuration.name())) {
            return new Refusal(Refusal.Code.DUPLICATE, "duplicate partition " + configuration.name());
        }
        if (configuration.name().length() > TaskSpec.NAME_LENGTH_MAX) {
            return new Refusal(
                    Refusal.Code.INVALID, "partition name must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        Refusal invalidName = NameValidator.validate("partition name", configuration.name());
        if (invalidName != null) {
            return invalidName;
        }
        for (PlacementRule rule : configuration.placementRules()) {
            String problem = QueuePlacement.problemWith(rule);
            if (problem != null) {
                return new Refusal(
                        Refusal.Code.INVALID, "placement rule " + rule.kind().wireName() + ": " + problem);
            }
        }
        SortedSet<String> named = new TreeSet<>(configuration.resourceWeights().keySet());
        collectTypes(configuration.root(), named);
        types.add(named);
        if (named.size() > SchedulerLimits.RESOURCE_TYPES_MAX) {
            return tooManyTypes(configuration);
        }
        return validate(
                configuration.name(), configuration.root(), configuration.root().name(), 1);
    }

    private static Refusal tooManyTypes(PartitionConfiguration configuration) {
        return new Refusal(
                Refusal.Code.TOO_MUCH,
                "partition " + configuration.name() + " would have more than " + SchedulerLimits.RESOURCE_TYPES_MAX
                        + " resource types");
    }

    private @Nullable Refusal validate(String partition, QueueConfiguration queue, String path, int depth) {
        if (depth > SchedulerLimits.QUEUE_DEPTH_MAX) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "queue " + path + " is nested too deeply: at most " + SchedulerLimits.QUEUE_DEPTH_MAX + " levels");
        }
        if (path.length() > SchedulerLimits.QUEUE_PATH_LENGTH_MAX) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "queue " + path + ": the path has " + path.length() + " characters, at most "
                            + SchedulerLimits.QUEUE_PATH_LENGTH_MAX + " are allowed");
        }
        if (depth > 1 && !queue.properties().admission().equals(AdmissionLimits.NONE)) {
            return new Refusal(
                    Refusal.Code.INVALID, "queue " + path + ": admission limits can only be set on the root queue");
        }
        entries.add(new Entry(partition, path, queue.parent()));
        Set<String> children = new HashSet<>();
        for (QueueConfiguration child : queue.children()) {
            if (!children.add(child.name())) {
                return new Refusal(Refusal.Code.DUPLICATE, "duplicate queue " + path + "." + child.name());
            }
            Refusal below = validate(partition, child, path + "." + child.name(), depth + 1);
            if (below != null) {
                return below;
            }
        }
        return null;
    }

    /**
     * Continues the checks against the state. Must be called on the thread that owns the state. Each partition and each
     * queue takes one step of the budget.
     *
     * @return true if the checks are complete or a reason to refuse the configuration was found; false if the budget is
     *     used up
     */
    public boolean step(SchedulerState state, StepBudget budget) {
        while (refusal == null && nextConfiguration < configurations.size()) {
            if (!budget.take()) {
                return false;
            }
            refusal = validateTypes(state, nextConfiguration++);
        }
        while (refusal == null && nextEntry < entries.size()) {
            if (!budget.take()) {
                return false;
            }
            refusal = validate(state, entries.get(nextEntry++));
        }
        List<Partition> present = partitions == null ? new ArrayList<>(state.partitions()) : partitions;
        partitions = present;
        while (refusal == null && nextPartition < present.size()) {
            if (!budget.take()) {
                return false;
            }
            refusal = validateRemoval(present.get(nextPartition++));
        }
        return true;
    }

    private @Nullable Refusal validateTypes(SchedulerState state, int index) {
        PartitionConfiguration configuration = configurations.get(index);
        Partition existing = state.partition(configuration.name());
        SortedSet<String> named = types.get(index);
        boolean fits = existing == null
                ? named.size() <= SchedulerLimits.RESOURCE_TYPES_MAX - BUILT_IN_TYPES
                : existing.canAddResourceTypes(named);
        return fits ? null : tooManyTypes(configuration);
    }

    private static @Nullable Refusal validate(SchedulerState state, Entry entry) {
        Partition partition = state.partition(entry.partition());
        Queue existing = partition == null ? null : partition.queues().find(entry.path());
        if (existing == null) {
            return null;
        }
        int applications = existing.applications().size();
        if (entry.parent() && applications > 0) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    "queue " + entry.path() + " cannot become a parent while it contains applications");
        }
        if (!entry.parent() && existing.applicationsBelow() > applications) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    "queue " + entry.path() + " cannot become a leaf while the queues below it contain applications");
        }
        return null;
    }

    private @Nullable Refusal validateRemoval(Partition partition) {
        boolean inUse = !partition.nodes().isEmpty() || partition.users().applicationsOfAll() > 0;
        return inUse && !names.contains(partition.name())
                ? new Refusal(
                        Refusal.Code.CONFLICT,
                        "cannot remove partition " + partition.name() + ": it still has nodes or applications")
                : null;
    }

    /**
     * Returns why the configuration is refused, or null if it can be applied. Final only after {@link #step} has
     * returned true.
     */
    public @Nullable Refusal refusal() {
        return refusal;
    }

    private static void collectTypes(QueueConfiguration queue, Set<String> types) {
        types.addAll(queue.guaranteed().amounts().keySet());
        types.addAll(queue.max().amounts().keySet());
        queue.limits()
                .forEach(limit -> types.addAll(limit.maxResources().amounts().keySet()));
        queue.children().forEach(child -> collectTypes(child, types));
    }
}
