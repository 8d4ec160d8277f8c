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
 * Reads {@code queues.yaml}: YuniKorn's format with Sluice's own properties.
 *
 * <p>It rejects what YuniKorn rejects, and some of what YuniKorn ignores silently: unknown properties, policies and
 * placement rules, invalid values, and a file without partitions.
 */
public final class QueueConfigurationReader {

    /** The keys of a queue configuration. */
    public static final Keys KEYS = QueueKeys.QUEUE_CONFIGURATION;

    private QueueConfigurationReader() {}

    /** Reads the partitions of this file. */
    public static ParseResult<List<PartitionConfiguration>> read(Path file) {
        Problems problems = new Problems(file.toString());
        return problems.result(partitions(YamlReader.read(file, problems), problems));
    }

    /** Reads the partitions of this text; the file name is used in messages. */
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
        Field partitions = section.require("partitions", "no partitions: add partitions: with a list");
        return partitions == null ? null : PartitionsReader.read(partitions);
    }
}
