package dev.sluice.config.snapshot;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.DefaultResources;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the nodes of the allocated tasks of a snapshot.
 *
 * <p>Tasks with a node come first. Every other task, in the order of the file, gets the first node in the order of the
 * list that is ready, meets the constraints and has enough free capacity. Tasks that are being preempted take no
 * capacity. A task with a placement number was placed by a scheduler: it keeps its node even if the capacity is smaller
 * by now.
 */
public final class RunningTaskPlacement {

    /**
     * A task with its node.
     *
     * @param application the application of the task
     * @param entry the entry of the task
     * @param part the part of the entry that the task belongs to
     * @param index the index of the task in its entry, from 0
     * @param node the name of its node
     */
    public record AllocatedTask(ApplicationEntry application, TaskEntry entry, TaskPart part, int index, String node) {}

    /**
     * Identifies equal tasks, which continue the search at the node of the last of them: nodes that were full stay
     * full.
     */
    private record PlacementKey(
            String partition,
            Resources resources,
            Constraints constraints,
            @Nullable String requiredNode) {}

    private record NodeRef(int entry, int index) {}

    private final List<NodeEntry> nodes;
    private final Set<String> withoutCores = new HashSet<>();
    private final Map<NodeRef, Map<String, Long>> used = new HashMap<>();
    private final Map<String, List<Integer>> entriesByName = new HashMap<>();
    private final Map<PlacementKey, NodeRef> firstFit = new HashMap<>();
    private final List<AllocatedTask> allocated = new ArrayList<>();
    private final BiConsumer<TaskEntry, String> refused;

    private RunningTaskPlacement(List<NodeEntry> nodes, BiConsumer<TaskEntry, String> refused) {
        this.nodes = nodes;
        this.refused = refused;
        nodes.forEach(node -> withoutCores.add(node.partition()));
        nodes.stream()
                .filter(node -> node.capacity().amount(ResourceTypes.VCORE).value() > 0)
                .forEach(node -> withoutCores.remove(node.partition()));
        for (int i = 0; i < nodes.size(); i++) {
            entriesByName
                    .computeIfAbsent(
                            nodes.get(i).partition() + "\n" + nodes.get(i).name(), name -> new ArrayList<>())
                    .add(i);
        }
    }

    /**
     * Returns every allocated task; throws {@link IllegalArgumentException} if one has no node, which readers prevent.
     */
    public static List<AllocatedTask> of(Snapshot snapshot) {
        return of(snapshot.nodes(), snapshot.applications(), (task, reason) -> {
            throw new IllegalArgumentException(task.spec().name() + ": " + reason);
        });
    }

    /** Returns every allocated task; calls {@code refused} once for each entry with tasks that fit on no node. */
    static List<AllocatedTask> of(
            List<NodeEntry> nodes, List<ApplicationEntry> applications, BiConsumer<TaskEntry, String> refused) {
        RunningTaskPlacement tasks = new RunningTaskPlacement(nodes, refused);
        tasks.placeAll(applications, true);
        tasks.placeAll(applications, false);
        return List.copyOf(tasks.allocated);
    }

    private void placeAll(List<ApplicationEntry> applications, boolean named) {
        for (ApplicationEntry application : applications) {
            for (TaskEntry task : application.tasks()) {
                if (!task.isBound()) {
                    continue;
                }
                for (TaskPart part : task.allParts()) {
                    if (part.state().isBound() && (part.node() != null) == named) {
                        placeEach(application, task, part);
                    }
                }
            }
        }
    }

    private void placeEach(ApplicationEntry application, TaskEntry task, TaskPart part) {
        TaskSpec spec = task.spec();
        Resources resources = DefaultResources.of(spec.resources(), withoutCores.contains(application.partition()));
        String node = part.node();
        boolean known = part.placement() != null;
        for (int i = part.first(); i < part.end(); i++) {
            NodeRef ref = node == null
                    ? find(application.partition(), spec, resources)
                    : nodeRef(application.partition(), node);
            if (ref == null || (node != null && !known && !fits(ref, resources))) {
                refused.accept(
                        task,
                        ref == null
                                ? "no ready node fits " + spec.taskId(i) + ", which is "
                                        + part.state().wireName()
                                : "node " + node + " does not fit " + spec.taskId(i) + ": " + shortage(ref, resources));
                return;
            }
            if (part.state() != TaskState.PREEMPTING) {
                take(ref, resources);
            }
            allocated.add(new AllocatedTask(
                    application, task, part, i, nodes.get(ref.entry).nodeName(ref.index)));
        }
    }

    /** Returns the node of this name, or null. */
    private @Nullable NodeRef nodeRef(String partition, String name) {
        for (int entry : entriesByName.getOrDefault(partition + "\n" + name, List.of())) {
            if (nodes.get(entry).count() == TaskSpec.SINGLE) {
                return new NodeRef(entry, 0);
            }
        }
        int dash = name.lastIndexOf('-');
        String base = dash < 0 ? name : name.substring(0, dash);
        for (int entry : entriesByName.getOrDefault(partition + "\n" + base, List.of())) {
            String digits = name.substring(dash + 1);
            if (digits.matches("[0-9]{1,8}") && nodes.get(entry).count() > Integer.parseInt(digits)) {
                return new NodeRef(entry, Integer.parseInt(digits));
            }
        }
        return null;
    }

    private @Nullable NodeRef find(String partition, TaskSpec spec, Resources resources) {
        PlacementKey key = new PlacementKey(partition, resources, spec.constraints(), spec.requiredNode());
        NodeRef from = firstFit.getOrDefault(key, new NodeRef(0, 0));
        for (int entry = from.entry; entry < nodes.size(); entry++) {
            NodeEntry node = nodes.get(entry);
            if (!node.partition().equals(partition)
                    || !node.isReady()
                    || shortage(node.capacity(), Map.of(), resources) != null) {
                continue;
            }
            for (int index = entry == from.entry ? from.index : 0; index < node.size(); index++) {
                NodeRef ref = new NodeRef(entry, index);
                boolean wanted =
                        spec.requiredNode() == null || spec.requiredNode().equals(node.nodeName(index));
                if (wanted
                        && spec.constraints().permits(node.nodeName(index), node.labels(), node.taints())
                        && fits(ref, resources)) {
                    firstFit.put(key, ref);
                    return ref;
                }
            }
        }
        firstFit.put(key, new NodeRef(nodes.size(), 0));
        return null;
    }

    private boolean fits(NodeRef ref, Resources demand) {
        return shortage(nodes.get(ref.entry).capacity(), used.getOrDefault(ref, Map.of()), demand) == null;
    }

    private String shortage(NodeRef ref, Resources demand) {
        return Objects.requireNonNull(
                shortage(nodes.get(ref.entry).capacity(), used.getOrDefault(ref, Map.of()), demand));
    }

    /** Returns what a node lacks for this demand, as text; null if the demand fits. */
    private static @Nullable String shortage(Resources capacity, Map<String, Long> taken, Resources demand) {
        for (Map.Entry<String, Amount> wanted : demand.amounts().entrySet()) {
            String type = wanted.getKey();
            long free = Amount.saturatedDifference(capacity.amount(type).value(), taken.getOrDefault(type, 0L));
            if (wanted.getValue().value() > free) {
                return "it requests " + type + " " + Quantity.format(type, wanted.getValue()) + ", and "
                        + Quantity.format(type, new Amount(free)) + " is free";
            }
        }
        boolean slotsUsedUp = capacity.names(ResourceTypes.SLOTS)
                && taken.getOrDefault(ResourceTypes.SLOTS, 0L)
                        >= capacity.amount(ResourceTypes.SLOTS).value();
        return slotsUsedUp ? "all its slots are in use" : null;
    }

    private void take(NodeRef ref, Resources demand) {
        Map<String, Long> taken = used.computeIfAbsent(ref, each -> new HashMap<>());
        taken.merge(ResourceTypes.SLOTS, 1L, Amount::saturatedSum);
        demand.amounts().forEach((type, amount) -> taken.merge(type, amount.value(), Amount::saturatedSum));
    }
}
