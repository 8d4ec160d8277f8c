package dev.sluice.server.configuration;

import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.util.List;

/**
 * A configuration and its text. Written before the transaction starts: writing ten thousand queues takes half a second.
 *
 * @param partitions the configuration
 * @param text the configuration as {@code queues.yaml}
 */
public record WrittenConfiguration(List<PartitionConfiguration> partitions, String text) {

    public WrittenConfiguration {
        partitions = List.copyOf(partitions);
    }

    /** Writes a configuration. */
    public static WrittenConfiguration of(List<PartitionConfiguration> partitions) {
        return new WrittenConfiguration(partitions, QueueConfigurationWriter.yaml(partitions));
    }

    /** Returns the text of a configuration; writes it only if it differs from this one. */
    public String textOf(List<PartitionConfiguration> configuration) {
        return configuration.equals(partitions) ? text : QueueConfigurationWriter.yaml(configuration);
    }
}
