package dev.sluice.server.configuration;

import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.util.List;

/**
 * A configuration and its text, which is best made before the scheduler is asked for anything: that takes half a second if there are ten
 * thousand queues.
 *
 * @param partitions the configuration
 * @param text it as a {@code queues.yaml}
 */
public record WrittenConfiguration(List<PartitionConfiguration> partitions, String text) {

    /** Copies the list. */
    public WrittenConfiguration {
        partitions = List.copyOf(partitions);
    }

    /** This configuration, written. */
    public static WrittenConfiguration of(List<PartitionConfiguration> partitions) {
        return new WrittenConfiguration(partitions, QueueConfigurationWriter.yaml(partitions));
    }

    /** The text of a configuration, which is made only if it is another one than this. */
    public String textOf(List<PartitionConfiguration> configuration) {
        return configuration.equals(partitions) ? text : QueueConfigurationWriter.yaml(configuration);
    }
}
