package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code queues.yaml}: what YuniKorn accepts, and Sluice's own properties.
 *
 * <p>It refuses what YuniKorn refuses, and some of what YuniKorn passes over in silence: unknown properties, policies and
 * placement rules, values that cannot be read, a file without partitions.
 */
public final class QueueConfigurationReader {

    /** The keys of a queue configuration. */
    public static final Keys KEYS = QueueKeys.QUEUE_CONFIGURATION;

    private QueueConfigurationReader() {}

    /** The partitions that this file configures. */
    public static ParseResult<List<PartitionConfiguration>> read(Path file) {
        Problems problems = new Problems(file.toString());
        return problems.result(partitions(YamlReader.read(file, problems), problems));
    }

    /** The partitions that this text configures; the file's name is for messages. */
    public static ParseResult<List<PartitionConfiguration>> read(String fileName, String text) {
        Problems problems = new Problems(fileName);
        return problems.result(partitions(YamlReader.read(text, problems), problems));
    }

    private static @Nullable List<PartitionConfiguration> partitions(@Nullable YamlValue document, Problems problems) {
        if (document == null) {
            return null;
        }
        Section section = Field.root(document, problems, ReferencePage.QUEUES).asSection("a queue configuration", KEYS);
        if (section == null) {
            return null;
        }
        Field checksum = section.get("checksum");
        if (checksum != null) {
            checksum.keyWarning("checksum has no effect in Sluice");
        }
        Field partitions =
                section.require("partitions", "there are no partitions: write partitions: and a list below it");
        return partitions == null ? null : PartitionsReader.read(partitions);
    }
}
