package dev.sluice.server.configuration;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The differences between two configurations.
 *
 * @param sentences one sentence per changed partition or queue, in the order of the new configuration, then those
 *     removed
 * @param diff a unified diff of both as written by the server; empty if they are equal
 */
public record ConfigurationChanges(List<String> sentences, String diff) {

    private static final int CONTEXT_LINES = 3;

    public ConfigurationChanges {
        sentences = List.copyOf(sentences);
    }

    /** Returns the changes that replacing {@code from} by {@code to} makes. */
    public static ConfigurationChanges between(List<PartitionConfiguration> from, List<PartitionConfiguration> to) {
        List<String> sentences = new ArrayList<>();
        Map<String, PartitionConfiguration> removed = new LinkedHashMap<>();
        from.forEach(partition -> removed.put(partition.name(), partition));
        for (PartitionConfiguration partition : to) {
            PartitionConfiguration before = removed.remove(partition.name());
            if (before == null) {
                sentences.add("partition " + partition.name() + " is added");
            } else {
                compare(before, partition, sentences);
            }
        }
        removed.keySet().forEach(name -> sentences.add("partition " + name + " is removed"));
        return new ConfigurationChanges(sentences, diff(from, to));
    }

    private static void compare(PartitionConfiguration from, PartitionConfiguration to, List<String> sentences) {
        String of = "partition " + to.name() + ": ";
        if (!from.nodeSortPolicy().equals(to.nodeSortPolicy())
                || !from.resourceWeights().equals(to.resourceWeights())) {
            sentences.add(of + "the node sort policy changes");
        }
        if (!from.placementRules().equals(to.placementRules())) {
            sentences.add(of + "the placement rules change");
        }
        Map<String, QueueConfiguration> removed = queues(from);
        queues(to).forEach((path, queue) -> {
            QueueConfiguration before = removed.remove(path);
            if (before == null) {
                sentences.add(of + "queue " + path + " is added");
            } else if (!before.equals(queue)) {
                sentences.add(of + "queue " + path + " changes");
            }
        });
        removed.keySet().forEach(path -> sentences.add(of + "queue " + path + " drains and is removed when empty"));
    }

    /** Returns all queues by path, each without its children. */
    private static Map<String, QueueConfiguration> queues(PartitionConfiguration partition) {
        Map<String, QueueConfiguration> queues = new LinkedHashMap<>();
        collect(partition.root(), partition.root().name(), queues);
        return queues;
    }

    private static void collect(QueueConfiguration queue, String path, Map<String, QueueConfiguration> queues) {
        queues.put(path, queue.withChildren(List.of()));
        queue.children().forEach(child -> collect(child, path + "." + child.name(), queues));
    }

    private static String diff(List<PartitionConfiguration> from, List<PartitionConfiguration> to) {
        List<String> before = QueueConfigurationWriter.yaml(from).lines().toList();
        List<String> after = QueueConfigurationWriter.yaml(to).lines().toList();
        return String.join(
                "\n",
                UnifiedDiffUtils.generateUnifiedDiff(
                        "present", "new", before, DiffUtils.diff(before, after), CONTEXT_LINES));
    }
}
