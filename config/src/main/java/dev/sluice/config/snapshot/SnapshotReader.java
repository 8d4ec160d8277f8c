package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.queues.PartitionsReader;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads snapshots, as YAML or JSON.
 *
 * <p>The partitions default to {@link PartitionConfiguration#simplest()}. Partitions that the caller gives replace
 * those of the file, which are then not read.
 */
public final class SnapshotReader {

    /** The keys of a snapshot. */
    public static final Keys KEYS = FileKeys.CLUSTER;

    private SnapshotReader() {}

    /** Reads the snapshot in this file. */
    public static ParseResult<Snapshot> read(Path file) {
        return read(file, null);
    }

    /** Reads the snapshot in this file; {@code partitions} replace those of the file unless they are null. */
    public static ParseResult<Snapshot> read(Path file, @Nullable List<PartitionConfiguration> partitions) {
        Problems problems = new Problems(file.toString());
        return problems.result(snapshot(YamlReader.read(file, problems), partitions, problems));
    }

    /** Reads the snapshot in this text; the file name is used in messages. */
    public static ParseResult<Snapshot> read(String fileName, String text) {
        return read(fileName, text, null);
    }

    /** Reads the snapshot in this text; {@code partitions} replace those of the text unless they are null. */
    public static ParseResult<Snapshot> read(
            String fileName, String text, @Nullable List<PartitionConfiguration> partitions) {
        Problems problems = new Problems(fileName);
        return problems.result(snapshot(YamlReader.read(text, problems), partitions, problems));
    }

    private static @Nullable Snapshot snapshot(
            @Nullable YamlValue document, @Nullable List<PartitionConfiguration> given, Problems problems) {
        Section section = document == null
                ? null
                : Field.root(document, problems, ReferencePage.SNAPSHOT).asSection("a snapshot", KEYS);
        if (section == null) {
            return null;
        }
        Field atField = section.require("at", "a snapshot needs an instant, such as at: 2026-01-01T12:00:00Z");
        Instant at = atField == null ? null : atField.asInstant();
        long seed = section.read("seed", 0L, field -> field.asLong(Long.MIN_VALUE, Long.MAX_VALUE));
        int before = problems.count();
        List<PartitionConfiguration> partitions = given != null ? given : partitions(section);
        // references to invalid partitions are not checked: their problems are reported already
        boolean partitionsGood = problems.count() == before;
        ReadContext context =
                ReadContext.ofSnapshot(at == null ? Instant.MAX : at, partitionsGood ? partitions : List.of());
        before = problems.count();
        List<NodeEntry> nodes = NodeReader.read(section.get("nodes"), context);
        boolean nodesGood = problems.count() == before;
        ApplicationReader reader = new ApplicationReader(context);
        List<ApplicationEntry> applications = reader.read(section.get("applications"));
        List<QueueEntry> queues = QueueEntryReader.read(section.get("queues"), context);
        List<PartitionEntry> settings = PartitionEntryReader.read(section.get("settings"), context);
        context.warnMissingTypes();
        if (nodesGood) {
            RunningTaskPlacement.of(nodes, applications, (task, reason) -> {
                Field where = reader.fieldOf(task);
                if (where != null) {
                    where.problem(reason);
                }
            });
        }
        return at == null ? null : new Snapshot(at, seed, partitions, nodes, applications, queues, settings);
    }

    /** Returns the partitions of the file, or the simplest one. */
    private static List<PartitionConfiguration> partitions(Section section) {
        Field field = section.get("partitions");
        return field == null ? List.of(PartitionConfiguration.simplest()) : PartitionsReader.read(field);
    }
}
