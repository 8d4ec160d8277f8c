package dev.sluice.cli;

import dev.sluice.cli.source.SourceFile;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The partitions of the option {@code --config}, which replace those of other files.
 *
 * @param given the partitions, or null without the option
 */
record Partitions(@Nullable List<PartitionConfiguration> given) {

    /** Reads the partitions of a file; prints its errors and throws {@link BadInputException} if it is invalid. */
    static Partitions of(@Nullable String config, CommandSpec spec, OutputOptions output) {
        if (config == null) {
            return new Partitions(null);
        }
        SourceFile file = SourceFile.named(config, System.in);
        ParseResult<List<PartitionConfiguration>> reading =
                file.read(QueueConfigurationReader::read, QueueConfigurationReader::read);
        return new Partitions(BadInputException.valueOf(reading, file, spec, output));
    }
}
