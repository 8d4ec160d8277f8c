package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the list {@code partitions} of a queue configuration, snapshot, job file or workload. */
public final class PartitionsReader {

    /** The keys of a partition. */
    public static final Keys KEYS = QueueKeys.PARTITION;

    private PartitionsReader() {}

    /** Returns the partitions of this list, and reports problems. */
    public static List<PartitionConfiguration> read(Field list) {
        List<PartitionConfiguration> partitions = new ArrayList<>();
        Map<String, Field> names = new HashMap<>();
        List<Field> fields = list.asList("partitions");
        if (list.isList() && fields.isEmpty()) {
            list.problem("at least one partition is required");
        }
        for (Field field : fields) {
            Section section = field.asSection("a partition", KEYS);
            if (section != null) {
                PartitionConfiguration partition = partition(section, names);
                if (partition != null) {
                    partitions.add(partition);
                }
            }
        }
        return partitions;
    }

    private static @Nullable PartitionConfiguration partition(Section section, Map<String, Field> names) {
        String written = section.read("name", "", Field::asText);
        String name = written.isEmpty() || written.equalsIgnoreCase(PartitionConfiguration.DEFAULT_NAME)
                ? PartitionConfiguration.DEFAULT_NAME
                : written;
        Field nameField = section.find("name");
        Field where = nameField == null ? section.self() : nameField;
        Field first = names.putIfAbsent(name.toLowerCase(Locale.ROOT), where);
        if (first != null) {
            where.problem("duplicate partition name " + Field.quoted(name) + ": the first is in line " + first.line());
        }
        QueueDraft root = QueueReader.root(section);
        if (root != null) {
            LimitReader.readOfPartition(section.find("limits"), root);
        }
        List<PlacementRule> rules = PlacementRules.read(section.find("placementrules"), root);
        if (root != null) {
            QuotaCheck.check(root);
            LimitReader.checkTree(root);
        }
        Field dump = section.get("statedumpfilepath");
        if (dump != null) {
            dump.keyWarning("statedumpfilepath has no effect in Sluice");
        }
        NodeSort nodeSort = nodeSort(section);
        Preemption preemption = preemption(section);
        if (root != null) {
            new IneffectiveSettingsCheck(preemption.enabled()).check(root);
            QuotaPreemptionCheck.check(root, preemption.quotaField(), preemption.quota());
        }
        List<String> topology = section.read("topology", List.of(), PartitionsReader::topology);
        return root == null
                ? null
                : new PartitionConfiguration(
                        name,
                        root.build(),
                        rules,
                        nodeSort.policy(),
                        nodeSort.weights(),
                        preemption.enabled(),
                        preemption.quota(),
                        topology);
    }

    private record NodeSort(NodeSortPolicy policy, SortedMap<String, Double> weights) {}

    private static NodeSort nodeSort(Section partition) {
        Section section = partition.readOrNull(
                "nodesortpolicy", field -> field.asSection("a node sort policy", QueueKeys.NODE_SORT_POLICY));
        if (section == null) {
            return new NodeSort(NodeSortPolicy.FAIR, PartitionConfiguration.DEFAULT_WEIGHTS);
        }
        Map<String, NodeSortPolicy> words = new LinkedHashMap<>();
        for (NodeSortPolicy policy : NodeSortPolicy.values()) {
            words.put(policy.wireName(), policy);
        }
        Field type = section.get("type");
        boolean given = type != null && !"".equals(type.isList() || type.isMap() ? null : type.asText());
        NodeSortPolicy policy = given && type != null ? type.asEnum("node sort policy", words) : NodeSortPolicy.FAIR;
        SortedMap<String, Double> weights = new TreeMap<>();
        Field weightsField = section.get("resourceweights");
        if (weightsField != null) {
            weightsField.asTypeMap("resource types and weights").forEach((resource, field) -> {
                Double weight = field.asDouble();
                if (weight != null && weight < 0) {
                    field.problem("the weight of " + resource + " is negative: must be 0 or more");
                } else if (weight != null) {
                    weights.put(resource, weight);
                }
            });
        }
        return new NodeSort(
                policy == null ? NodeSortPolicy.FAIR : policy,
                weights.isEmpty() ? PartitionConfiguration.DEFAULT_WEIGHTS : weights);
    }

    private static List<String> topology(Field field) {
        List<String> labels = new ArrayList<>();
        for (Field each : field.asList("labels of nodes")) {
            String label = each.asName("a label", TaskSpec.NAME_LENGTH_MAX);
            if (label != null && labels.contains(label)) {
                each.problem("duplicate label " + Field.quoted(label) + ": list each label once");
            } else if (label != null) {
                labels.add(label);
            }
        }
        return labels;
    }

    /** @param quotaField the switch of quota preemption; null if it is not written */
    private record Preemption(
            boolean enabled, boolean quota, @Nullable Field quotaField) {}

    private static Preemption preemption(Section partition) {
        Section section =
                partition.readOrNull("preemption", field -> field.asSection("the preemption", QueueKeys.PREEMPTION));
        if (section == null) {
            return new Preemption(true, false, null);
        }
        return new Preemption(
                section.read("enabled", true, Field::asBoolean),
                section.read(QuotaPreemptionCheck.SWITCH, false, Field::asBoolean),
                section.get(QuotaPreemptionCheck.SWITCH));
    }
}
