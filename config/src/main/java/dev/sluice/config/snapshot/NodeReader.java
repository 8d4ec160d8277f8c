package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.NodeState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads the list {@code nodes}. */
final class NodeReader {

    private static final Map<String, NodeState> STATES = new LinkedHashMap<>();

    static {
        for (NodeState state : NodeState.values()) {
            STATES.put(state.wireName(), state);
        }
    }

    private NodeReader() {}

    /** Returns the nodes of this list and adds them to the context. */
    static List<NodeEntry> read(@Nullable Field list, ReadContext context) {
        List<NodeEntry> nodes = new ArrayList<>();
        if (list != null) {
            for (Field field : list.asList("nodes")) {
                Section section = field.asSection("a node", ClusterKeys.NODE);
                NodeEntry node = section == null ? null : node(section, context);
                if (node != null) {
                    nodes.add(node);
                }
            }
        }
        return nodes;
    }

    private static @Nullable NodeEntry node(Section section, ReadContext context) {
        Field nameField = section.require("name", "a node needs a name");
        String name = nameField == null ? null : nameField.asName("the name of a node", TaskSpec.NAME_LENGTH_MAX);
        Long count = section.read("count", 0L, field -> field.asLong(1, NodeEntry.COUNT_MAX));
        String partition = context.partitionName(section);
        Field capacityField = section.require("capacity", "a node needs a capacity, such as {vcore: 8, memory: 32Gi}");
        Resources capacity = capacityField == null ? Resources.NONE : capacityField.asResources();
        context.addNodeTypes(partition, capacity);
        SortedMap<String, String> labels = section.read(
                "labels", Collections.emptySortedMap(), field -> field.asTextMap("labels", Field::asStrictText));
        context.nodeLabels(partition).addAll(labels.entrySet());
        List<Taint> taints = section.read("taints", List.of(), field -> ConstraintsReader.taints(field, context));
        NodeState given = section.readOrNull("state", field -> field.asEnum("state of a node", STATES));
        NodeState state = given == null ? NodeState.READY : given;
        boolean unreadable = given == null && section.get("state") != null;
        boolean offline = !unreadable && isOffline(section, state);
        Instant since = since(section, context);
        if (name == null || nameField == null) {
            return null;
        }
        NameRegistry.NameConflict conflict = context.nodes(partition).add(name, count.intValue(), nameField);
        if (conflict != null) {
            nameField.problem("duplicate node name " + Field.quoted(conflict.name()) + " in partition " + partition
                    + ": the first is in line " + conflict.where().line());
        }
        return new NodeEntry(
                name, count.intValue(), partition, capacity, labels, taints, health(state), offline, since);
    }

    /** Returns whether the nodes are offline, by their state or by {@code offline}. */
    private static boolean isOffline(Section section, NodeState state) {
        Field field = section.get("offline");
        Boolean flag = field == null ? null : field.asBoolean();
        if (field != null && flag != null && flag != (state == NodeState.OFFLINE) && isPlain(state)) {
            field.problem(
                    flag
                            ? "offline is for nodes that are also suspended, lost or flaky: write state: offline"
                            : "offline: false contradicts state: offline: remove one of them");
        }
        return state == NodeState.OFFLINE || Boolean.TRUE.equals(flag);
    }

    private static boolean isPlain(NodeState state) {
        return state == NodeState.READY || state == NodeState.OFFLINE;
    }

    private static NodeHealth health(NodeState state) {
        return switch (state) {
            case READY, OFFLINE -> NodeHealth.READY;
            case SUSPENDED -> NodeHealth.SUSPENDED;
            case FLAKY -> NodeHealth.FLAKY;
            case LOST -> NodeHealth.LOST;
        };
    }

    private static @Nullable Instant since(Section section, ReadContext context) {
        Field field = section.get("since");
        if (field != null && context.isJobFile()) {
            field.warning("since has no effect here: it is for snapshots");
            return null;
        }
        return field == null ? null : context.pastInstant(field);
    }
}
