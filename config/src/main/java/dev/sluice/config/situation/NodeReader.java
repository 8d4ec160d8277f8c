package dev.sluice.config.situation;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads the list under {@code nodes}. */
final class NodeReader {

    private static final Keys KEYS = Keys.of("name", "count", "partition", "capacity", "labels", "state");
    private static final Map<String, NodeState> STATES = new LinkedHashMap<>();

    static {
        for (NodeState state : List.of(NodeState.READY, NodeState.OFFLINE)) {
            STATES.put(state.word(), state);
        }
    }

    private NodeReader() {}

    /** The nodes of this list, which become known in their partitions. */
    static List<NodeEntry> read(@Nullable Field list, Surroundings surroundings) {
        List<NodeEntry> nodes = new ArrayList<>();
        if (list != null) {
            for (Field field : list.asList("nodes")) {
                Section section = field.asSection("a node", KEYS);
                NodeEntry node = section == null ? null : node(section, surroundings);
                if (node != null) {
                    nodes.add(node);
                }
            }
        }
        return nodes;
    }

    private static @Nullable NodeEntry node(Section section, Surroundings surroundings) {
        Field nameField = section.require("name", "a node needs a name");
        String name = nameField == null ? null : nameField.asName("the name of a node", TaskSpec.NAME_LENGTH_MAX);
        Long count = section.read("count", 0L, field -> field.asWholeNumber(1, NodeEntry.COUNT_MAX));
        String partition = surroundings.partitionName(section);
        Field capacityField = section.require("capacity", "a node needs a capacity, such as {vcore: 8, memory: 32Gi}");
        Resources capacity = capacityField == null ? Resources.NONE : capacityField.asResources();
        SortedMap<String, String> labels = section.read(
                "labels", Collections.emptySortedMap(), field -> field.asTextMap("labels", Field::asStrictText));
        NodeState state = section.read("state", NodeState.READY, field -> field.asWord("state of a node", STATES));
        if (name == null || nameField == null) {
            return null;
        }
        KnownPartition known = surroundings.partition(partition);
        CountedNames.Taken taken = known == null ? null : known.nodes().add(name, count.intValue(), nameField);
        if (taken != null) {
            nameField.problem("there are two nodes of the name " + Field.quoted(taken.name()) + " in partition "
                    + partition + ": the first is in line " + taken.where().line());
        }
        return new NodeEntry(name, count.intValue(), partition, capacity, labels, state);
    }
}
